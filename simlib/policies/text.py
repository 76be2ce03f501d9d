"""The text form of policies: ``name:key=value,key=value``, lists of them, and ``path.py::name``.

In a list a piece that has ``=`` and no ``:`` continues the policy before it; a policy as a value stands in brackets.
"""

from __future__ import annotations

import importlib.util
import pathlib
from typing import Any

from simlib.policies.base import Policy


def _split(text: str, separator: str) -> list[str]:
    """Split at a separator outside brackets."""
    parts, depth, start = [], 0, 0
    for i, char in enumerate(text):
        depth += (char == "[") - (char == "]")
        if depth < 0:
            raise ValueError(f"policy text {text!r}: ']' without '['")
        if char == separator and depth == 0:
            parts.append(text[start:i])
            start = i + 1
    if depth:
        raise ValueError(f"policy text {text!r}: '[' without ']'")
    return [*parts, text[start:]]


def split_policies(text: str) -> list[str]:
    """Split a comma-separated list of policies into their texts.

    Examples
    --------
    >>> split_policies("tips:a=1,b=2,greedy,lookahead:playout=[tips:a=0,b=1]")
    ['tips:a=1,b=2', 'greedy', 'lookahead:playout=[tips:a=0,b=1]']
    """
    out: list[str] = []
    for piece in _split(text, ","):
        if not piece.strip():
            raise ValueError(f"policies {text!r}: an empty name between commas")
        continues = len(_split(piece, "=")) > 1 and len(_split(piece, ":")) == 1
        if continues and not out:
            raise ValueError(f"policies {text!r}: {piece!r} sets a parameter, but no policy stands before it")
        if continues:
            out[-1] += "," + piece.strip()
        else:
            out.append(piece.strip())
    return [_with_colon(piece) for piece in out]


def _with_colon(piece: str) -> str:
    """Let ``tips,a=1`` mean ``tips:a=1``."""
    first, *rest = _split(piece, ",")
    if rest and len(_split(first.rsplit("::", 1)[-1], ":")) == 1:
        return first + ":" + ",".join(rest)
    return piece


def parse_policy(game: str, text: str) -> Policy:
    """Return the policy that a text names.

    Raises
    ------
    ValueError
        For an unknown name or parameter (with a suggestion), or text that is not of the form.
    """
    from simlib.policies import find

    text = text.strip()
    if text.startswith("[") and text.endswith("]"):
        text = text[1:-1].strip()
    text = text.removeprefix(game + "/")
    path, mark, rest = text.rpartition("::") if "::" in text.split("[", 1)[0] else ("", "", text)
    name, *values = _split(rest, ":")
    if len(values) > 1:
        raise ValueError(f"policy text {text!r}: more than one ':'")
    base = _from_file(game, path, name) if mark else find(game, name.strip())
    return base.with_params(**_pairs(text, values[0])) if values else base


def _pairs(text: str, body: str) -> dict[str, Any]:
    """Parse ``key=value,key=value``."""
    pairs: dict[str, Any] = {}
    for piece in _split(body, ","):
        key, *value = _split(piece, "=")
        if not key.strip() or len(value) != 1 or not value[0].strip():
            raise ValueError(f"policy text {text!r}: {piece!r} is not of the form key=value")
        pairs[key.strip()] = value[0].strip()
    return pairs


def _from_file(game: str, path: str, name: str) -> Policy:
    """Import a user's file and return the policy of that name in it."""
    file = pathlib.Path(path)
    if not file.is_file():
        raise ValueError(f"policy {path}::{name}: there is no file {path!r}")
    spec = importlib.util.spec_from_file_location(f"simlib_user_{file.stem}", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise ValueError(
            f"policy {path}::{name}: importing the file failed: {type(error).__name__}: {error}"
        ) from error
    found = getattr(module, name, None)
    if not isinstance(found, Policy):
        known = [k for k, v in vars(module).items() if isinstance(v, Policy)]
        raise ValueError(
            f"policy {path}::{name}: the file has no policy {name!r}; it has: {', '.join(known) or 'none'}"
        )
    if found.game != game:
        raise ValueError(f"policy {path}::{name} plays {found.game}, not {game}")
    return Policy(f"{path}::{name}", game, found.function, found.parameters, found.params, found.vector, found.code)
