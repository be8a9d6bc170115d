"""Makes int8 versions of networks, and keeps those that are as good as the originals and faster.

usage: quantize.py MODELS FRAMES OUT

MODELS holds the originals with their manifests, FRAMES a folder with raw pictures of the demo media for each network.
The versions and their manifests are written to OUT; the file `kept-off` there says which have failed a check, and why.
"""

import functools
import hashlib
import json
import pathlib
import sys
import time
from collections.abc import Callable
from typing import NamedTuple

import nncf
import numpy as np
import openvino
from calibration import cuts, squares
from mobile_sam import coverage, float_convolutions
from modnet import backbone, split_normalizations
from u2net import exact

#: How many times as fast it must be. Measured on one thread: MODNet 3.3 and U2-Net 3.4 with AMX, MobileSAM 2.0 without it.
LEAST_SPEED = 1.3
#: Runs whose fastest counts, since other work on the machine only slows.
RUNS = 3

#: NNCF uses SmoothQuant for transformers unless told.
WITHOUT_SMOOTH_QUANT = nncf.AdvancedSmoothQuantParameters(matmul=-1, convolution=-1)


class Recipe(NamedTuple):
    """How a network is quantized."""

    #: Makes calibration inputs of a folder of raw pictures.
    inputs: Callable[[pathlib.Path], list[np.ndarray]]
    #: Rewrites the network into an equal one that int8 arithmetic suits better.
    rewrite: Callable[[openvino.Model], openvino.Model]
    #: Names of the operations that stay in floats.
    exact: Callable[[openvino.Model], list[str]]
    #: Whether the biases of layers are corrected for the mean error of their outputs on the calibration inputs.
    corrects_biases: bool
    #: Every so many-th calibration input is for the checks.
    checked: int
    #: The mean difference of alpha, 0...1, to the original's that is allowed.
    largest_error: float
    #: Makes alpha of the network's output; for this, the folder of the models is given.
    alpha: Callable[[pathlib.Path, np.ndarray], np.ndarray] = lambda models, output: output
    #: Kinds of networks that NNCF knows.
    model_type: nncf.ModelType | None = None


RECIPES = {
    # The small errors of the backbone grow to a flicker of the whole matte.
    # Measured: .004, most of it in cuts that show parts of people before the patterned wall.
    "modnet": Recipe(cuts, split_normalizations, backbone, True, 8, 0.01),
    # Corrections that were fitted to a dozen inputs make others worse: .015 instead of .004 on 32 pictures.
    # Measured: .007 on these frames, in which it is uncertain what stands out. On 24 street photos .0015, on 14
    # portraits .007, with the same error against the truth as the original's: .0352 and .0353, .106 and .107.
    "u2netp": Recipe(squares, lambda model: model, exact, False, 4, 0.02),
    # The embedding's relative error is .043, at .5 of the time in floats. With all convolutions in floats it is .026, at .65,
    # and IoU on large people of 25 and 14 photos of COCO is .787 and .703 instead of .783 and .704.
    "mobile_sam_encoder": Recipe(
        squares, lambda model: model, float_convolutions, False, 6, 0.015, coverage, nncf.ModelType.TRANSFORMER),
}


def main(models: pathlib.Path, frames: pathlib.Path, out: pathlib.Path) -> None:
    kept_off = ""
    for name, recipe in RECIPES.items():
        manifest = json.loads((models / f"{name}.json").read_text())
        core = openvino.Core()
        original = core.read_model(models / manifest["file"])
        samples = recipe.inputs(frames / name)
        quantized = quantize(core.read_model(models / manifest["file"]), samples, recipe)
        alpha = functools.partial(recipe.alpha, models)
        error, speed = compare(core, original, quantized, samples[:: recipe.checked], alpha)
        print(f"{name}: error {error:.4f}, {speed:.1f} times as fast")
        if error > recipe.largest_error or speed < LEAST_SPEED:
            kept_off += (
                f"{name}: its masks differ by {error:.4f} (at most {recipe.largest_error}) and it is "
                f"{speed:.1f} times as fast (at least {LEAST_SPEED})\n")
        else:
            save(quantized, name, manifest, out)
    if kept_off:
        (out / "kept-off").write_text(kept_off)


def quantize(model: openvino.Model, samples: list[np.ndarray], recipe: Recipe) -> openvino.Model:
    """The network in int8 as the recipe says; changes `model` itself."""
    rewritten = recipe.rewrite(model)
    return nncf.quantize(
        rewritten, nncf.Dataset(samples), preset=nncf.QuantizationPreset.MIXED, subset_size=len(samples),
        model_type=recipe.model_type,
        ignored_scope=nncf.IgnoredScope(names=recipe.exact(rewritten)),
        advanced_parameters=nncf.AdvancedQuantizationParameters(
            disable_bias_correction=not recipe.corrects_biases, smooth_quant_alphas=WITHOUT_SMOOTH_QUANT))


def compare(
    core: openvino.Core, original: openvino.Model, quantized: openvino.Model, samples: list[np.ndarray],
    alpha: Callable[[np.ndarray], np.ndarray],
) -> tuple[float, float]:
    """Mean absolute difference of alpha, and the original's time through the quantized one's."""
    requests = [compiled(core, model) for model in (original, quantized)]
    errors, ratios = [], []
    for sample in samples:
        alphas, times = [], []
        for request in requests:
            times.append(min(timed(request, sample) for _ in range(RUNS)))
            alphas.append(alpha(request.get_output_tensor(0).data).copy())
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


def save(model: openvino.Model, name: str, manifest: dict, out: pathlib.Path) -> None:
    xml, weights = f"{name}.xml", f"{name}.bin"
    openvino.save_model(model, out / xml, compress_to_fp16=False)
    files = [{"name": file, **facts(out / file)} for file in (xml, weights)]
    described = {**manifest, "file": xml, "weights": weights, "files": files, "precision": "int8"}
    (out / f"{name}.json").write_text(json.dumps(described, indent=2) + "\n")


def facts(file: pathlib.Path) -> dict:
    data = file.read_bytes()
    return {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}


if __name__ == "__main__":
    main(*map(pathlib.Path, sys.argv[1:]))
