"""Builds the two networks of MobileSAM: one encodes a picture, one finds by that what a box or two points show.

Sources: Kirillov and others, "Segment Anything", 2023, appendix A; Zhang and others, "Faster Segment Anything: Towards
Lightweight SAM for Mobile Applications", 2023. Of the decoder's four masks the one for unambiguous prompts is kept: boxes
are. What the decoder computes without looking at the prompt is computed by the encoder, once for all prompts.
"""

import functools
import math
import pathlib
from typing import NamedTuple

import numpy
from checkpoint import read_tensors
from graph import (
    Weights,
    add,
    attend,
    constant,
    gelu,
    integers,
    layer_norm,
    length,
    linear,
    matrix_product,
    multiply,
    relu,
    reshape,
    transpose,
)
from openvino import Core, InferRequest, Model, Output, Type, opset14
from tiny_vit import CHANNELS, PLACES, SIDE, embedding

HEADS = 8
#: Places of the embedding, and channels of a projection of it.
COUNT, PROJECTED = PLACES * PLACES, CHANNELS // 2
#: Left, top, right and bottom edge in the square, for checks: places where people stand in landscapes and in portraits.
BOXES = [(0.02, 0.03, 0.25, 0.56), (0.17, 0.06, 0.37, 0.56), (0.31, 0.06, 0.54, 0.56)]


class View(NamedTuple):
    """What a layer makes of the picture without looking at the prompt."""

    #: Of the tokens' attention to the picture.
    key: Output
    value: Output
    #: Of the picture's attention to the tokens.
    query: Output


def network(checkpoint: pathlib.Path, part: str) -> Model:
    weights = Weights(read_tensors(checkpoint))
    return _encoder(weights) if part == "encoder" else _decoder(weights)


def coverage(models: pathlib.Path, embedding: numpy.ndarray) -> numpy.ndarray:
    """What the decoder in the folder `models` finds in each of BOXES."""
    decoder = _compiled(models / "mobile_sam_decoder.xml")
    found = []
    for box in BOXES:
        decoder.infer([numpy.concatenate([embedding.ravel(), numpy.float32([*box, 0])])[None]])
        found.append(decoder.get_output_tensor().data.copy())
    return numpy.stack(found)


def float_convolutions(model: Model) -> list[str]:
    """Names of the convolution that sees pixels, and of those of single channels.

    NNCF gives each channel of the latter a scale of its own, and takes rows for channels behind a transposition.
    """
    found = [node for node in model.get_ordered_ops() if "Convolution" in node.get_type_name()]
    exact = [found[0], *(node for node in found if node.get_type_name() == "GroupConvolution")]
    return [node.get_friendly_name() for node in exact]


@functools.cache
def _compiled(model: pathlib.Path) -> InferRequest:
    return Core().compile_model(model, "CPU", {"INFERENCE_PRECISION_HINT": "f32"}).create_infer_request()


def _encoder(weights: Weights) -> Model:
    """Gives the picture's places, one behind the other, and the first layer's projections of them."""
    pixels = opset14.parameter([1, 3, -1, -1], Type.f32, "image")
    prompts, layer = weights["prompt_encoder"], weights["mask_decoder"]["transformer"]["layers"][0]
    image = reshape(embedding(pixels.output(0), weights["image_encoder"]), 1, CHANNELS, COUNT)
    image = add(transpose(image, 0, 2, 1), constant(prompts["no_mask_embed"].weight.reshape(1, 1, -1)))
    parts = [image, *(linear(image, projection) for projection in _projections(layer))]
    result = opset14.concat([reshape(part, 1, -1) for part in parts], 1)
    pixels.output(0).get_tensor().set_names({"image"})
    result.output(0).get_tensor().set_names({"embedding"})
    return Model([result], [pixels], "mobile_sam_encoder")


def _decoder(weights: Weights) -> Model:
    """Takes what the encoder gives, and behind it two places, and their kind.

    The places are x, y, x and y in the square, 0...1. The kind is 0 for the upper left and the lower right corner of a box, and
    1 for two points of one thing.
    """
    prompts, inner = weights["prompt_encoder"], weights["mask_decoder"]
    counts = [COUNT * CHANNELS] + 3 * [COUNT * PROJECTED]
    question = opset14.parameter([1, sum(counts) + 5], Type.f32, "embedding and prompt")
    image, *view, places, kind = opset14.variadic_split(question, integers(1), integers(*counts, 4, 1)).outputs()
    grid = _grid(prompts)
    view = _view_of_first(View(*(reshape(part, 1, COUNT, PROJECTED) for part in view)), grid, inner["transformer"])
    tokens = constant(numpy.concatenate([inner["iou_token"].weight, inner["mask_tokens"].weight])[None])
    tokens = opset14.concat([tokens, _prompt(places, kind, prompts)], 1).output(0)
    image = reshape(image, 1, COUNT, CHANNELS)
    tokens, image = _transformer(tokens, image, view, grid, inner["transformer"])
    coverage = _mask(tokens, image, inner)
    question.output(0).get_tensor().set_names({"question"})
    coverage.get_tensor().set_names({"coverage"})
    return Model([coverage], [question], "mobile_sam_decoder")


def _view_of_first(projected: View, grid: Output, weights: Weights) -> View:
    """The first layer's view, of what the encoder has projected without the places of the embedding."""
    key, _, query = (
        matrix_product(grid, constant(projection.weight), turned=True)
        for projection in _projections(weights["layers"][0]))
    return View(add(projected.key, key), projected.value, add(projected.query, query))


