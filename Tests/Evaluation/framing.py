"""Videos of a person whose head is at known places, made of a still: what `autoframe` and `gst-people video` show of them."""
import json
import math
import subprocess
import tempfile
from pathlib import Path

import scorer_packages
from gstreamer import EvaluationError, Pipeline

CHECKOUT = Path(__file__).resolve().parent.parent.parent
RATE, SECONDS, WIDTH, HEIGHT = 25, 8, 1280, 720
#: The head in the portrait of 512 x 512 pixels: left, top, right and bottom of hair and face.
HEAD = (152, 14, 302, 190)
#: Of the head's middle, over time t in seconds: x, y and the portrait's scale, in the syntax of ffmpeg and Python. The first
#: person of a clip is the one who is judged, and the largest. Cuts are between the frames of 3.96 and 4 seconds.
CLIPS = {
    "still": [("640", "250", "0.9")],
    "still, small": [("400", "200", "0.45")],
    "still, aside": [("1050", "330", "0.7")],
    "sways": [("640+25*sin(2*t)", "250", "0.9")],
    "nods": [("640+10*sin(3*t)", "250+15*sin(4*t)", "0.9")],
    "drifts": [("600+8*t", "250", "0.8")],
    "walks right": [("250+150*min(max(t-2,0),5)", "230", "0.6")],
    "walks left": [("1030-150*min(max(t-2,0),5)", "230", "0.6")],
    "walks fast": [("250+300*min(max(t-3,0),2.6)", "230", "0.6")],
    "paces": [("640+330*sin(0.9*t)", "230", "0.6")],
    "walks and stops": [("250+160*min(max(t-1,0),2)+160*min(max(t-5,0),2)", "230", "0.6")],
    "comes near": [("640", "250", "0.4+0.1*min(max(t-2,0),5)")],
    "goes away": [("640", "250", "0.9-0.1*min(max(t-2,0),5)")],
    "comes along": [("300+100*min(max(t-1,0),6)", "250", "0.4+0.07*min(max(t-1,0),6)")],
    "sits down": [("640", "200+180*min(max(t-3,0),1)", "0.6")],
    "stands up": [("640", "380-180*min(max(t-3,0),1)", "0.6")],
    "leaves, comes back": [("640+900*lt(2,t)*min(t-2,1)-900*lt(5,t)*min(t-5,1)", "240", "0.6")],
    "cut to the right": [("350+600*lt(3.99,t)", "240", "0.6")],
    "cut to near": [("640", "260", "0.45+0.45*lt(3.99,t)")],
    "two, near": [("480", "240", "0.6"), ("840", "260", "0.5")],
    "two, far apart": [("250", "240", "0.6"), ("1080", "250", "0.45")],
    "one walks past": [("640", "240", "0.7"), ("100+130*t", "200", "0.4")],
    "crowd": [("640", "300", "0.6"), ("250", "220", "0.35"), ("430", "200", "0.3"), ("860", "210", "0.33"),
              ("1060", "230", "0.36")],
    "grainy": [("400+100*min(max(t-2,0),4)", "240", "0.6")],
}
CUTS = {"cut to the right", "cut to near"}


def evaluate(arguments):
    """Runs `Tests/evaluate framing`."""
    rows = {}
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        sprite = cut_out(folder)
        names = [name for name in CLIPS if not arguments.only or any(part in name for part in arguments.only)]
        for name in names or [fail(f"No clip is called {arguments.only[0]}.")]:
            clip = folder / "clip.mp4"
            make(name, sprite, clip)
            for kind, parts in shown(clip, arguments, folder).items():
                rows.setdefault(kind, {})[name] = figures(name, parts)
            if arguments.json:
                arguments.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    print_table(rows)


