"""Reads the tensors of a PyTorch checkpoint, a zip archive, with nothing but NumPy.

The pickle in the archive may name only what a dictionary of float tensors consists of; anything else is refused.
"""

import io
import pickle
import zipfile
from collections import OrderedDict

import numpy


def read_tensors(checkpoint) -> dict[str, numpy.ndarray]:
    with zipfile.ZipFile(checkpoint) as archive:
        pickled = next(name for name in archive.namelist() if name.endswith("/data.pkl"))
        return dict(_Tensors(archive, pickled).load())


class _Tensors(pickle.Unpickler):
    def __init__(self, archive: zipfile.ZipFile, pickled: str):
        super().__init__(io.BytesIO(archive.read(pickled)))
        self._archive = archive
        self._folder = pickled.removesuffix("data.pkl") + "data/"

    def find_class(self, module: str, name: str):
        try:
            return _ALLOWED[module, name]
        except KeyError:
            raise pickle.UnpicklingError(f"{module}.{name} is no part of a dictionary of tensors") from None

    def persistent_load(self, identity) -> numpy.ndarray:
        kind, element, key, _, _ = identity
        if kind != "storage":
            raise pickle.UnpicklingError(f"{kind} is no storage")
        return numpy.frombuffer(self._archive.read(self._folder + key), element)


def _tensor(storage: numpy.ndarray, offset: int, shape: tuple, strides: tuple, *_) -> numpy.ndarray:
    # as_strided checks no bounds.
    if offset + sum((length - 1) * stride for length, stride in zip(shape, strides)) >= storage.size:
        raise pickle.UnpicklingError("a tensor exceeds its storage")
    steps = [stride * storage.itemsize for stride in strides]
    return numpy.ascontiguousarray(numpy.lib.stride_tricks.as_strided(storage[offset:], shape, steps))


_ALLOWED = {
    ("collections", "OrderedDict"): OrderedDict,
    ("torch._utils", "_rebuild_tensor_v2"): _tensor,
    ("torch", "FloatStorage"): numpy.dtype("<f4"),
    ("torch", "LongStorage"): numpy.dtype("<i8"),
}
