"""Compares two pictures of the same size, as bytes, and prints by how much they differ.

    compare_pictures.py ONE OTHER TOLERANCE     fails where the mean of the differences is above TOLERANCE, of 255
"""

import sys
from pathlib import Path

one, other = (Path(path).read_bytes() for path in sys.argv[1:3])
tolerance = float(sys.argv[3])
if not one or len(one) != len(other):
    sys.exit(f"The pictures have {len(one)} and {len(other)} bytes.")
differences = [abs(a - b) for a, b in zip(one, other, strict=True)]
mean = sum(differences) / len(differences)
print(f"differences of 255: mean {mean:.4f}, largest {max(differences)}")
if mean > tolerance:
    sys.exit(f"The mean is above {tolerance}.")
