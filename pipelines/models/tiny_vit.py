"""MobileSAM's encoder of pictures.

TinyViT-5M (Wu and others, "TinyViT: Fast Pretraining Distillation for Small Vision Transformers", 2022, section 3.2) without
its classifier, and the neck of SAM's encoder ("Segment Anything", 2023, appendix A).
"""

import numpy
from graph import (
    Weights,
    add,
    attend,
    channel_norm,
    constant,
    convolution,
    gelu,
    integers,
    layer_norm,
    lengths,
    linear,
    normalized_convolution,
    reshape,
    transpose,
)
from openvino import Model, Output, Type, opset14

#: Pixels of the input's sides.
SIDE = 1024
#: Of the last three stages; the first one has convolutions only.
HEADS, WINDOWS = [4, 5, 10], [7, 14, 7]
#: Of the reductions behind the first three stages: MobileSAM's last one keeps the resolution.
STRIDES = [2, 2, 1]


def encoder(weights: Weights) -> Model:
    image = opset14.parameter([1, 3, SIDE, SIDE], Type.f32, "image")
    x = gelu(normalized_convolution(image.output(0), weights["patch_embed"]["seq"][0], 2))
    x = normalized_convolution(x, weights["patch_embed"]["seq"][2], 2)
    for number in range(4):
        x = _stage(x, weights["layers"][number], number)
    neck = weights["neck"]
    x = channel_norm(convolution(x, neck[0].weight), neck[1])
    x = channel_norm(convolution(x, neck[2].weight), neck[3])
    image.output(0).get_tensor().set_names({"image"})
    x.get_tensor().set_names({"embedding"})
    return Model([x], [image], "mobile_sam_encoder")


def _stage(x: Output, weights: Weights, number: int) -> Output:
    for block in range(len(weights["blocks"])):
        inner = weights["blocks"][block]
        x = _attention_block(x, inner, number - 1) if number > 0 else _mb_convolution(x, inner)
    return _reduction(x, weights["downsample"], STRIDES[number]) if number < 3 else x


def _mb_convolution(x: Output, weights: Weights) -> Output:
    y = gelu(normalized_convolution(x, weights["conv1"]))
    y = gelu(normalized_convolution(y, weights["conv2"]))
    return gelu(add(x, normalized_convolution(y, weights["conv3"])))


def _reduction(x: Output, weights: Weights, stride: int) -> Output:
    y = gelu(normalized_convolution(x, weights["conv1"]))
    y = gelu(normalized_convolution(y, weights["conv2"], stride))
    return normalized_convolution(y, weights["conv3"])


def _attention_block(x: Output, weights: Weights, number: int) -> Output:
    pixels = transpose(x, 0, 2, 3, 1)
    pixels = add(pixels, _in_windows(pixels, weights["attn"], HEADS[number], WINDOWS[number]))
    x = normalized_convolution(transpose(pixels, 0, 3, 1, 2), weights["local_conv"])
    pixels = transpose(x, 0, 2, 3, 1)
    mlp = weights["mlp"]
    y = linear(gelu(linear(layer_norm(pixels, mlp["norm"]), mlp["fc1"])), mlp["fc2"])
    return transpose(add(pixels, y), 0, 3, 1, 2)


def _in_windows(pixels: Output, weights: Weights, heads: int, window: int) -> Output:
    """Attention within each window of NHWC, which is padded by zeros to whole windows."""
    _, height, width, channels = lengths(pixels)
    below, right = -height % window, -width % window
    padding = integers(0, 0, 0, 0), integers(0, below, right, 0)
    x = opset14.pad(pixels, *padding, "constant", constant(0)).output(0)
    rows, columns = (height + below) // window, (width + right) // window
    x = transpose(reshape(x, rows, window, columns, window, channels), 0, 2, 1, 3, 4)
    x = _attention(reshape(x, rows * columns, window * window, channels), weights, heads, window)
    x = transpose(reshape(x, rows, columns, window, window, channels), 0, 2, 1, 3, 4)
    x = reshape(x, 1, height + below, width + right, channels)
    return opset14.slice(
        x, integers(0, 0), integers(height, width), integers(1, 1), integers(1, 2)
    ).output(0)


def _attention(x: Output, weights: Weights, heads: int, window: int) -> Output:
    windows, length, channels = lengths(x)
    x = linear(layer_norm(x, weights["norm"]), weights["qkv"])
    # Query, key and value of a head lie side by side.
    x = transpose(reshape(x, windows, length, heads, 3, channels // heads), 3, 0, 2, 1, 4)
    query, key, value = (reshape(part, windows, heads, length, -1) for part in opset14.split(x, 0, 3).outputs())
    y = attend(query, key, value, weights.attention_biases[None, :, _offsets(window)])
    return linear(reshape(transpose(y, 0, 2, 1, 3), windows, length, channels), weights["proj"])


def _offsets(window: int) -> numpy.ndarray:
    """For each two places of a window, row by row, the number of the distance between them."""
    row, column = numpy.divmod(numpy.arange(window * window), window)
    return abs(row[:, None] - row) * window + abs(column[:, None] - column)
