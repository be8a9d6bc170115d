"""Checks the filter in OBS itself: a scene shows the people of a clip before the scene's own background.

check_obs.py MODULE CLIP FOLDER: needs an X server and ffmpeg. MODULE is a file, or `installed` for the module that OBS has among
its own. FOLDER gets OBS's configuration and log, `scene.png`, and `window.png` with the filter's settings. The last line printed is
JSON: the version of OBS, the share of the scene that is its background, over time, what the filter has logged, OBS's own count of
memory leaks, and its exit status.
"""

import base64
import json
import os
import pathlib
import subprocess
import sys
import time

import obs_client

# As OBS stores colours: alpha, blue, green, red.
WALL = 0xFF00B400
WIDTH, HEIGHT = 640, 360


def take_picture(obs, path, source):
    answer = obs.ask("GetSourceScreenshot", sourceName=source, imageFormat="png", imageWidth=WIDTH, imageHeight=HEIGHT)
    path.write_bytes(base64.b64decode(answer["imageData"].split(",", 1)[1]))


def share_of_wall(path):
    """The share of a picture's pixels that have the wall's colour."""
    line = ["ffmpeg", "-v", "error", "-i", str(path), "-f", "rawvideo", "-pix_fmt", "rgb24", "-"]
    pixels = subprocess.run(line, check=True, stdout=subprocess.PIPE).stdout
    found = sum(
        red < 20 and abs(green - 180) < 20 and blue < 20
        for red, green, blue in zip(pixels[::3], pixels[1::3], pixels[2::3], strict=True)
    )
    return found / (WIDTH * HEIGHT)


def build_scene(obs, clip):
    """Puts the clip, with the filter, before a wall; returns the scene's name."""
    scene = obs.ask("GetSceneList")["currentProgramSceneName"]
    sizes = {"baseWidth": 1280, "baseHeight": 720, "outputWidth": 1280, "outputHeight": 720}
    obs.ask("SetVideoSettings", **sizes, fpsNumerator=30, fpsDenominator=1)
    wall = {"color": WALL, "width": 1280, "height": 720}
    obs.ask("CreateInput", sceneName=scene, inputName="wall", inputKind="color_source_v3", inputSettings=wall)
    item = obs.ask("CreateInput", sceneName=scene, inputName="camera", inputKind="ffmpeg_source", inputSettings={})
    fit = {"boundsType": "OBS_BOUNDS_STRETCH", "boundsWidth": 1280, "boundsHeight": 720}
    obs.ask("SetSceneItemTransform", sceneName=scene, sceneItemId=item["sceneItemId"], sceneItemTransform=fit)
    kind = "gst_people_background"
    obs.ask("CreateSourceFilter", sourceName="camera", filterName="people", filterKind=kind, filterSettings={})
    # No frame has come before the filter.
    media = {"local_file": clip, "looping": True, "hw_decode": False}
    obs.ask("SetInputSettings", inputName="camera", inputSettings=media)
    return scene


def main():
    module, clip, folder = sys.argv[1:]
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    obs = obs_client.OBS(folder, None if module == "installed" else module)
    scene = build_scene(obs, clip)
    shares = []
    end = time.monotonic() + obs_client.PATIENCE
    # Three people take up about half of the clip; all is wall while models are loaded.
    while time.monotonic() < end and not (shares and 0.2 < shares[-1] < 0.7):
        time.sleep(0.5)
        take_picture(obs, folder / "scene.png", scene)
        shares.append(round(share_of_wall(folder / "scene.png"), 3))
    obs.ask("OpenInputFiltersDialog", inputName="camera")
    time.sleep(2)
    grab = ["ffmpeg", "-v", "error", "-f", "x11grab", "-i", os.environ["DISPLAY"], "-frames:v", "1", str(folder / "window.png")]
    subprocess.run(grab, check=True)
    # The filter goes first: OBS 29 can crash if it ends while a window shows a filter, with its own filters too (4 of 60 times).
    obs.ask("RemoveInput", inputName="camera")
    while "source 'camera' destroyed" not in obs.text() and time.monotonic() < end:
        time.sleep(0.5)
    version = obs.ask("GetVersion")["obsVersion"]
    status = obs.close()
    lines = obs.text().splitlines()
    report = {"obs": version, "shares": shares, "status": status}
    report["log"] = [line for line in lines if "[gst-people-obs]" in line]
    report["leaks"] = [int(line.rsplit(" ", 1)[1]) for line in lines if "memory leaks" in line]
    print(json.dumps(report))


main()
