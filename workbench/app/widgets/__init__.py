"""Widgets that every tab shares."""