def shown(clip, arguments, folder):
    """The parts of each frame by each way; pyautoflip only crops, so it is no peer for a closer framing."""
    ways = {
        "live": lambda: live(clip, arguments.framing, arguments.shape),
        "video": lambda: planned(clip, arguments.framing, arguments.shape, folder),
        "centre": lambda: [centre(arguments.shape)] * (RATE * SECONDS),
        "pyautoflip": lambda: pyautoflip(clip, arguments.shape, folder),
    }
    wanted = arguments.way or [way for way in ways if way != "pyautoflip" or not arguments.framing]
    return {way: ways[way]() for way in wanted}


def fail(text):
    raise EvaluationError(text)


def run(*words, **more):
    return subprocess.run([str(word) for word in words], check=True, **more)


# The clips


def cut_out(folder):
    """The person of the packaged portrait without background."""
    portrait = CHECKOUT / ".gst-people/media/astronaut.png"
    run(CHECKOUT / "pipelines/gst-people", "photo", portrait, folder / "person.png", "--transparent", "--quiet")
    return folder / "person.png"


def make(name, sprite, path):
    """Encodes a clip: the portrait before a wall, moved as its expressions say."""
    wall = f"gradients=size={WIDTH}x{HEIGHT}:rate={RATE}:duration={SECONDS}:c0=0x6080a0:c1=0xa09070:speed=0.00001:seed=1"
    if name in CUTS:
        wall += ",hue=h='180*gte(t,4)':b='2*gte(t,4)'"
    people = list(reversed(CLIPS[name]))
    steps = [f"[0]{'noise=alls=25:allf=t,' if name == 'grainy' else ''}format=yuv420p[b0]"]
    middle = ((HEAD[0] + HEAD[2]) / 2, (HEAD[1] + HEAD[3]) / 2)
    for index, (x, y, scale) in enumerate(people):
        steps.append(f"[{index + 1}]scale=w='512*({scale})':h='512*({scale})':eval=frame[p{index}]")
        steps.append(f"[b{index}][p{index}]overlay=x='{x}-{middle[0]}*({scale})':y='{y}-{middle[1]}*({scale})'[b{index + 1}]")
    inputs = [word for _ in people for word in ("-loop", "1", "-framerate", RATE, "-t", SECONDS, "-i", sprite)]
    run("ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", wall, *inputs, "-filter_complex", ";".join(steps),
        "-map", f"[b{len(people)}]", "-frames:v", RATE * SECONDS, "-c:v", "libx264", "-preset", "veryfast", "-crf", "18", path)


def head(name, frame):
    """The box of the judged head in pixels: left, top, right, bottom."""
    names = {key: getattr(math, key) for key in ("sin", "cos")}
    names |= {"min": min, "max": max, "lt": lambda a, b: float(a < b), "t": frame / RATE}
    x, y, scale = (eval(text, {"__builtins__": {}}, names) for text in CLIPS[name][0])
    width, height = (HEAD[2] - HEAD[0]) * scale, (HEAD[3] - HEAD[1]) * scale
    return x - width / 2, y - height / 2, x + width / 2, y + height / 2


# What is shown


def live(clip, framing, shape):
    """The parts that the element shows, as fractions of the frame."""
    choice = f"framing={framing}" if framing else "framing=everyone zoom-max=1"
    pipeline = Pipeline(
        "filesrc name=file ! decodebin ! videoconvert ! facepose max-faces=8 ! "
        f"autoframe {choice} aspect={shape} describe=true ! appsink name=out sync=false", clip)
    parts = []
    for _ in range(RATE * SECONDS):
        buffer = pipeline.pull(f"{clip.name} is not framed").get_buffer()
        fields = buffer.get_custom_meta("GstPeopleFraming").get_structure()
        parts.append([fields.get_double(field)[1] for field in ("x", "y", "width", "height")])
    pipeline.stop()
    return parts


def planned(clip, framing, shape, folder):
    """The parts that `gst-people video` shows."""
    plan = folder / "plan.json"
    choice = [f"--framing={framing}"] if framing else []
    run(CHECKOUT / "pipelines/gst-people", "video", clip, folder / "out.mp4", *choice, f"--reframe={shape}",
        f"--save-plan={plan}", "--force", "--quiet")
    frames = json.loads(plan.read_text(encoding="utf-8"))["frames"]
    return [[frame[field] for field in ("x", "y", "width", "height")] for frame in frames]


