"""Writes MediaPipe's segmentation models as OpenVINO IR.

Their last layer is MediaPipe's own operation Convolution2DTransposeBias, unknown to OpenVINO's
TensorFlow Lite front end: a transposed convolution with kernel 2x2, stride 2 and no padding,
plus a bias. Input NHWC, weights OHWI.
"""

import pathlib

import openvino
from openvino import opset14
from openvino.frontend import ConversionExtension, NodeContext


def convert_to_ir(tflite: bytes, xml: pathlib.Path) -> None:
    source = xml.with_suffix(".tflite")
    source.write_bytes(tflite)
    core = openvino.Core()
    core.add_extension(ConversionExtension("Convolution2DTransposeBias", transposed_convolution))
    openvino.save_model(core.read_model(source), xml, compress_to_fp16=False)
    source.unlink()


def transposed_convolution(node: NodeContext) -> list[openvino.Output]:
    nhwc, ohwi, bias = (node.get_input(index) for index in range(3))
    nchw = opset14.transpose(nhwc, [0, 3, 1, 2])
    iohw = opset14.transpose(ohwi, [3, 0, 1, 2])
    doubled = opset14.convolution_backprop_data(
        nchw, iohw, strides=[2, 2], pads_begin=[0, 0], pads_end=[0, 0], dilations=[1, 1]
    )
    return opset14.add(opset14.transpose(doubled, [0, 2, 3, 1]), bias).outputs()
