"""The 68 points of faces that evaluations compare, in iBUG's order."""

#: The mesh's numbers of the 68 points of iBUG's scheme, the person's right side first.
IBUG = (
    # Jaw, from the right temple by the chin to the left one.
    [127, 234, 93, 58, 172, 136, 149, 148, 152, 377, 378, 365, 397, 288, 323, 454, 356]
    # Brows.
    + [70, 63, 105, 66, 107, 336, 296, 334, 293, 300]
    # Nose: its crest, then its base.
    + [168, 197, 5, 4, 75, 97, 2, 326, 305]
    # Eyes.
    + [33, 160, 158, 133, 153, 144, 362, 385, 387, 263, 373, 380]
    # Lips: outer and inner.
    + [61, 39, 37, 0, 267, 269, 291, 405, 314, 17, 84, 181, 78, 82, 13, 312, 308, 317, 14, 87]
)
