"""One description of everything a key can do. Bindings, footer, help and palette are all made from it.

Each part of the app lists its actions in its own `actions.py`; `registry.py` puts them together.
"""

from __future__ import annotations

from msgspec import Struct
from textual.binding import Binding, BindingType
from textual.keys import format_key


class Action(Struct, frozen=True):
    """Something that a person can have done.

    `id` is stable and names the binding, for example `tools.filter`. `run` is the method, without `action_`, of the
    widget that declares it. `keys` are in Textual's names, separated by commas; without any it is for the palette.
    """

    id: str
    run: str
    keys: str
    name: str
    help: str
    footer: bool = True
    priority: bool = False
    system: bool = False

    @property
    def shown_keys(self) -> tuple[str, ...]:
        """The keys as people write them."""
        return tuple(written(key) for key in self.keys.split(",") if key)

    def binding(self) -> Binding:
        """The binding of its keys."""
        return Binding(
            self.keys,
            self.run,
            self.name,
            show=self.footer,
            key_display=self.shown_keys[0],
            priority=self.priority,
            id=self.id,
            system=self.system,
        )


def written(key: str) -> str:
    """A key as people write it."""
    return key if key in ("enter", "tab") else format_key(key)


def bindings(*actions: Action) -> list[BindingType]:
    """The bindings of those actions that have keys."""
    return [action.binding() for action in actions if action.keys]


EVERYWHERE = (
    Action("app.tools", "show_tab('tools')", "1", "Tools", "Every tool: contract, source, versions, a call.", False),
    Action("app.space", "show_tab('space')", "2", "Space", "The index block, grants, memory.", False),
    Action("app.transcript", "show_tab('transcript')", "3", "Transcript", "Threads and what happened in them.", False),
    Action(
        "app.next_tab", "next_tab(1)", "ctrl+pagedown", "Next tab", "Go to the next tab, also from an editor.", False
    ),
    Action(
        "app.previous_tab", "next_tab(-1)", "ctrl+pageup", "Previous tab", "Go back a tab, also from an editor.", False
    ),
    Action("app.help", "help", "question_mark,f1", "Help", "What every key does here; f1 works in editors too."),
    Action(
        "app.palette",
        "command_palette",
        "ctrl+p",
        "Palette",
        "Reach every action, tool, thread and theme by name.",
        priority=True,
    ),
    Action("app.demo_step", "demo_step", "f8", "Next step", "Demo: play the next step of the scene.", priority=True),
    Action("app.cancel", "cancel_latest", "ctrl+x", "Cancel call", "Stop the call that was started last.", False),
    Action("app.quit", "quit", "ctrl+q,q", "Quit", "Leave. Asks when something is unsaved or still runs."),
    Action(
        "app.interrupt",
        "interrupt",
        "ctrl+c",
        "Leave at once",
        "Pressed twice it leaves without asking. What is selected it copies instead.",
        False,
        priority=True,
        system=True,
    ),
    Action("app.suspend", "suspend", "ctrl+z", "To the shell", "Give the terminal to the shell; fg comes back.", False),
)
"""What works on every tab."""
