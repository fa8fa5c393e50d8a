"""Scrolling lists of items that are several lines high, of any length."""
