"""MobileSAM's encoder of pictures.

TinyViT-5M (Wu and others, "TinyViT: Fast Pretraining Distillation for Small Vision Transformers", 2022, section 3.2) without
its classifier, and the neck of SAM's encoder ("Segment Anything", 2023, appendix A).

It was trained on squares in which pictures were filled up with the mean colour. Far from the picture all of that gives the
same embedding, so that only a strip of it is computed, whose last row or column stands for the rest.
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
    length,
    linear,
    matrix_product,
    normalized_convolution,
    reshape,
    shape,
    side,
    subtract,
    transpose,
)
from openvino import Output, opset14

#: Pixels of the square's sides.
SIDE = 1024
#: Sides and channels of its embedding.
PLACES, CHANNELS = 64, 256
#: Pixels of the computed strip beyond a picture, at most. With 32, IoU on photos of groups is .004 lower.
STRIP = 64
#: Of the last three stages; the first one has convolutions only.
HEADS, WINDOWS = [4, 5, 10], [7, 14, 7]
#: Of the reductions behind the first three stages: MobileSAM's last one keeps the resolution.
STRIDES = [2, 2, 1]


def embedding(picture: Output, weights: Weights) -> Output:
    """Embedding, NCHW, of the square that a normalized picture, NCHW, lies in at the upper left."""
    room = opset14.minimum(subtract(integers(1, 3, SIDE, SIDE), shape(picture)), integers(STRIP)).output(0)
    x = opset14.pad(picture, integers(0, 0, 0, 0), room, "constant", constant(0)).output(0)
    x = gelu(normalized_convolution(x, weights["patch_embed"]["seq"][0], 2))
    x = normalized_convolution(x, weights["patch_embed"]["seq"][2], 2)
    for number in range(4):
        x = _stage(x, weights["layers"][number], number)
    neck = weights["neck"]
    x = channel_norm(convolution(x, neck[0].weight), neck[1])
    x = channel_norm(convolution(x, neck[2].weight), neck[3])
    rest = subtract(integers(1, CHANNELS, PLACES, PLACES), shape(x))
    return opset14.pad(x, integers(0, 0, 0, 0), rest, "edge").output(0)


def _stage(x: Output, weights: Weights, number: int) -> Output:
    blocks = [weights["blocks"][block] for block in range(len(weights["blocks"]))]
    x = _mb_convolutions(x, blocks) if number == 0 else _attention_blocks(x, blocks, number - 1)
    return _reduction(x, weights["downsample"], STRIDES[number]) if number < 3 else x


def _mb_convolutions(x: Output, blocks: list[Weights]) -> Output:
    for weights in blocks:
        x = _mb_convolution(x, weights)
    return x


def _mb_convolution(x: Output, weights: Weights) -> Output:
    y = gelu(normalized_convolution(x, weights["conv1"]))
    y = gelu(normalized_convolution(y, weights["conv2"]))
    return gelu(add(x, normalized_convolution(y, weights["conv3"])))


def _reduction(x: Output, weights: Weights, stride: int) -> Output:
    y = gelu(normalized_convolution(x, weights["conv1"]))
    y = gelu(normalized_convolution(y, weights["conv2"], stride))
    return normalized_convolution(y, weights["conv3"])


def _attention_blocks(x: Output, blocks: list[Weights], number: int) -> Output:
    """Takes and returns NCHW; within, pixels are NHWC."""
    pixels = transpose(x, 0, 2, 3, 1)
    for weights in blocks:
        pixels = add(pixels, _in_windows(pixels, weights["attn"], HEADS[number], WINDOWS[number]))
        pixels = _convolved(pixels, weights["local_conv"])
        mlp = weights["mlp"]
        y = linear(gelu(linear(layer_norm(pixels, mlp["norm"]), mlp["fc1"])), mlp["fc2"])
        pixels = add(pixels, y)
    return transpose(pixels, 0, 3, 1, 2)


def _convolved(pixels: Output, weights: Weights) -> Output:
    """A convolution of NHWC. OpenVINO transposes matrices five times as fast as images."""
    channels = length(pixels, -1)
    height, width = side(pixels, 1), side(pixels, 2)
    x = transpose(reshape(pixels, 1, -1, channels), 0, 2, 1)
    x = normalized_convolution(reshape(x, 1, channels, height, width), weights)
    x = transpose(reshape(x, 1, channels, -1), 0, 2, 1)
    return reshape(x, 1, height, width, channels)


def _in_windows(pixels: Output, weights: Weights, heads: int, window: int) -> Output:
    """Attention within each window of NHWC, which is padded by zeros to whole windows."""
    windows = integers(1, window, window, 1)
    missing = opset14.floor_mod(subtract(integers(0), shape(pixels)), windows).output(0)
    x = opset14.pad(pixels, integers(0, 0, 0, 0), missing, "constant", constant(0)).output(0)
    x = _attention(layer_norm(x, weights["norm"]), weights, heads, window)
    return opset14.slice(x, integers(0, 0, 0, 0), shape(pixels), integers(1, 1, 1, 1)).output(0)


def _attention(x: Output, weights: Weights, heads: int, window: int) -> Output:
    """Each of query, key and value is divided into windows and heads by one transposition."""
    channels = length(x, -1)
    depth = channels // heads
    columns = opset14.divide(side(x, 2), integers(window)).output(0)
    # Query, key and value of a head lie side by side.
    matrices = weights["qkv"].weight.reshape(heads, 3, depth, channels)
    biases = weights["qkv"].bias.reshape(heads, 3, depth)
    parts = []
    for number in range(3):
        matrix = constant(matrices[:, number].reshape(channels, channels))
        y = add(matrix_product(x, matrix, turned=True), constant(biases[:, number].reshape(channels)))
        y = transpose(reshape(y, -1, window, columns, window, heads, depth), 0, 2, 4, 1, 3, 5)
        parts.append(reshape(y, -1, heads, window * window, depth))
    y = attend(*parts, weights.attention_biases[None, :, _offsets(window)])
    y = transpose(reshape(y, -1, columns, heads, window, window, depth), 0, 3, 1, 4, 2, 5)
    return linear(reshape(y, 1, side(x, 1), side(x, 2), channels), weights["proj"])


def _offsets(window: int) -> numpy.ndarray:
    """For each two places of a window, row by row, the number of the distance between them."""
    row, column = numpy.divmod(numpy.arange(window * window), window)
    return abs(row[:, None] - row) * window + abs(column[:, None] - column)
