"""Converts a recurrent network with a downsample ratio as pipelines/models/convert.py does, and runs it.

usage: convert_recurrent.py FOLDER; prints the inputs left, and the result for an image of 0.5 and a state of 0.25
"""
import pathlib
import sys

import numpy as np
import openvino as ov
from openvino import opset13 as op

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "pipelines/models"))
from convert import convert_to_ir


def named(node, name):
    node.output(0).get_tensor().set_names({name})
    return node


folder = pathlib.Path(sys.argv[1])
image = named(op.parameter(ov.PartialShape([-1, 3, -1, -1]), np.float32), "image")
state = named(op.parameter(ov.PartialShape([-1, 1, -1, -1]), np.float32), "state")
ratio = named(op.parameter([1], np.float32), "ratio")
total = op.add(op.multiply(op.reduce_mean(image, np.array([1]), keep_dims=True), ratio), state)
outputs = [named(op.add(total, op.constant(np.float32(0))), name) for name in ("alpha", "next", "colours")]
ov.save_model(ov.Model(outputs, [image, state, ratio], "network"), folder / "network.xml", compress_to_fp16=False)

manifest = {
    "name": "network", "input": {"name": "image"}, "outputs": [{"name": "alpha"}],
    "states": [{"input": "state", "output": "next"}], "downsampleRatio": 0.5,
}
convert_to_ir(manifest, folder / "network.xml", folder / "converted.xml")
model = ov.Core().read_model(folder / "converted.xml")
print(*sorted(name for port in model.inputs for name in port.get_names()))
print(*sorted(name for port in model.outputs for name in port.get_names()))
run = ov.compile_model(model, "CPU")
print(run({"image": np.full([1, 3, 2, 2], 0.5, np.float32), "state": np.full([1, 1, 2, 2], 0.25, np.float32)})["alpha"][0, 0, 0, 0])
