"""The time between two dates."""

from datetime import date, timedelta


def main(input):
    start, end = date.fromisoformat(input["from"]), date.fromisoformat(input["to"])
    sign = 1 if end >= start else -1
    first, last = (start, end) if sign > 0 else (end, start)
    days = (last - first).days
    weeks, rest = divmod(days, 7)
    weekdays = weeks * 5 + sum((first + timedelta(days=day)).weekday() < 5 for day in range(rest))
    return {
        "days": sign * days,
        "weekdays": sign * weekdays,
        "from_weekday": start.strftime("%A"),
        "to_weekday": end.strftime("%A"),
    }
