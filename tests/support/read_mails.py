#!/usr/bin/python3
"""Reads every NAME.eml of a directory with Python's e-mail package and python3-icalendar, and holds it against
NAME.json beside it: {"subject", "from": [name, address], "to": […], "text", "html", "calendar": {…} or null}. Whatever
is missing there is not compared. Prints each difference and ends with 1 when there is one."""
import email
import email.header
import email.policy
import email.utils
import json
import pathlib
import re
import sys
from urllib.parse import unquote

import icalendar

problems = []


def person(raw, name):
    """By the older of the package's two parsers: the newer one joins neighbouring encoded words with a space
    (python/cpython issue 92081), against RFC 2047 section 6.2."""
    said = email.message_from_bytes(raw, policy=email.policy.compat32)[name]
    shown, address = email.utils.parseaddr(str(said).replace("\r\n", ""))
    return [str(email.header.make_header(email.header.decode_header(shown))) if shown else "", address]


def parts_of(mail):
    return {part.get_content_type(): part for part in mail.walk() if not part.is_multipart()}


def event_of(part):
    raw = part.get_payload(decode=True)
    for line in raw.split(b"\r\n"):
        if len(line) > 75:
            problems.append("a calendar line is too long")
        line.decode("utf-8")
    calendar = icalendar.Calendar.from_ical(raw)
    events = [one for one in calendar.subcomponents if one.name == "VEVENT"]
    if len(calendar.subcomponents) != 1 or len(events) != 1:
        problems.append("not one event")
    if events[0].errors:
        problems.append(f"the event has errors: {events[0].errors}")
    return calendar, events[0]


def read_calendar(mail, parts):
    if "text/calendar" not in parts:
        return None
    calendar, event = event_of(parts["text/calendar"])
    if parts["text/calendar"].get_param("method") != calendar["METHOD"]:
        problems.append("the part's method is not the calendar's")
    attachment = [one for one in mail.iter_attachments() if one.get_filename() == "invite.ics"]
    same = len(attachment) == 1 and attachment[0].get_payload(decode=True) == parts["text/calendar"].get_payload(decode=True)
    if not same:
        problems.append("the attachment is not the calendar")
    said = {"method": str(calendar["METHOD"]), "uid": str(event["UID"]), "sequence": int(event["SEQUENCE"]),
            "status": str(event["STATUS"]), "summary": str(event["SUMMARY"]),
            "starts": event["DTSTART"].dt.isoformat(), "ends": event["DTEND"].dt.isoformat()}
    for name in ("DESCRIPTION", "LOCATION", "URL"):
        said[name.lower()] = str(event.get(name, ""))
    for name in ("ORGANIZER", "ATTENDEE"):
        if name in event:
            said[name.lower()] = [str(event[name].params.get("CN", "")), unquote(str(event[name]))]
    return said


def read(path):
    raw = path.read_bytes()
    if b"\n" in raw.replace(b"\r\n", b"") or b"\r" in raw.replace(b"\r\n", b""):
        problems.append("a lone CR or LF")
    if max(len(line) for line in raw.split(b"\r\n")) > 998:
        problems.append("a line is too long")
    mail = email.message_from_bytes(raw, policy=email.policy.default.clone(utf8=True))
    for part in mail.walk():
        if part.defects:
            problems.append(f"defects: {part.defects}")
        for name, field in part.items():
            if getattr(field, "defects", ()):
                problems.append(f"defects of {name}: {field.defects}")
    parts = parts_of(mail)
    said = {"subject": str(mail["Subject"]), "from": person(raw, "From"), "to": person(raw, "To"),
            "id": str(mail["Message-ID"]), "fields": [name for name, _ in mail.items()],
            "text": parts["text/plain"].get_content().replace("\r\n", "\n"),
            "html": parts["text/html"].get_content().replace("\r\n", "\n")}
    said["calendar"] = read_calendar(mail, parts)
    return said


def compare(what, said, expected):
    if isinstance(expected, dict) and isinstance(said, dict):
        for name, value in expected.items():
            compare(f"{what} {name}", said.get(name), value)
    elif what.startswith("mail calendar") and isinstance(said, str) and isinstance(expected, str):
        # icalendar before 5 undoes an escaped backslash twice.
        if re.sub(r"\\+", r"\\", said) != re.sub(r"\\+", r"\\", expected):
            problems.append(f"{what} is {said!r} and not {expected!r}")
    elif said != expected:
        problems.append(f"{what} is {said!r} and not {expected!r}")


wrong = 0
mails = sorted(pathlib.Path(sys.argv[1]).glob("*.eml"))
for one in mails:
    problems.clear()
    beside = one.with_suffix(".json")
    try:
        compare("mail", read(one), json.loads(beside.read_text("utf-8")) if beside.exists() else {})
    except Exception as error:  # a parser that gives up is a finding as any other
        problems.append(f"{type(error).__name__}: {error}")
    for problem in problems:
        print(f"{one.name}: {problem}")
    wrong += bool(problems)
print(f"{len(mails)} mails, {wrong} wrong")
sys.exit(1 if wrong or not mails else 0)
