"""`scripted:FILE`: a scene as a model. What its agent does is what the model answers; its owner's part is left out."""

from __future__ import annotations

from pathlib import Path

from workbench.agent.models.known import KnownAnswers
from workbench.agent.models.model import Answer, Finish, Model, ModelCall, ModelFault, Thought
from workbench.agent.scene import Act, EarlyEnd, Say, Scene, Step, load


def open_scripted(file: Path) -> Model:
    """A model that answers what the scene's agent does, and when that is over fails in words.

    Raises:
        HarnessError: the scene cannot be read, or something in it is wrong.
    """
    scene = load(file.expanduser())

    def over() -> Answer:
        raise ModelFault(
            "unavailable",
            f"The scene is over: all answers of “{scene.title}” were given. Choose another model to go on.",
        )

    return KnownAnswers(f"scripted:{file}", "scripted", answers_in(scene), over, scene.pace)


def answers_in(scene: Scene) -> tuple[Answer, ...]:
    """The answers of a scene's agent, in order: steps of one message are one, and a step without one stands alone."""
    groups: dict[str | int, list[Step]] = {}
    for number, step in enumerate(scene.steps):
        if step.act.actor == "agent":
            message = step.act.message
            groups.setdefault(number if message is None else message, []).append(step)
    return tuple(_answer(steps) for steps in groups.values())


def _answer(steps: list[Step]) -> Answer:
    calls = tuple(ModelCall(step.act.name, step.act.input) for step in steps if isinstance(step.act, Act))
    ends: list[EarlyEnd] = [step.finish for step in steps if step.finish is not None]
    finish: Finish = ends[-1] if ends else "calls" if calls else "stop"
    return Answer(
        text="\n\n".join(step.act.text for step in steps if isinstance(step.act, Say)),
        calls=calls,
        finish=finish,
        thinking=tuple(Thought(text) for step in steps for text in step.thinking),
    )
