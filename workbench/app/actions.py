"""One description of everything a key can do. Bindings, footer, help and palette are all made from it.

A tab lists its actions in its own `actions.py`; `registry.py` puts them together.
"""

from __future__ import annotations

from dataclasses import dataclass

from textual.binding import Binding, BindingType


@dataclass(frozen=True, slots=True)
class Action:
    """Something that a person can have done.

    `id` is stable and names the binding, for example `tools.filter`; its first part says where it belongs. `run` is the
    method, without `action_`, of the widget that declares it. `keys` are in Textual's names, separated by commas.
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
    def where(self) -> str:
        """The place it belongs to: `app`, `tools`, `space`, `transcript`."""
        return self.id.partition(".")[0]

    @property
    def shown_keys(self) -> tuple[str, ...]:
        """The keys as people write them."""
        return tuple(_SHOWN.get(key, key) for key in self.keys.split(",") if key)

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


_SHOWN = {"slash": "/", "question_mark": "?", "left_square_bracket": "[", "right_square_bracket": "]", "escape": "esc"}


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
    Action("app.interrupt", "interrupt", "ctrl+c", "Quit", "Pressed twice it leaves at once.", False, system=True),
)
"""What works on every tab."""
