"""Layers of PyTorch's networks as OpenVINO's operations, with the weights of a checkpoint."""

import numpy
from openvino import Output, opset14


class Weights:
    """The tensors of a checkpoint below a path of names: `weights["layers"][0].bias` is the tensor "layers.0.bias"."""

    def __init__(self, tensors: dict[str, numpy.ndarray], path: str = ""):
        self._tensors, self._path = tensors, path

    def __getitem__(self, name: str | int) -> "Weights":
        return Weights(self._tensors, f"{self._path}{name}.")

    def __getattr__(self, name: str) -> numpy.ndarray:
        return self._tensors[self._path + name]

    def __len__(self) -> int:
        below = (name.removeprefix(self._path) for name in self._tensors if name.startswith(self._path))
        return len({name.split(".")[0] for name in below})


def constant(values) -> Output:
    return opset14.constant(numpy.asarray(values, numpy.float32)).output(0)


def integers(*values: int) -> Output:
    return opset14.constant(numpy.array(values, numpy.int64)).output(0)


def length(x: Output, axis: int) -> int:
    """A side that the network fixes."""
    return x.partial_shape[axis].get_length()


def shape(x: Output) -> Output:
    """All sides of `x`, as the input has them."""
    return opset14.shape_of(x, "i64").output(0)


def side(x: Output, axis: int) -> Output:
    """A side of `x` that the input decides."""
    return opset14.gather(shape(x), integers(axis), integers(0)).output(0)


def add(a: Output, b: Output) -> Output:
    return opset14.add(a, b).output(0)


def subtract(a: Output, b: Output) -> Output:
    return opset14.subtract(a, b).output(0)


def multiply(a: Output, b: Output) -> Output:
    return opset14.multiply(a, b).output(0)


def matrix_product(a: Output, b: Output, turned: bool = False) -> Output:
    return opset14.matmul(a, b, False, turned).output(0)


def reshape(x: Output, *sides: int | Output) -> Output:
    """`x` with other sides, each a number or one that the input decides; -1 is what is left."""
    if any(isinstance(side, Output) for side in sides):
        parts = [side if isinstance(side, Output) else integers(side) for side in sides]
        return opset14.reshape(x, opset14.concat(parts, 0), False).output(0)
    return opset14.reshape(x, integers(*sides), False).output(0)


def transpose(x: Output, *order: int) -> Output:
    return opset14.transpose(x, integers(*order)).output(0)


def gelu(x: Output) -> Output:
    return opset14.gelu(x, "erf").output(0)


def relu(x: Output) -> Output:
    return opset14.relu(x).output(0)


def linear(x: Output, weights: Weights) -> Output:
    return add(matrix_product(x, constant(weights.weight), turned=True), constant(weights.bias))


def layer_norm(x: Output, weights: Weights, epsilon: float = 1e-5) -> Output:
    """Over the last axis."""
    normal = opset14.mvn(x, integers(-1), True, epsilon, "inside_sqrt").output(0)
    return add(multiply(normal, constant(weights.weight)), constant(weights.bias))


def channel_norm(x: Output, weights: Weights) -> Output:
    """Over the channels of NCHW."""
    normal = opset14.mvn(x, integers(1), True, 1e-6, "inside_sqrt").output(0)
    return add(multiply(normal, _by_channel(weights.weight)), _by_channel(weights.bias))


def convolution(x: Output, kernel: numpy.ndarray, stride: int = 1) -> Output:
    """Of NCHW, padded by half of the kernel; a kernel of one channel is used on each channel by itself."""
    reach, strides = [kernel.shape[2] // 2] * 2, [stride, stride]
    if kernel.shape[1] == 1:
        by_channel = constant(kernel[:, None])
        return opset14.group_convolution(x, by_channel, strides, reach, reach, [1, 1]).output(0)
    return opset14.convolution(x, constant(kernel), strides, reach, reach, [1, 1]).output(0)


def normalized_convolution(x: Output, weights: Weights, stride: int = 1) -> Output:
    """A convolution `c` with the batch normalization `bn` behind it folded in."""
    statistics = weights["bn"]
    scale = statistics.weight / numpy.sqrt(statistics.running_var + numpy.float32(1e-5))
    kernel = weights["c"].weight * scale.reshape(-1, 1, 1, 1)
    return add(
        convolution(x, kernel, stride), _by_channel(statistics.bias - statistics.running_mean * scale)
    )


def attend(query: Output, key: Output, value: Output, bias: numpy.ndarray | None = None) -> Output:
    """Scaled dot-product attention over the last two axes; `bias` is added to the scores."""
    scale = constant(length(query, -1) ** -0.5)
    scores = matrix_product(multiply(query, scale), key, turned=True)
    if bias is not None:
        scores = add(scores, constant(bias))
    return matrix_product(opset14.softmax(scores, -1).output(0), value)


def _by_channel(values: numpy.ndarray) -> Output:
    return constant(values.reshape(1, -1, 1, 1))
