"""Writes models that the libraries kept for run time cannot read as OpenVINO IR."""

import pathlib

import openvino
from mediapipe_operations import transposed_convolution
from openvino.frontend import ConversionExtension
from picodet import person_detector


def convert_to_ir(source: pathlib.Path, xml: pathlib.Path, cut: list[str]) -> None:
    """Converts `source`, without the outputs called `cut` and what only they need."""
    core = openvino.Core()
    core.add_extension(ConversionExtension("Convolution2DTransposeBias", transposed_convolution))
    model = core.read_model(source)
    if source.suffix == ".pdmodel":
        model = person_detector(model)
    if cut:
        model = without(model, cut)
    fix_batch(model)
    openvino.save_model(model, xml, compress_to_fp16=False)


def without(model: openvino.Model, cut: list[str]) -> openvino.Model:
    """The model with those outputs that are not called `cut`."""
    kept = [output.get_node() for output in model.outputs if output.any_name not in cut]
    return openvino.Model(kept, model.get_parameters(), model.get_friendly_name())


def fix_batch(model: openvino.Model) -> None:
    """A batch that the file leaves open becomes 1: a model of fixed size is compiled without being read first."""
    shape = model.input().partial_shape
    if shape[0].is_dynamic and all(length.is_static for length in list(shape)[1:]):
        model.reshape([1, *list(shape)[1:]])