def pyautoflip(clip, shape, folder):
    """The parts that pyautoflip shows."""
    program = CHECKOUT / "Tests/Evaluation/peer_pyautoflip.py"
    answer = run(scorer_packages.python("framing"), "-B", program, clip, folder / "peer.mp4", shape,
                 stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return json.loads(answer.stdout)


def centre(shape):
    """The largest part of a shape in the middle."""
    across, down = (float(side) for side in shape.split(":"))
    width = min(1, across / down * HEIGHT / WIDTH)
    height = min(1, down / across * WIDTH / HEIGHT)
    return [(1 - width) / 2, (1 - height) / 2, width, height]


# Figures


def figures(name, parts):
    """Shares of frames in which the head is whole and the picture rests, the largest acceleration and jerk in frame heights per
    second to the second and third, and the mean distance of the head from its place, in heights of the part."""
    if len(parts) != RATE * SECONDS:
        raise EvaluationError(f"{name}: {len(parts)} frames instead of {RATE * SECONDS}")
    boxes = [head(name, frame) for frame in range(len(parts))]
    whole = [b[0] >= 0 and b[1] >= 0 and b[2] <= WIDTH and b[3] <= HEIGHT for b in boxes]
    inside, rests, calm, distances = 0, 0, 0, []
    for frame, (part, box) in enumerate(zip(parts, boxes)):
        left, top = part[0] * WIDTH, part[1] * HEIGHT
        right, bottom = left + part[2] * WIDTH, top + part[3] * HEIGHT
        if whole[frame]:
            # Half a pixel for the rounding of ffmpeg's overlay.
            inside += box[0] >= left - 0.5 and box[1] >= top - 0.5 and box[2] <= right + 0.5 and box[3] <= bottom + 0.5
            distances.append(abs((box[1] + box[3]) / 2 - top - (bottom - top) / 3) / (bottom - top))
        # Near the same place from a second before to a second after, and none of them with a cut.
        near = boxes[max(0, frame - RATE):frame + RATE + 1]
        spans = [max(b[side] for b in near) - min(b[side] for b in near) for side in range(4)]
        if len(near) > 2 * RATE and max(spans) < 0.05 * WIDTH and whole[frame]:
            calm += 1
            rests += max(abs(a - b) for a, b in zip(part, parts[frame - 1])) < 1e-4
    paths = [[(p[0] + p[2] / 2) * WIDTH / HEIGHT, p[1] + p[3] / 2, p[3]] for p in parts]
    cut = RATE * 4 if name in CUTS else None
    pieces = [paths] if cut is None else [paths[:cut - 2], paths[cut + 12:]]
    return {
        "inside": inside / max(1, sum(whole)), "rest": rests / calm if calm else None,
        "acceleration": max(largest(piece, 2) for piece in pieces), "jerk": max(largest(piece, 3) for piece in pieces),
        "distance": sum(distances) / len(distances),
    }


def largest(path, order):
    """The largest difference of an order, per second to that order."""
    for _ in range(order):
        path = [[b - a for a, b in zip(one, other)] for one, other in zip(path, path[1:])]
    return max((math.hypot(*step) for step in path), default=0) * RATE**order


def print_table(rows):
    columns = ("inside", "rest", "acceleration", "jerk", "distance")
    for kind, clips in rows.items():
        print(f"{kind:20} " + " ".join(f"{column:>12}" for column in columns))
        for name, values in clips.items():
            print(f"{name:20} " + " ".join(text(values[column]) for column in columns))
        means = {column: [v[column] for v in clips.values() if v[column] is not None] for column in columns}
        print(f"{'mean':20} " + " ".join(text(sum(v) / len(v) if v else None) for v in means.values()) + "\n")


def text(value):
    return f"{'-':>12}" if value is None else f"{value:12.3f}"
