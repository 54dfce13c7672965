"""Presets fill in what a configuration leaves open."""

from typing import get_args

import pytest

from obsirag.config import RagConfig, load_config, with_preset

PRESETS = get_args(RagConfig.model_fields["preset"].annotation)


def config(**values):
    return RagConfig(vault="notes", index="index", **values)


@pytest.mark.parametrize("preset", PRESETS)
def test_a_preset_settles_every_setting_that_is_left_to_it(preset):
    settled = with_preset(config(preset=preset))
    assert None not in (settled.conversation.rewrite, settled.grading.enabled, settled.aspects.enabled)


def test_presets_differ():
    settled = [with_preset(config(preset=preset)).model_copy(update={"preset": ""}) for preset in PRESETS]
    assert all(one != other for index, one in enumerate(settled) for other in settled[:index])


@pytest.mark.parametrize("preset", PRESETS)
def test_own_settings_win(preset):
    own = config(
        preset=preset, grading={"enabled": preset == "naive", "max_rewrites": 1}, conversation={"max_turns": 9}
    )
    settled = with_preset(own)
    assert settled.grading.enabled is (preset == "naive")
    assert (settled.grading.max_rewrites, settled.conversation.max_turns) == (1, 9)


def test_a_setting_that_is_null_is_left_to_the_preset():
    assert with_preset(config(preset="naive", grading={"enabled": None})).grading.enabled is False


def test_a_copy_with_another_preset_has_its_settings():
    copy = config().model_copy(update={"preset": "naive"})
    assert with_preset(copy).grading.enabled is False


def test_the_configuration_itself_stays_as_it_was():
    own = config(preset="naive")
    with_preset(own)
    assert own.grading.enabled is None


def test_settling_twice_changes_nothing():
    once = with_preset(config(preset="aspects", grading={"first": 1}))
    assert with_preset(once) == once


def test_a_bare_off_in_yaml_is_off(tmp_path):
    file = tmp_path / "obsirag.yaml"
    file.write_text("vault: notes\nindex: index\npreset: enterprise\nreview: {mode: off}\n", encoding="utf-8")
    assert with_preset(load_config(file)).review.mode == "off"
