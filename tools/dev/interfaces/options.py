"""Options in other languages and in pages, from the settings that `upright describe` prints."""

import json
import re
import textwrap

# The functions of each taker.
FUNCTIONS = {"normalize": "normalize, plan, audit", "transform": "rotate, flip", "crop": "crop", "verify": "verify", "undo": "undo"}
# Those on files; what those of a photo take, those of a folder take, too.
FILE_FUNCTIONS = {"normalize": "normalize_file, plan_file, normalize_folder, plan_folder", "transform": "rotate_file, flip_file",
                  "crop": "crop_file", "undo": "restore_file, restore_folder"}
REWRITES = {"normalize", "transform", "crop"}


def camel(name):
    return re.sub(r"-(.)", lambda found: found[1].upper(), name)


def wrapped(text, indent, first=None):
    """Lines of a text."""
    return textwrap.fill(text, 119, initial_indent=first or indent, subsequent_indent=indent, break_long_words=False,
                         break_on_hyphens=False)


def comment(text):
    """A comment of a member in TypeScript."""
    return f"  /** {text} */" if len(text) < 110 else "\n".join(["  /**", wrapped(text, "   * "), "   */"])


def taken(settings, all_of, none_of=()):
    """The settings that all of some takers take, and none of others."""
    return [each for each in settings if set(all_of) <= set(each["takenBy"]) and not set(none_of) & set(each["takenBy"])]


def described(setting):
    """What a setting decides and what its values do, for a table."""
    values = [f"`{value['name']}`" + (f": {value['text']}" if "text" in value else "") for value in setting.get("values", [])]
    default = setting.get("default")
    text = setting["text"]
    if values:
        text += " " + ("; " if ":" in values[0] else ", ").join(values) + "."
    if setting["kind"] == "flag":
        text = f"Flag: {text[0].lower()}{text[1:]}"
    elif default is not None:
        text += f" Default: `{default}`."
    return text + (f" In {setting['unit']}." if setting.get("unit") in ("MiB", "milliseconds") else "")


def rows(head, lines):
    """A table of a page."""
    return "\n".join(["| " + " | ".join(head) + " |", "|---" * len(head) + "|", *(f"| {' | '.join(line)} |" for line in lines)])


def functions(setting, names=FUNCTIONS):
    takers = {each for each in setting["takenBy"] if each in names}
    if takers == set(names):
        return "all"
    return "rewrites" if takers == REWRITES else ", ".join(names[each] for each in setting["takenBy"] if each in names)


def of_bytes(settings):
    """The settings of functions on bytes; those on files have more."""
    return [each for each in settings if each["group"] != "files"]


def of_files(settings):
    return [each for each in settings if each["group"] == "files"]


def library_table(settings):
    """The options of the functions in C."""
    return rows(["Option", "What it does", "Functions"], [
        [f"`{each['name']}`", described(each), functions(each)] for each in of_bytes(settings)])


def file_table(settings):
    """The further options of the functions on files in C."""
    return rows(["Option", "What it does", "Functions"], [
        [f"`{each['name']}`", described(each), functions(each, FILE_FUNCTIONS)] for each in of_files(settings)])


def group(title, settings):
    """A group of options in upright.h."""
    lines = []
    for each in settings:
        if each["kind"] == "choice":
            values = [value["name"] + (" (default)" if value["name"] == each["default"] else "") for value in each["values"]]
            lines.append(f"{each['name']}: {', '.join(values)}")
    flags = [each["name"] for each in settings if each["kind"] == "flag"]
    if flags:
        lines.append(f"{', '.join(flags)}: true or false")
    units = {"MiB": " (in MiB)", "milliseconds": " (in milliseconds)"}
    others = [each["name"] + units.get(each.get("unit"), "") for each in settings if each["kind"] in ("number", "text")]
    if others:
        lines.append(", ".join(others))
    return "\n".join(f" *   {title if index == 0 else '':10}{line}" for index, line in enumerate(lines))


def header(settings):
    """The groups of options in upright.h that recur."""
    def found(name):
        return [each for each in settings if each["group"] == name and REWRITES <= set(each["takenBy"]) and each["kind"] != "text"]

    return "\n".join([group(name.upper(), found(name)) for name in ("policies", "limits", "checks")])


def header_of_files(settings):
    """The group of options of functions that rewrite files in upright.h."""
    return group("FILES", [each for each in of_files(settings) if REWRITES & set(each["takenBy"])])


