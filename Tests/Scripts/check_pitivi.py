"""Adds the effect "Person background" to a clip in the editor Pitivi, and judges the frames that Pitivi shows.

    check_pitivi.py CLIP BACKGROUND       (a video with people, and a picture)

Pitivi runs on a screen of its own. The effect is added as a double click in Pitivi's list of effects adds it.
"""
import os
import pathlib
import runpy
import subprocess
import sys
import tempfile
import traceback

import gi
import numpy
from PIL import Image

gi.require_version("Gst", "1.0")
gi.require_version("GES", "1.0")
gi.require_version("Gtk", "3.0")
from gi.repository import GES, Gio, GLib, Gst  # noqa: E402

SIZE = (640, 360)
# Far more than Pitivi takes to start on a busy machine.
LIMIT_SECONDS = 600
# From one step to the next, in which Pitivi goes on.
STEP_MILLISECONDS = 200


def main():
    if os.environ.get("CHECK_PITIVI_FOLDER"):
        return inside(pathlib.Path(os.environ["CHECK_PITIVI_FOLDER"]), sys.argv[2])
    with tempfile.TemporaryDirectory() as folder:
        write_project(pathlib.Path(sys.argv[1]).resolve().as_uri(), f"file://{folder}/project.xges")
        # Settings and running programs of the user have no part in it.
        environment = {**os.environ, "CHECK_PITIVI_FOLDER": folder, "HOME": folder, "XDG_RUNTIME_DIR": folder, "NO_AT_BRIDGE": "1"}
        words = ["xvfb-run", "-a", "-s", "-screen 0 1400x900x24", "dbus-run-session", "--", sys.executable, __file__, *sys.argv[1:]]
        done = subprocess.run(words, env=environment, timeout=LIMIT_SECONDS, capture_output=True, text=True, errors="replace")
        assert done.returncode == 0, f"Pitivi ended with {done.returncode}:\n{done.stderr[-4000:]}"
        judge(pathlib.Path(folder), sys.argv[2])


def write_project(clip, project):
    """Writes a project of one clip."""
    Gst.init(None)
    GES.init()
    timeline = GES.Timeline.new_audio_video()
    timeline.append_layer().add_clip(GES.UriClip.new(clip))
    timeline.commit()
    timeline.get_asset().save(timeline, project, None, True)


# MARK: - In Pitivi's process


def inside(folder, background):
    """Runs Pitivi with a project, and the steps beside it."""
    steps = use_effect(folder, background)

    def step():
        try:
            next(steps)
            GLib.timeout_add(STEP_MILLISECONDS, step)
        except StopIteration:
            os._exit(0)
        except Exception:
            traceback.print_exc()
            os._exit(1)

    GLib.timeout_add(STEP_MILLISECONDS, step)
    sys.argv = ["pitivi", str(folder / "project.xges")]
    runpy.run_path("/usr/bin/pitivi", run_name="__main__")


def use_effect(folder, background):
    """Adds the effect to the clip; each `yield` lets Pitivi go on."""
    while not is_open(app := Gio.Application.get_default()):
        yield
    from pitivi.utils.timeline import SELECT

    listed = {factory.get_name() for factory in app.effects.video_effects}
    assert "personbackground" in listed and app.effects.get_info("personbackground").human_name == "Person Background"
    clip = clips(app)[0]
    yield from shown(app, folder / "before.png")
    app.gui.editor.timeline_ui.timeline.selection.set_selection([clip], SELECT)
    app.gui.editor.effectlist.apply_effect("personbackground")
    [effect] = clip.get_top_effects()
    # The panel of the effect's settings, as Pitivi makes it for the selected clip.
    panel = app.gui.editor.clipconfig.effect_expander.effects_properties_manager.get_effect_configuration_ui(effect)
    widgets = {prop.name: widget for prop, widget in panel.properties.items()}
    assert len(widgets) > 30, f"settings: {sorted(widgets)}"
    widgets["quality"].set_widget_value(0)
    yield from shown(app, folder / "cut.png")
    widgets["background"].set_widget_value(background)
    yield from shown(app, folder / "background.png")
    assert int(effect.get_child_property("quality").value) == 0


def is_open(app):
    """Whether Pitivi shows the project's clip."""
    project = getattr(app, "project_manager", None) and app.project_manager.current_project
    return bool(project and project.pipeline and app.gui and clips(app) and getattr(clips(app)[0], "ui", None))


def clips(app):
    timeline = app.gui.editor.timeline_ui.timeline.ges_timeline
    return [clip for layer in timeline.get_layers() for clip in layer.get_clips()] if timeline else []


def shown(app, path):
    """Writes the frame that Pitivi shows, once it has been made anew."""
    pipeline = app.project_manager.current_project.pipeline
    # Pictures and models are loaded beside the frames.
    for number in range(50):
        if number % 10 == 0:
            pipeline.flush_seek()
        yield
    while pipeline.get_state(0)[:2] != (Gst.StateChangeReturn.SUCCESS, Gst.State.PAUSED):
        yield
    pipeline.save_thumbnail(*SIZE, "image/png", str(path))


# MARK: - Pixels


def judge(folder, background):
    """Compares the frames in the corners, which show the room, and where the clip's people are."""
    before, cut, replaced = (pixels(folder / f"{name}.png") for name in ("before", "cut", "background"))
    top = numpy.s_[8:40]
    inside_clip = numpy.abs(before[top]).sum((0, 2)) > 0
    assert before[top][:, inside_clip].mean() > 60, "Pitivi shows no clip"
    assert cut[top][:, inside_clip].mean() < 20, "the room is still there"
    assert replaced[top][:, inside_clip].std() > 10, f"no background: {background}"
    people = numpy.abs(cut - before).max(2) < 24
    people &= before.sum(2) > 60
    assert people.mean() > 0.1, "nobody is shown"
    assert numpy.abs(replaced - before)[people].mean() < 16, "people differ before the background"
    print(f"people cover {people.mean():.2f} of the frame")


def pixels(path):
    return numpy.asarray(Image.open(path).convert("RGB")).astype(int)


main()
