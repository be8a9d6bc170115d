"""Makes the int8 version of MODNet, and keeps it if it is as good as the original and faster.

usage: quantize.py MODELS FRAMES OUT

MODELS holds the original with its manifest, FRAMES raw pictures of the demo media. The version and its manifest are
written to OUT; a file `kept-off` with the reason takes their place when a check fails.
"""

import hashlib
import json
import pathlib
import sys
import time

import nncf
import numpy as np
import openvino
from calibration import inputs
from modnet import backbone, split_normalizations

#: The mean difference of alpha, 0...1, to the original's that is allowed. Measured: .004, most of it in cuts that show
#: parts of people before the patterned wall.
LARGEST_ERROR = 0.01
#: How many times as fast it must be. Measured on one thread with AMX: 3.3.
LEAST_SPEED = 1.3
#: Every so many-th calibration input is for the checks.
CHECKED = 8
#: Runs whose fastest counts, since other work on the machine only slows.
RUNS = 6


def main(models: pathlib.Path, frames: pathlib.Path, out: pathlib.Path) -> None:
    manifest = json.loads((models / "modnet.json").read_text())
    core = openvino.Core()
    original = core.read_model(models / manifest["file"])
    samples = inputs(frames)
    quantized = quantize(core.read_model(models / manifest["file"]), samples)
    error, speed = compare(core, original, quantized, samples[::CHECKED])
    print(f"error {error:.4f}, {speed:.1f} times as fast")
    if error > LARGEST_ERROR or speed < LEAST_SPEED:
        (out / "kept-off").write_text(
            f"its masks differ by {error:.4f} (at most {LARGEST_ERROR}) and it is {speed:.1f} times as fast "
            f"(at least {LEAST_SPEED})\n")
    else:
        save(quantized, manifest, out)


def quantize(modnet: openvino.Model, samples: list[np.ndarray]) -> openvino.Model:
    """MODNet in int8, but for its backbone, whose small errors grow to a flicker of the whole matte."""
    split = split_normalizations(modnet)
    exact = nncf.IgnoredScope(names=backbone(split))
    return nncf.quantize(
        split, nncf.Dataset(samples), preset=nncf.QuantizationPreset.MIXED, subset_size=len(samples),
        ignored_scope=exact)


def compare(
    core: openvino.Core, original: openvino.Model, quantized: openvino.Model, samples: list[np.ndarray]
) -> tuple[float, float]:
    """Mean absolute difference of the outputs, and the original's time through the quantized one's."""
    requests = [compiled(core, model) for model in (original, quantized)]
    errors, ratios = [], []
    for sample in samples:
        alphas, times = [], []
        for request in requests:
            times.append(min(timed(request, sample) for _ in range(RUNS)))
            alphas.append(request.get_output_tensor(0).data.copy())
        errors.append(np.abs(alphas[0] - alphas[1]).mean())
        ratios.append(times[0] / times[1])
    return float(np.mean(errors)), float(np.median(ratios))


def compiled(core: openvino.Core, model: openvino.Model) -> openvino.InferRequest:
    options = {"INFERENCE_PRECISION_HINT": "f32", "INFERENCE_NUM_THREADS": "1", "NUM_STREAMS": "1"}
    return core.compile_model(model, "CPU", options).create_infer_request()


def timed(request: openvino.InferRequest, sample: np.ndarray) -> float:
    start = time.perf_counter()
    request.infer({0: sample})
    return time.perf_counter() - start


def save(model: openvino.Model, manifest: dict, out: pathlib.Path) -> None:
    openvino.save_model(model, out / "modnet.xml", compress_to_fp16=False)
    files = [{"name": name, **facts(out / name)} for name in ("modnet.xml", "modnet.bin")]
    described = {**manifest, "file": "modnet.xml", "weights": "modnet.bin", "files": files, "precision": "int8"}
    (out / "modnet.json").write_text(json.dumps(described, indent=2) + "\n")


def facts(file: pathlib.Path) -> dict:
    data = file.read_bytes()
    return {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}


if __name__ == "__main__":
    main(*map(pathlib.Path, sys.argv[1:]))
