"""An upload with Django: a form field that normalizes photos and keeps their metadata.

    python django_upload.py runserver
"""

from __future__ import annotations

import sys
from typing import Any

import django
import upright
from django import forms
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile, UploadedFile
from django.core.management import execute_from_command_line
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import path

if not settings.configured:
    settings.configure(DEBUG=False, ROOT_URLCONF=__name__, ALLOWED_HOSTS=["*"], SECRET_KEY="of the example")
    django.setup()


class UprightPhotoField(forms.FileField):
    """A photo, which the field normalizes. Errors of the field have the codes of the library."""

    def clean(self, data: Any, initial: Any = None) -> UploadedFile:
        upload = super().clean(data, initial)
        # HEIC and AVIF files would be normalized, too, and stay what they are.
        is_jpeg = upload.read(2) == b"\xff\xd8"
        upload.seek(0)
        if not is_jpeg:
            raise forms.ValidationError("the photo is not a JPEG file", code="not-jpeg")
        try:
            result = upright.normalize(
                upload, max_bytes=64 << 20, max_pixels=200_000_000, memory=1024, time_limit=30
            )
        except upright.UprightError as error:
            raise forms.ValidationError(error.message, code=error.code) from error
        if result.reason is not None and result.reason.id == "conflict":
            raise forms.ValidationError(result.reason.text, code="conflict")
        photo = SimpleUploadedFile(upload.name, result.bytes, "image/jpeg")
        # Why it is stored as it came: for example, because its thermal data would no longer fit.
        photo.skipped = result.reason.id if result.reason and result.status == "skipped" else None
        return photo


class PhotoForm(forms.Form):
    photo = UprightPhotoField()


def upload(request: HttpRequest) -> HttpResponse:
    form = PhotoForm(request.POST, request.FILES)
    if not form.is_valid():
        errors = form.errors.get_json_data()
        busy = {"time-limit", "out-of-memory"} & {each["code"] for each in errors.get("photo", [])}
        return JsonResponse(errors, status=503 if busy else 422)
    photo = form.cleaned_data["photo"]
    headers = {"Upright-Skipped": photo.skipped} if photo.skipped else None
    return HttpResponse(photo.read(), content_type="image/jpeg", headers=headers)


urlpatterns = [path("photos", upload)]

if __name__ == "__main__":
    execute_from_command_line(sys.argv)
