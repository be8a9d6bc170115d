"""Gives a recurrent network the inputs and outputs that its manifest names, and no others."""

import numpy as np
import openvino
from openvino import opset13


def fix_downsampling(model: openvino.Model, manifest: dict) -> openvino.Model:
    """The network with its image and states as inputs.

    The one input that is neither is the downsample ratio. It becomes the manifest's: with a ratio that is known only
    at run time, no size within the network would be.
    """
    inputs = [manifest["input"]["name"], *(state["input"] for state in manifest["states"])]
    outputs = [tensor["name"] for tensor in manifest["outputs"]]
    outputs += [state["output"] for state in manifest["states"]]
    ratio = np.array([manifest.get("downsampleRatio", 1)], np.float32)
    for port in model.inputs:
        if not port.get_names() & set(inputs):
            port.get_node().output(0).replace(opset13.constant(ratio).output(0))
    return openvino.Model(
        [model.output(name).get_node() for name in outputs],
        [model.input(name).get_node() for name in inputs], manifest["name"])
