"""What OpenVINO's TensorFlow Lite front end does not know of MediaPipe's segmentation models.

Their last layer is MediaPipe's own operation Convolution2DTransposeBias: a transposed convolution
with kernel 2x2, stride 2 and no padding, plus a bias. Input NHWC, weights OHWI.
"""

from openvino import Output, opset14
from openvino.frontend import NodeContext


def transposed_convolution(node: NodeContext) -> list[Output]:
    nhwc, ohwi, bias = (node.get_input(index) for index in range(3))
    nchw = opset14.transpose(nhwc, [0, 3, 1, 2])
    iohw = opset14.transpose(ohwi, [3, 0, 1, 2])
    doubled = opset14.convolution_backprop_data(
        nchw, iohw, strides=[2, 2], pads_begin=[0, 0], pads_end=[0, 0], dilations=[1, 1]
    )
    return opset14.add(opset14.transpose(doubled, [0, 2, 3, 1]), bias).outputs()
