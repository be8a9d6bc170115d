"""Cuts PicoDet, a detector of COCO's 80 classes, down to people.

The network ends in a suppression of overlapping boxes with a free number of results. Cut off
before it, every candidate is an output of fixed shape, and the other classes need not be sorted.
"""

from normalization import taking_pixels
from openvino import Model, opset14

PERSON = 0


def person_detector(picodet: Model) -> Model:
    nodes = picodet.get_ops()
    suppression = next(node for node in nodes if node.get_type_name() == "MulticlassNms")
    # The boxes are divided by the scale of the frame, the other input of the network, in the end.
    boxes = suppression.input_value(0).get_node().input_value(0)
    scores = opset14.gather(suppression.input_value(1), [PERSON], 1).output(0)
    model = Model([boxes, scores], [picodet.input("image").get_node()], "person_detection")
    model.reshape([1, *picodet.input("image").partial_shape[1:]])
    for output, name in zip(model.outputs, ["boxes", "scores"]):
        output.get_tensor().set_names({name})
    return taking_pixels(model)
