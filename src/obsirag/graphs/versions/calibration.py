"""From a reranker's scores to relevance, 0 to 1."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from math import exp
from pathlib import Path

import numpy as np
from pydantic import FiniteFloat, TypeAdapter, ValidationError

from obsirag.errors import ConfigError

__all__ = ["FEWEST_PAIRS", "Logistic", "fit_logistic", "read_calibration"]

FEWEST_PAIRS = 10
"""From fewer labels a mapping would be a guess."""
_ROUNDS = 100
_PRECISE = 1e-10
_PAIRS = TypeAdapter(list[tuple[FiniteFloat, bool]])


@dataclass(frozen=True, slots=True)
class Logistic:
    """The logistic curve ``1 / (1 + exp(-(slope × score + intercept)))``.

    Args:
        slope: How steep it is, over 0.
        intercept: Its exponent where the score is 0.
    """

    slope: float = 1.0
    intercept: float = 0.0

    def __call__(self, score: float) -> float:
        """Return how relevant a text with this score is, 0 to 1."""
        exponent = self.slope * score + self.intercept
        if exponent >= 0:
            return 1 / (1 + exp(-exponent))
        return exp(exponent) / (1 + exp(exponent))


def read_calibration(file: Path) -> Logistic:
    """Return the curve that fits people's labels.

    Args:
        file: JSON: a list of ``[score, label]``, the label ``true`` or ``false`` (or 1 or 0): whether the text helped.

    Raises:
        ConfigError: If the file cannot be read, or no curve can be fitted to it.
    """
    try:
        pairs = _PAIRS.validate_python(json.loads(file.read_text(encoding="utf-8-sig")))
        return fit_logistic([score for score, _ in pairs], [label for _, label in pairs])
    except OSError as error:
        raise ConfigError(f"calibration: {file} cannot be read: {error.strerror or error}") from error
    except ValidationError as error:
        fault = error.errors(include_input=False, include_url=False)[0]
        place = ".".join(map(str, fault["loc"])) or "the whole"
        raise ConfigError(
            f"calibration: {file} must hold a list of [score, label] with labels true or false; {place}: {fault['msg']}"
        ) from None
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"calibration: {file}: {error}") from error


def fit_logistic(scores: Sequence[float], labels: Sequence[bool]) -> Logistic:
    """Return the curve that fits labels best, by maximum likelihood.

    As Platt proposed it ("Probabilistic outputs for support vector machines", 1999): the labels are drawn a little
    towards each other, so that scores that part them wholly don't make a step of the curve.

    Args:
        scores: Finite scores.
        labels: Whether the text helped, one for each.

    Raises:
        ValueError: If there are too few, all are alike, or higher scores don't go with helpful texts.
    """
    helped = np.asarray(labels, dtype=bool)
    values = np.asarray(scores, dtype=np.float64)
    yes, no = int(helped.sum()), int((~helped).sum())
    if yes + no < FEWEST_PAIRS or not yes or not no:
        raise ValueError(
            f"{FEWEST_PAIRS} labels at least are needed, of both kinds; there are {yes} true and {no} false"
        )
    centre, spread = float(values.mean()), float(values.std())
    if not np.isfinite(spread) or spread <= 0:
        raise ValueError("all scores are the same, or too large to reckon with")
    targets = np.where(helped, (yes + 1) / (yes + 2), 1 / (no + 2))
    slope, intercept = _newton((values - centre) / spread, targets)
    if slope <= 0:
        raise ValueError("texts with higher scores were not labelled true more often")
    return Logistic(slope / spread, intercept - slope * centre / spread)


def _newton(values: np.ndarray, targets: np.ndarray) -> tuple[float, float]:
    """Return slope and intercept of least loss; the loss is convex, and each step makes it smaller."""
    columns = np.stack([values, np.ones_like(values)], axis=1)
    weights = np.zeros(2)

    def loss(at: np.ndarray) -> float:
        exponents = columns @ at
        return float(np.sum(np.logaddexp(0.0, exponents) - targets * exponents))

    for _ in range(_ROUNDS):
        shares = 1 / (1 + np.exp(-np.clip(columns @ weights, -500, 500)))
        gradient = columns.T @ (shares - targets)
        if np.abs(gradient).max() <= _PRECISE * len(values):
            break
        curvature = columns.T @ (columns * (shares * (1 - shares))[:, None]) + 1e-12 * np.eye(2)
        step = np.linalg.solve(curvature, gradient)
        size = 1.0
        while size > _PRECISE and loss(weights - size * step) > loss(weights) - 1e-4 * size * float(gradient @ step):
            size /= 2
        weights = weights - size * step
    return float(weights[0]), float(weights[1])
