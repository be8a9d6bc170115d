"""What other programs find in a folder of pictures, in the same form as what the elements find."""
import subprocess
from pathlib import Path

from gstreamer import EvaluationError, Pipeline, contents, decode, grid_sample, pictures_in, size, write_png
from masks import scale
from scorer import PRIVATE

HERE = Path(__file__).resolve().parent
#: Side of the pictures that peer_u2net.py takes.
SIDE = 320


def evaluate(arguments):
    """Runs `Tests/evaluate peer`."""
    if arguments.kind == "subjects":
        return subjects(arguments.input, arguments.output)
    if arguments.kind == "rvm":
        return rvm(arguments.input, arguments.output, arguments.video)
    python = PRIVATE / "peers" / "bin" / "python"
    if not python.exists():
        raise EvaluationError("MediaPipe is not installed: pipelines/bench --peers installs it.")
    program = HERE / "peer_mediapipe.py"
    options = ["--video"] if arguments.video else []
    return subprocess.run(
        [python, "-B", program, arguments.kind, arguments.input, arguments.output, *options]).returncode


def rvm(pictures, output, is_video):
    """Masks by RVM alone, with a longer side of 512 pixels inside. It remembers the last frame, so a photo is shown twice."""
    python, models = PRIVATE / "peers" / "bin" / "python", PRIVATE / "models-optional"
    if not (python.exists() and (models / "rvm.xml").exists()):
        raise EvaluationError("RVM is not installed: pipelines/setup --with-rvm and then pipelines/bench --peers install it.")
    program = HERE.parent.parent / "pipelines" / "benchmarks" / "peer_segmenters.py"
    how = "--video" if is_video else "--twice"
    return subprocess.run([python, "-B", program, "rvm512", models, pictures, output, how]).returncode


def subjects(pictures, output):
    """Masks by U2-Net's small version alone."""
    python, model = PRIVATE / "venv" / "bin" / "python", PRIVATE / "models" / "u2netp.xml"
    if not (python.exists() and model.exists()):
        raise EvaluationError("U2-Net is not installed: pipelines/setup installs it.")
    output.mkdir(parents=True, exist_ok=True)
    with subprocess.Popen(
            [python, "-B", HERE / "peer_u2net.py", model], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        for path in pictures_in(pictures):
            frame = decode(path)
            process.stdin.write(squeezed(frame))
            process.stdin.flush()
            coverage = process.stdout.read(SIDE * SIDE)
            if len(coverage) < SIDE * SIDE:
                raise EvaluationError(f"U2-Net gave no mask of {path}.")
            write_png(scale(grid_sample(coverage, "GRAY8", SIDE, SIDE), *size(frame.get_caps())), output / (path.stem + ".png"))
    return 0


def squeezed(frame):
    """The bytes of the picture at the size that the model takes."""
    scaler = Pipeline("appsrc name=in format=time ! videoconvert ! videoscale add-borders=false ! "
                      f"video/x-raw,format=RGB,width={SIDE},height={SIDE},pixel-aspect-ratio=1/1 ! appsink name=out sync=false")
    scaler.push(frame)
    rows = contents(scaler.pull("a picture could not be scaled").get_buffer())
    scaler.stop()
    return rows
