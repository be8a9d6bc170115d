"""Builds the normalization of ImageNet into networks that were trained with it."""

from openvino import Layout, Model
from openvino.preprocess import PrePostProcessor

#: Of ImageNet's red, green and blue, from 0 to 1.
MEAN = [0.485, 0.456, 0.406]
DEVIATION = [0.229, 0.224, 0.225]


def taking_pixels(model: Model) -> Model:
    """The same network for RGB pixels from 0 to 1 side by side, as a frame has them."""
    steps = PrePostProcessor(model)
    steps.input().tensor().set_layout(Layout("NHWC"))
    steps.input().preprocess().mean(MEAN).scale(DEVIATION)
    steps.input().model().set_layout(Layout("NCHW"))
    return steps.build()
