"""Builds the two networks of MobileSAM: one encodes a picture, one finds what a box shows by that.

Sources: Kirillov and others, "Segment Anything", 2023, appendix A; Zhang and others, "Faster Segment Anything: Towards
Lightweight SAM for Mobile Applications", 2023. Of the decoder's four masks the one for unambiguous prompts is kept: boxes
are.
"""

import functools
import math
import pathlib

import numpy
from checkpoint import read_tensors
from graph import (
    Weights,
    add,
    attend,
    channel_norm,
    constant,
    doubled,
    gelu,
    integers,
    layer_norm,
    lengths,
    linear,
    matrix_product,
    multiply,
    relu,
    reshape,
    transpose,
)
from openvino import Core, InferRequest, Model, Output, Type, opset14
from tiny_vit import SIDE, encoder

#: Sides and channels of the embedding.
PLACES, CHANNELS = 64, 256
HEADS = 8
#: Left, top, right and bottom edge in the unit square, for checks: places where people stand in pictures.
BOXES = [(0.05, 0.05, 0.45, 1), (0.3, 0.1, 0.65, 1), (0.55, 0.1, 0.95, 1)]


def network(checkpoint: pathlib.Path, part: str) -> Model:
    weights = Weights(read_tensors(checkpoint))
    return encoder(weights["image_encoder"]) if part == "encoder" else _decoder(weights)


def coverage(models: pathlib.Path, embedding: numpy.ndarray) -> numpy.ndarray:
    """What the decoder in the folder `models` finds in each of BOXES."""
    decoder = _compiled(models / "mobile_sam_decoder.xml")
    found = []
    for box in BOXES:
        decoder.infer([numpy.concatenate([embedding.ravel(), numpy.float32(box)])[None]])
        found.append(decoder.get_output_tensor().data.copy())
    return numpy.stack(found)


def convolutions(model: Model) -> list[str]:
    """Names of the operations that lose most by int8 arithmetic and gain least."""
    return [node.get_friendly_name() for node in model.get_ops() if "Convolution" in node.get_type_name()]


@functools.cache
def _compiled(model: pathlib.Path) -> InferRequest:
    return Core().compile_model(model, "CPU", {"INFERENCE_PRECISION_HINT": "f32"}).create_infer_request()


def _decoder(weights: Weights) -> Model:
    """Takes the embedding and behind it the box: left, top, right and bottom edge in the unit square."""
    prompts, inner = weights["prompt_encoder"], weights["mask_decoder"]
    count = CHANNELS * PLACES * PLACES
    question = opset14.parameter([1, count + 4], Type.f32, "embedding and box")
    embedding, box = opset14.variadic_split(question, integers(1), integers(count, 4)).outputs()
    tokens = constant(numpy.concatenate([inner["iou_token"].weight, inner["mask_tokens"].weight])[None])
    tokens = opset14.concat([tokens, _corners(box, prompts)], 1).output(0)
    no_mask = constant(prompts["no_mask_embed"].weight.reshape(1, -1, 1))
    image = transpose(add(reshape(embedding, 1, CHANNELS, -1), no_mask), 0, 2, 1)
    tokens, image = _transformer(tokens, image, _grid(prompts), inner["transformer"])
    coverage = _mask(tokens, image, inner)
    question.output(0).get_tensor().set_names({"question"})
    coverage.get_tensor().set_names({"coverage"})
    return Model([coverage], [question], "mobile_sam_decoder")


def _corners(box: Output, weights: Weights) -> Output:
    """The box as two tokens."""
    # The middles of the pixels at the corners, as in training.
    places = _place(add(reshape(box, 1, 2, 2), constant(0.5 / SIDE)), weights)
    kinds = weights["point_embeddings"]
    return add(places, constant(numpy.concatenate([kinds[2].weight, kinds[3].weight])[None]))


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


def _transformer(tokens: Output, image: Output, grid: Output, weights: Weights) -> tuple[Output, Output]:
    prompt = tokens
    for number in range(2):
        layer = weights["layers"][number]
        query = tokens if number == 0 else add(tokens, prompt)
        answer = _attention(query, query, tokens, layer["self_attn"])
        tokens = layer_norm(answer if number == 0 else add(tokens, answer), layer["norm1"])
        tokens = _look(tokens, prompt, image, grid, layer["cross_attn_token_to_image"], layer["norm2"])
        answer = linear(relu(linear(tokens, layer["mlp"]["lin1"])), layer["mlp"]["lin2"])
        tokens = layer_norm(add(tokens, answer), layer["norm3"])
        image = _look(image, grid, tokens, prompt, layer["cross_attn_image_to_token"], layer["norm4"])
    final = weights["final_attn_token_to_image"], weights["norm_final_attn"]
    return _look(tokens, prompt, image, grid, *final), image


def _look(
    x: Output, place: Output, other: Output, other_place: Output, weights: Weights, norm: Weights
) -> Output:
    answer = _attention(add(x, place), add(other, other_place), other, weights)
    return layer_norm(add(x, answer), norm)


def _attention(query: Output, key: Output, value: Output, weights: Weights) -> Output:
    answer = attend(
        _heads(query, weights["q_proj"]), _heads(key, weights["k_proj"]), _heads(value, weights["v_proj"])
    )
    _, heads, length, depth = lengths(answer)
    return linear(reshape(transpose(answer, 0, 2, 1, 3), 1, length, heads * depth), weights["out_proj"])


def _heads(x: Output, weights: Weights) -> Output:
    x = linear(x, weights)
    _, length, channels = lengths(x)
    return transpose(reshape(x, 1, length, HEADS, channels // HEADS), 0, 2, 1, 3)


def _mask(tokens: Output, image: Output, weights: Weights) -> Output:
    """Coverage, 0...1, at four times the embedding's sides."""
    upscaling = weights["output_upscaling"]
    image = reshape(transpose(image, 0, 2, 1), 1, CHANNELS, PLACES, PLACES)
    image = gelu(channel_norm(doubled(image, upscaling[0]), upscaling[1]))
    image = gelu(doubled(image, upscaling[3]))
    # Behind the token of the masks' quality comes that of the mask for unambiguous prompts.
    token = opset14.slice(tokens, integers(1), integers(2), integers(1), integers(1)).output(0)
    layers = weights["output_hypernetworks_mlps"][0]["layers"]
    kernel = linear(relu(linear(relu(linear(token, layers[0])), layers[1])), layers[2])
    _, depth, height, width = lengths(image)
    logits = matrix_product(kernel, reshape(image, 1, depth, height * width))
    return opset14.sigmoid(reshape(logits, 1, 1, height, width)).output(0)
