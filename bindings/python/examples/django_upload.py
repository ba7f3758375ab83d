"""An upload with Django: a form field that normalizes photos and keeps their metadata.

    python django_upload.py runserver

HEIC photos are refused, unless PHOTOS_HEIC is keep or convert.
"""

from __future__ import annotations

import sys
from typing import Any

import django
import heic
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


STATUSES = {"not-jpeg": 415, "empty": 415, "unsupported": 415, "limit": 413, "time-limit": 503, "out-of-memory": 503}


class UprightPhotoField(forms.FileField):
    """A photo, which the field normalizes. Errors of the field have the codes of the library."""

    def clean(self, data: Any, initial: Any = None) -> UploadedFile:
        upload = super().clean(data, initial)
        try:
            result = upright.normalize(
                upload,
                check_unchanged=True,  # also reject damaged photos that are upright already
                max_bytes=64 << 20,
                max_pixels=200_000_000,
                memory=1024,
                time_limit=30,
            )
        except upright.UprightError as error:
            raise forms.ValidationError(error.message, code=error.code) from error
        if result.reason is not None and result.reason.id == "conflict":
            raise forms.ValidationError(result.reason.text, code="conflict")
        try:
            data, kind = heic.accepted(result)
        except heic.RefusedError as error:
            raise forms.ValidationError(str(error), code="not-jpeg") from error
        except heic.ConversionError as error:
            raise forms.ValidationError(str(error), code="not-converted") from error
        photo = SimpleUploadedFile(upload.name, data, kind)
        # Why it is stored as it came: for example, because its thermal data would no longer fit.
        photo.skipped = result.reason.id if result.reason and result.status == "skipped" else None
        return photo


class PhotoForm(forms.Form):
    photo = UprightPhotoField()


def upload(request: HttpRequest) -> HttpResponse:
    form = PhotoForm(request.POST, request.FILES)
    if not form.is_valid():
        errors = form.errors.get_json_data()
        codes = {each["code"] for each in errors.get("photo", [])}
        status = next((STATUSES[code] for code in STATUSES if code in codes), 422)
        return JsonResponse(errors, status=status, headers={"Retry-After": "60"} if status == 503 else None)
    photo = form.cleaned_data["photo"]
    headers = {"Upright-Skipped": photo.skipped} if photo.skipped else None
    return HttpResponse(photo.read(), content_type=photo.content_type, headers=headers)


urlpatterns = [path("photos", upload)]

if __name__ == "__main__":
    execute_from_command_line(sys.argv)