def python(settings):
    """The module with the options of the functions."""
    def member(setting):
        kinds = {"flag": "bool", "number": "int", "text": "str", "choice": "str"}
        # Python has durations in seconds.
        kind = "float" if setting.get("unit") == "milliseconds" else kinds[setting["kind"]]
        if all("text" in value for value in setting.get("values", [])) and setting["kind"] == "choice":
            kind = "Literal[" + ", ".join(f'"{value["name"]}"' for value in setting["values"]) + "]"
        unit = {"MiB": " In MiB.", "milliseconds": " In seconds."}.get(setting.get("unit"), "")
        values = "; ".join(f"{value['name']}: {value['text']}" for value in setting.get("values", []) if "text" in value)
        text = setting["text"] + unit + (f" {values}." if values else "")
        return f"    {setting['name'].replace('-', '_')}: {kind}\n" + wrapped(text, "    ", '    """') + '"""'

    def options(name, bases, found=(), more=()):
        return f"class {name}({bases}, total=False):\n" + "\n".join([*map(member, found), *more] or ["    pass"])

    ours = [each for each in of_bytes(settings) if each["name"] != "path"]
    path = [each for each in settings if each["name"] == "path"]
    common = taken(ours, FUNCTIONS)
    rewrites = [each for each in taken(ours, REWRITES) if each not in common]
    known = common + rewrites
    only = lambda taker: [each for each in ours if taker in each["takenBy"] and each not in known]
    files = of_files(settings)
    of_all = taken(files, FILE_FUNCTIONS)
    of_rewrites = [each for each in taken(files, REWRITES) if each not in of_all]
    others = lambda taker: [each for each in taken(files, [taker]) if each not in of_all + of_rewrites]
    cancellation = '    cancellation: Optional[Cancellation]\n    """Cancels the work from another thread."""'
    return "\n\n\n".join([
        '"""The options of the functions. tools/dev/make-interfaces makes this file."""\n\nfrom __future__ import annotations\n\n'
        "from typing import TYPE_CHECKING, Literal, Optional, TypedDict\n\nif TYPE_CHECKING:\n    from ._functions import Cancellation",
        options("Limits", "TypedDict", common, [cancellation]),
        options("Policies", "Limits", rewrites),
        options("Normalization", "TypedDict", only("normalize")),
        options("Transformation", "TypedDict", only("transform")),
        options("Cropping", "TypedDict", only("crop")),
        options("Named", "TypedDict", path),
        options("NormalizeOptions", "Policies, Normalization, Named"),
        options("TransformOptions", "Policies, Transformation, Named"),
        options("CropOptions", "Policies, Cropping, Named"),
        options("VerifyOptions", "Limits, Named",
                [each for each in ours if "verify" in each["takenBy"] and each not in common]),
        options("UndoOptions", "Limits, Named"),
        options("Replacement", "TypedDict", of_all),
        options("FileRewriting", "Replacement", of_rewrites),
        options("EmbeddedUndo", "TypedDict", others("normalize")),
        options("NormalizeFileOptions", "Policies, Normalization, FileRewriting, EmbeddedUndo"),
        options("TransformFileOptions", "Policies, Transformation, FileRewriting, EmbeddedUndo"),
        options("CropFileOptions", "Policies, Cropping, FileRewriting"),
        options("RestoreFileOptions", "Limits, Replacement", others("undo")),
    ]) + "\n"


def typescript(settings):
    """The interfaces of options."""
    # Only a pool can end work.
    settings = [each for each in of_bytes(settings) if each["name"] != "time-limit"]

    def member(setting):
        kinds = {"flag": "boolean", "number": "number", "text": "string"}
        kind = kinds.get(setting["kind"]) or " | ".join(f'"{value["name"]}"' for value in setting["values"])
        unit = " In MiB." if setting.get("unit") == "MiB" else ""
        values = "; ".join(f"{value['name']}: {value['text']}" for value in setting.get("values", []) if "text" in value)
        text = setting["text"] + unit + (f" {values}." if values else "")
        return f"{comment(text)}\n  {camel(setting['name'])}?: {kind};"

    def interface(text, name, found):
        return f"/** {text} */\nexport interface {name} {{\n" + "\n".join(map(member, found)) + "\n}"

    options = taken(settings, ["normalize"])
    of = lambda taker: [each for each in taken(settings, [taker]) if each not in options]
    base = lambda taker: "Omit<Options, " + " | ".join(
        f'"{camel(each["name"])}"' for each in options if taker not in each["takenBy"]) + ">"
    return "\n\n".join([
        interface("Options of the command `upright`, in camel case.", "Options", options),
        interface("Options of rotate and flip.", f"TransformOptions extends {base('transform')}", of("transform")),
        interface("Options of crop.", f"CropOptions extends {base('crop')}", of("crop")),
    ])


# The lines of upright.h before and after the groups of options.
HEADER = "Sources/CUpright/upright.h"
BEFORE_GROUPS = " * options; these groups recur:\n *"
AFTER_GROUPS = " *   path      the name of the file"
BEFORE_FILES = " * options       those of the function on bytes, but path, and of this group:\n *"
AFTER_FILES = " *\n * A file is replaced atomically"


def questions(settings):
    """What the page of docs/try asks, as a statement of JavaScript."""
    texts = {each["name"]: each["question"] for each in settings if each.get("question")}
    return f"globalThis.questionsOfThisPage = {json.dumps(texts, indent=2)};"
