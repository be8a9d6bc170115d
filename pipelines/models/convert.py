"""Writes models that the libraries kept for run time cannot read, or not run as they are, as OpenVINO IR.

usage: convert.py MANIFEST MODEL OUT.xml
"""

import json
import pathlib
import sys

import openvino
from mediapipe_operations import transposed_convolution
from mobile_sam import network
from normalization import taking_pixels
from openvino.frontend import ConversionExtension
from picodet import person_detector
from recurrent import fix_downsampling


def convert_to_ir(manifest: dict, source: pathlib.Path, xml: pathlib.Path) -> None:
    model = read(manifest, source)
    if source.suffix == ".pdmodel":
        model = person_detector(model)
    if "cutOutputs" in manifest:
        model = without(model, manifest["cutOutputs"])
    if manifest.get("normalization") == "ImageNet":
        model = taking_pixels(model)
    if "states" in manifest:
        model = fix_downsampling(model, manifest)
    else:
        fix_batch(model)
    openvino.save_model(model, xml, compress_to_fp16=False)


def read(manifest: dict, source: pathlib.Path) -> openvino.Model:
    if source.suffix == ".pt":
        return network(source, manifest["part"])
    core = openvino.Core()
    core.add_extension(ConversionExtension("Convolution2DTransposeBias", transposed_convolution))
    return core.read_model(source)


def without(model: openvino.Model, cut: list[str]) -> openvino.Model:
    """The model without the outputs called `cut` and what only they need."""
    kept = [output.get_node() for output in model.outputs if output.any_name not in cut]
    return openvino.Model(kept, model.get_parameters(), model.get_friendly_name())


def fix_batch(model: openvino.Model) -> None:
    """A batch that the file leaves open becomes 1: a model of fixed size is compiled without being read first."""
    shape = model.input().partial_shape
    if shape[0].is_dynamic and all(length.is_static for length in list(shape)[1:]):
        model.reshape([1, *list(shape)[1:]])


if __name__ == "__main__":
    arguments = [pathlib.Path(argument) for argument in sys.argv[1:]]
    convert_to_ir(json.loads(arguments[0].read_text()), *arguments[1:])
