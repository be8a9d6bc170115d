"""Rewrites MODNet into an equal network that int8 arithmetic suits better.

MODNet normalizes one half of a convolution's channels by constants (batch normalization) and the other by their own
mean and variance (instance normalization), then joins the halves. Splitting and joining at full size takes a third
of an int8 run. Here each half has a convolution of its own, and the constants are part of its weights.
"""

import numpy as np
from openvino import Model, Node, opset13


def split_normalizations(modnet: Model) -> Model:
    """The network with each convolution before such a pair divided in two; changes `modnet` itself."""
    joins = [node for node in modnet.get_ordered_ops() if _joins_normalizations(node)]
    for join in joins:
        (activation,) = (target.get_node() for target in join.output(0).get_target_inputs())
        batch, instance = _halves(join)
        parts = [opset13.relu(batch), opset13.relu(instance)]
        activation.output(0).replace(opset13.concat(parts, axis=1).output(0))
    modnet.validate_nodes_and_infer_types()
    return modnet


def backbone(modnet: Model) -> list[str]:
    """Names of the operations up to the last layer of the MobileNetV2 that MODNet starts with."""
    operations = modnet.get_ordered_ops()
    # The only global mean follows the backbone.
    last = next(node for node in operations if node.get_type_name() == "ReduceMean")
    names, waiting = set(), [last]
    while waiting:
        node = waiting.pop()
        if node.get_friendly_name() not in names:
            names.add(node.get_friendly_name())
            waiting += [_input(node, i) for i in range(node.get_input_size())]
    return [node.get_friendly_name() for node in operations if node.get_friendly_name() in names]


def _joins_normalizations(node: Node) -> bool:
    return node.get_type_name() == "Concat" and _input(node, 0).get_type_name() == "BatchNormInference"


def _halves(join: Node) -> tuple[Node, Node]:
    """Both halves of the normalized channels, each from a convolution of its own."""
    normalization = _input(join, 0)
    biased = _input(_input(normalization, 0), 0)
    convolution = _input(biased, 0)
    weights, bias = _values(_input(convolution, 1)), _values(_input(biased, 1)).reshape(-1)
    gamma, beta, mean, variance = (_values(_input(normalization, i)) for i in range(1, 5))
    scale = gamma / np.sqrt(variance + normalization.get_attributes()["epsilon"])
    half = len(scale)
    batch = _convolve(convolution, weights[:half] * scale[:, None, None, None])
    shift = opset13.constant(_per_channel(bias[:half] * scale + beta - mean * scale))

    shifted, scaled = _input(join, 1), _input(_input(join, 1), 0)
    instance = opset13.mvn(
        # A bias would vanish in the normalization.
        _convolve(convolution, weights[half:]), opset13.constant([2, 3], np.int64), True,
        _input(scaled, 0).get_attributes()["eps"], "INSIDE_SQRT")
    for values, neutral, operation in (
            (_values(_input(scaled, 1)), 1, opset13.multiply), (_values(_input(shifted, 1)), 0, opset13.add)):
        if np.any(values != neutral):
            instance = operation(instance, opset13.constant(_per_channel(values)))
    return opset13.add(batch, shift), instance


def _convolve(like: Node, weights: np.ndarray) -> Node:
    attributes = like.get_attributes()
    return opset13.convolution(
        like.input_value(0), opset13.constant(np.ascontiguousarray(weights, np.float32)),
        attributes["strides"], attributes["pads_begin"], attributes["pads_end"], attributes["dilations"])


def _input(node: Node, index: int) -> Node:
    return node.input_value(index).get_node()


def _values(node: Node) -> np.ndarray:
    """The constant that reaches `node` through reshapes."""
    while node.get_type_name() != "Constant":
        node = _input(node, 0)
    return node.get_data()


def _per_channel(values: np.ndarray) -> np.ndarray:
    return values.astype(np.float32).reshape(1, -1, 1, 1)
