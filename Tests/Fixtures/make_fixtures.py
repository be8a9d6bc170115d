#!/usr/bin/env python3
"""Makes the tiny models that the inference tests run, each with its sidecar .json.

Run:  pip install openvino==2026.4.1 numpy && python3 Tests/Fixtures/make_fixtures.py
"""
import hashlib
import json
import os
import pathlib

import numpy as np
import openvino as ov
from openvino import opset13 as op

HERE = os.path.dirname(os.path.abspath(__file__))


def named(node, name):
    node.output(0).get_tensor().set_names({name})
    return node


def save(name, results, inputs, description):
    xml = os.path.join(HERE, name + ".xml")
    ov.save_model(ov.Model(results, inputs, name), xml, compress_to_fp16=False)
    describe(name, {"file": name + ".xml", "weights": name + ".bin"}, description)


def describe(name, parts, description):
    contents = {f: pathlib.Path(HERE, f).read_bytes() for f in parts.values()}
    sidecar = {
        "name": name,
        **parts,
        "origin": {"script": "Tests/Fixtures/make_fixtures.py"},
        "licence": "Apache-2.0",
        "files": [{"name": f, "bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
                  for f, data in contents.items()],
        **description,
    }
    with open(os.path.join(HERE, name + ".json"), "w") as out:
        json.dump(sidecar, out, indent=2)
        out.write("\n")


def scale():
    """A fixed NHWC shape, weights in the .bin, two outputs in an order that the sidecar reverses."""
    x = named(op.parameter([1, 4, 6, 3], np.float32), "image")
    factor = op.constant(np.array([2, 3, 4], np.float32).reshape(1, 1, 1, 3))
    scaled = named(op.multiply(x, factor), "scaled")
    total = named(op.reduce_sum(x, np.array([1, 2, 3]), keep_dims=True), "total")
    save("scale", [scaled, total], [x], {
        "input": {"name": "image", "shape": [1, 4, 6, 3], "layout": "NHWC",
                  "range": [0, 1]},
        "outputs": [{"name": "total", "shape": [1, 1, 1, 1], "meaning": "sum of all values"},
                    {"name": "scaled", "shape": [1, 4, 6, 3], "meaning": "input times 2, 3, 4"}],
    })


def free_size():
    """An NCHW model of any size: the mean over the channels."""
    x = named(op.parameter(ov.PartialShape([1, 3, -1, -1]), np.float32), "image")
    mean = named(op.reduce_mean(x, np.array([1]), keep_dims=True), "mean")
    save("free_size", [mean], [x], {
        "input": {"name": "image", "shape": [1, 3, 0, 0], "layout": "NCHW", "range": [-1, 1]},
        "size": {"multiple": 2},
        "outputs": [{"name": "mean", "shape": [1, 1, 0, 0], "meaning": "mean over the channels"}],
    })


def corner():
    """An NCHW model of any size: the red of the upper left value, everywhere."""
    x = named(op.parameter(ov.PartialShape([1, 3, -1, -1]), np.float32), "image")
    first = op.slice(x, np.array([0, 0, 0]), np.array([1, 1, 1]), np.array([1, 1, 1]), np.array([1, 2, 3]))
    nothing = op.multiply(op.reduce_mean(x, np.array([1]), keep_dims=True), op.constant(np.float32(0)))
    save("corner", [named(op.add(nothing, first), "corner")], [x], {
        "kind": "segmentation",
        "input": {"name": "image", "shape": [1, 3, 0, 0], "layout": "NCHW", "range": [0, 1]},
        "size": {"multiple": 2},
        "outputs": [{"name": "corner", "shape": [1, 1, 0, 0], "meaning": "the red of the upper left value"}],
    })


def counter():
    """Counts up to its input, one loop step each: a run as long as the test asks for."""
    x = named(op.parameter([1, 1, 1, 1], np.float32), "steps")
    steps = op.squeeze(op.convert(x, "i64"), np.array([0, 1, 2, 3]))
    state = op.parameter([1, 1, 1, 1], np.float32)
    next_state = op.add(state, np.float32(1))
    again = op.constant(True)
    loop = op.loop(steps, op.constant(True))
    loop.set_function(ov.Model([again, next_state], [state], "body"))
    loop.set_special_body_ports([-1, 0])
    loop.set_merged_input(state, op.constant(np.zeros([1, 1, 1, 1], np.float32)).output(0),
                          next_state.output(0))
    counted = named(op.add(op.constant(np.float32(0)), loop.get_iter_value(next_state.output(0), -1)),
                    "counted")
    save("counter", [counted], [x], {
        "input": {"name": "steps", "shape": [1, 1, 1, 1]},
        "outputs": [{"name": "counted", "shape": [1, 1, 1, 1], "meaning": "the steps made"}],
    })


def two_inputs():
    """A shape of model that the library does not run."""
    a = named(op.parameter([1, 2, 2, 1], np.float32), "a")
    b = named(op.parameter([1, 2, 2, 1], np.float32), "b")
    both = named(op.add(op.add(a, b), op.constant(np.float32(1))), "both")
    save("two_inputs", [both], [a, b], {
        "input": {"name": "a", "shape": [1, 2, 2, 1], "layout": "NHWC",
                  "range": [0, 1]},
        "outputs": [{"name": "both", "shape": [1, 2, 2, 1], "meaning": "the sum"}],
    })


def accumulator():
    """A recurrent NCHW model of any size: a quarter of the brightness, added up from frame to frame."""
    x = named(op.parameter(ov.PartialShape([1, 3, -1, -1]), np.float32), "image")
    state = named(op.parameter(ov.PartialShape([1, 1, -1, -1]), np.float32), "sum")
    quarter = op.multiply(op.reduce_mean(x, np.array([1]), keep_dims=True), op.constant(np.float32(0.25)))
    alpha = named(op.add(quarter, state), "alpha")
    next_state = named(op.minimum(alpha, op.constant(np.float32(1))), "next_sum")
    save("accumulator", [alpha, next_state], [x, state], {
        "kind": "recurrent matting",
        "input": {"name": "image", "shape": [1, 3, 0, 0], "layout": "NCHW", "range": [0, 1]},
        "size": {"multiple": 8},
        "outputs": [{"name": "alpha", "shape": [1, 1, 0, 0], "meaning": "the sum of all quarters"}],
        "states": [{"input": "sum", "output": "next_sum"}],
        "downsampleRatio": 0.5,
    })


def growing():
    """A recurrent model that cannot be run: its state is longer after each run."""
    x = named(op.parameter(ov.PartialShape([1, 3, -1, -1]), np.float32), "image")
    state = named(op.parameter(ov.PartialShape([1, -1, 1, 1]), np.float32), "state")
    brightness = op.reduce_mean(x, np.array([1, 2, 3]), keep_dims=True)
    longer = named(op.concat([state, brightness], 1), "longer")
    save("growing", [named(op.add(brightness, op.constant(np.float32(1))), "alpha"), longer], [x, state], {
        "kind": "recurrent matting",
        "input": {"name": "image", "shape": [1, 3, 0, 0], "layout": "NCHW", "range": [0, 1]},
        "outputs": [{"name": "alpha", "shape": [1, 1, 1, 1], "meaning": "the brightness"}],
        "states": [{"input": "state", "output": "longer"}],
    })


def field(number, value):
    """A field of a protocol buffer: a small number, or bytes with their length before them."""
    def varint(n):
        return bytes([n]) if n < 128 else bytes([n & 127 | 128]) + varint(n >> 7)
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    value = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(value)) + value


def mean():
    """An ONNX file of what free_size does, for images of one size; numbers of fields are those of onnx.proto."""
    def tensor(name, shape):
        dimensions = b"".join(field(1, field(1, side)) for side in shape)
        return field(1, name) + field(2, field(1, field(1, 1) + field(2, dimensions)))
    axes = field(1, "axes") + field(8, 1) + field(20, 7)
    node = field(1, "image") + field(2, "mean") + field(4, "ReduceMean") + field(5, axes)
    graph = (field(1, node) + field(2, "mean") + field(11, tensor("image", [1, 3, 32, 32]))
             + field(12, tensor("mean", [1, 1, 32, 32])))
    with open(os.path.join(HERE, "mean.onnx"), "wb") as out:
        out.write(field(1, 8) + field(7, graph) + field(8, field(2, 13)))
    describe("mean", {"file": "mean.onnx"}, {
        "kind": "segmentation",
        "input": {"name": "image", "shape": [1, 3, 32, 32], "layout": "NCHW", "range": [0, 1]},
        "outputs": [{"name": "mean", "shape": [1, 1, 32, 32], "meaning": "mean over the channels"}],
    })


scale()
free_size()
corner()
counter()
two_inputs()
accumulator()
growing()
mean()