def _prompt(places: Output, kind: Output, weights: Weights) -> Output:
    """The corners of a box, or two points, as two tokens."""
    # The middles of the pixels at the places, as in training.
    features = _place(add(reshape(places, 1, 2, 2), constant(0.5 / SIDE)), weights)
    point, first, second = (weights["point_embeddings"][number].weight[None] for number in (1, 2, 3))
    corners = numpy.concatenate([first, second], 1)
    chosen = add(constant(corners), multiply(reshape(kind, 1, 1, 1), constant(point - corners)))
    return add(features, chosen)


def _grid(weights: Weights) -> Output:
    """The places of the embedding, row by row."""
    row, column = numpy.divmod(numpy.arange(PLACES * PLACES), PLACES)
    return _place(constant((numpy.stack([column, row], -1)[None] + 0.5) / PLACES), weights)


def _place(points: Output, weights: Weights) -> Output:
    """Random Fourier features of points x, y in the unit square.

    They are operations even where the points are constants: sines of NumPy differ in the last bit among processors,
    and with them the hash of the converted model would.
    """
    matrix = constant(weights["pe_layer"].positional_encoding_gaussian_matrix)
    centred = add(multiply(points, constant(2)), constant(-1))
    phase = multiply(matrix_product(centred, matrix), constant(2 * math.pi))
    return opset14.concat([opset14.sin(phase), opset14.cos(phase)], 2).output(0)


def _transformer(
    tokens: Output, image: Output, view: View, grid: Output, weights: Weights
) -> tuple[Output, Output]:
    prompt = tokens
    for number in range(2):
        layer = weights["layers"][number]
        if number > 0:
            view = _view(image, grid, layer)
        query = tokens if number == 0 else add(tokens, prompt)
        answer = _attention(query, query, tokens, layer["self_attn"])
        tokens = layer_norm(answer if number == 0 else add(tokens, answer), layer["norm1"])
        to_image, to_tokens = layer["cross_attn_token_to_image"], layer["cross_attn_image_to_token"]
        answer = _attend(linear(add(tokens, prompt), to_image["q_proj"]), view.key, view.value, to_image)
        tokens = layer_norm(add(tokens, answer), layer["norm2"])
        answer = linear(relu(linear(tokens, layer["mlp"]["lin1"])), layer["mlp"]["lin2"])
        tokens = layer_norm(add(tokens, answer), layer["norm3"])
        key, value = linear(add(tokens, prompt), to_tokens["k_proj"]), linear(tokens, to_tokens["v_proj"])
        image = layer_norm(add(image, _attend(view.query, key, value, to_tokens)), layer["norm4"])
    answer = _attention(add(tokens, prompt), add(image, grid), image, weights["final_attn_token_to_image"])
    return layer_norm(add(tokens, answer), weights["norm_final_attn"]), image


def _view(image: Output, grid: Output, layer: Weights) -> View:
    placed = add(image, grid)
    return View(*(linear(x, part) for x, part in zip((placed, image, placed), _projections(layer), strict=True)))


def _projections(layer: Weights) -> list[Weights]:
    """In the order of View."""
    to_image, to_tokens = layer["cross_attn_token_to_image"], layer["cross_attn_image_to_token"]
    return [to_image["k_proj"], to_image["v_proj"], to_tokens["q_proj"]]


def _attention(query: Output, key: Output, value: Output, weights: Weights) -> Output:
    return _attend(
        linear(query, weights["q_proj"]), linear(key, weights["k_proj"]), linear(value, weights["v_proj"]), weights)


def _attend(query: Output, key: Output, value: Output, weights: Weights) -> Output:
    """The attention of what has been projected already."""
    answer = transpose(attend(_heads(query), _heads(key), _heads(value)), 0, 2, 1, 3)
    return linear(reshape(answer, 1, length(query, 1), length(query, 2)), weights["out_proj"])


def _heads(x: Output) -> Output:
    return transpose(reshape(x, 1, length(x, 1), HEADS, length(x, 2) // HEADS), 0, 2, 1, 3)


def _mask(tokens: Output, image: Output, weights: Weights) -> Output:
    """Coverage, 0...1, at four times the embedding's sides."""
    upscaling = weights["output_upscaling"]
    image = gelu(layer_norm(_quartered(image, upscaling[0]), upscaling[1], 1e-6))
    image = gelu(_quartered(image, upscaling[3]))
    # Behind the token of the masks' quality comes that of the mask for unambiguous prompts.
    token = opset14.slice(tokens, integers(1), integers(2), integers(1), integers(1)).output(0)
    layers = weights["output_hypernetworks_mlps"][0]["layers"]
    kernel = linear(relu(linear(relu(linear(token, layers[0])), layers[1])), layers[2])
    logits = matrix_product(image, kernel, turned=True)
    # Row and column of the embedding, of the quarter, and of the quarter's quarter.
    logits = transpose(reshape(logits, PLACES, PLACES, 2, 2, 2, 2), 0, 2, 4, 1, 3, 5)
    return opset14.sigmoid(reshape(logits, 1, 1, 4 * PLACES, 4 * PLACES)).output(0)


def _quartered(image: Output, weights: Weights) -> Output:
    """A transposed convolution with kernel 2x2 and stride 2, whose four pixels lie behind each other."""
    channels, depth = weights.weight.shape[:2]
    matrix = constant(weights.weight.transpose(0, 2, 3, 1).reshape(channels, 4 * depth))
    y = add(matrix_product(image, matrix), constant(numpy.tile(weights.bias, 4)))
    return reshape(y, 1, -1, depth)
