"""Runs a program with the effect on a screen of its own, until it shows a person before a background of one colour.

    check_screen.py cheese PORTRAIT         (HOME has the effect "People: forest", as docs/embedding.md puts it there)
    check_screen.py vimix PORTRAIT LINE     (the line of the source in a session)

A picture stands in for the camera: a plugin of GStreamer lists it as a device. The effect's background is replaced.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
from xml.sax.saxutils import escape

import numpy
from PIL import Image

SCRIPTS = pathlib.Path(__file__).resolve().parent
SCREEN = "1024x768"
# Far more than a program takes to start on a busy machine.
LIMIT_SECONDS = 300
BACKGROUND = (255, 0, 255)


def main():
    program, portrait, *lines = sys.argv[1:]
    if os.environ.get("CHECK_SCREEN"):
        return watch(program, pathlib.Path(os.environ["CHECK_SCREEN"]))
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        Image.new("RGB", (64, 48), BACKGROUND).save(folder / "plain.png")
        camera = f"multifilesrc location={portrait} loop=true caps=image/png,framerate=15/1 ! pngdec"
        {"cheese": prepare_cheese, "vimix": prepare_vimix}[program](folder, camera, *lines)
        environment = {
            **os.environ, "CHECK_SCREEN": name, "XDG_CONFIG_HOME": name, "XDG_RUNTIME_DIR": name, "NO_AT_BRIDGE": "1",
            "GSETTINGS_BACKEND": "keyfile", "GST_PLUGIN_PATH": f"{name}:{os.environ['GST_PLUGIN_PATH']}", "FAKE_CAMERA": camera}
        words = ["xvfb-run", "-a", "-s", f"-screen 0 {SCREEN}x24", "dbus-run-session", "--", sys.executable, __file__, *sys.argv[1:]]
        sys.exit(subprocess.run(words, env=environment, check=False).returncode)


def prepare_cheese(folder, _camera):
    """Compiles the camera, and chooses the effect."""
    flags = subprocess.run(["pkg-config", "--cflags", "--libs", "gstreamer-1.0"], check=True, capture_output=True, text=True).stdout
    words = ["cc", "-shared", "-fPIC", SCRIPTS / "fake_camera.c", "-o", folder / "libfakecamera.so", *flags.split()]
    subprocess.run(words, check=True)
    effect = pathlib.Path.home() / ".local/share/gnome-video-effects/people-forest.effect"
    text = effect.read_text(encoding="utf-8")
    effect.write_text(re.sub(r"background=\S+", f"background={folder}/plain.png", text), encoding="utf-8")
    settings = folder / "glib-2.0/settings/keyfile"
    settings.parent.mkdir(parents=True)
    name = re.search(r"^Name=(.*)$", text, re.MULTILINE)[1]
    settings.write_text(f"[org/gnome/cheese]\nselected-effect='{name}'\n", encoding="utf-8")


def prepare_vimix(folder, camera, line):
    """Writes a session of one source, in the middle, where it is shown fully."""
    line = line.replace("v4l2src", f"{camera} ! videoconvert").replace("blur=40", f"background={folder}/plain.png")
    (folder / "session.mix").write_text(f"""<vimix major="0" minor="3" size="1" total="1"/>
<Session activationThreshold="1.4">
  <Source id="1" name="people" locked="0" type="GenericStreamSource">
    <Mixing><Node visible="true">
      <translation><vec3 x="0" y="0" z="0"/></translation><scale><vec3 x="0.15" y="0.15" z="1"/></scale>
    </Node></Mixing>
    <Description>{escape(line)}</Description>
  </Source>
</Session>
""", encoding="utf-8")


def watch(program, folder):
    """Runs the program until it shows the person before the background."""
    words = {"cheese": ["cheese"], "vimix": ["vimix", folder / "session.mix"]}[program]
    with (folder / "log").open("w") as log, subprocess.Popen(words, stdout=log, stderr=log) as process:
        try:
            end = time.monotonic() + LIMIT_SECONDS
            while not is_replaced(screen(folder)):
                assert process.poll() is None and time.monotonic() < end, (folder / "log").read_text(errors="replace")[-4000:]
                time.sleep(1)
        finally:
            process.terminate()


def screen(folder):
    """The pixels of the screen."""
    grab = ["ffmpeg", "-loglevel", "error", "-y", "-f", "x11grab", "-video_size", SCREEN, "-i", os.environ["DISPLAY"], "-frames:v", "1"]
    subprocess.run([*grab, folder / "screen.png"], check=True)
    return numpy.asarray(Image.open(folder / "screen.png").convert("RGB")).astype(int)


def is_replaced(pixels):
    """Whether the screen shows the background's colour, and the person, whose suit is orange."""
    background = numpy.abs(pixels - BACKGROUND).max(2) < 24
    red, green, blue = numpy.moveaxis(pixels, 2, 0)
    suit = (red > 180) & (green > 50) & (green < 140) & (blue < 110)
    # Parts of the whole screen, of which the picture takes a sixtieth in vimix, and a third in Cheese.
    return background.mean() > 0.005 and suit.mean() > 0.002


main()
