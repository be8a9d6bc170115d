"""A contact sheet: picture, mask, cut-out on magenta."""
from gstreamer import Pipeline, contents, grid_sample, write_png

#: Of one of the three pictures side by side.
CELL = (320, 320)
#: Pictures next to each other, each with its mask and cut-out.
ACROSS = 2
FIT = f"videoconvert ! videoscale method=lanczos ! video/x-raw,format=RGB,width={CELL[0]},height={CELL[1]}"
SCALE = f"{FIT},pixel-aspect-ratio=1/1 ! appsink name=out sync=false"


class Sheet:
    """Collects small pictures and writes them as one."""

    def __init__(self, path):
        self.path = path
        self.cells = []

    def add(self, frame, mask):
        """Adds a frame that carries its mask, and the mask at the frame's size."""
        self.cells.append([
            cell(frame, ""),
            cell(mask, ""),
            cell(frame, "blendmask background-color=0xffff00ff ! "),
        ])

    def save(self):
        groups = [self.cells[i:i + ACROSS] for i in range(0, len(self.cells), ACROSS)]
        rows = b"".join(line for group in groups for line in self.lines(group))
        height = CELL[1] * len(groups)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        write_png(grid_sample(rows, "RGB", CELL[0] * 3 * ACROSS, height), self.path)

    def lines(self, group):
        """The pixel rows of a row of pictures; missing ones are black."""
        cells = [cell for cells in group for cell in cells]
        cells += [bytes(3 * CELL[0] * CELL[1])] * (3 * ACROSS - len(cells))
        pitch = 3 * CELL[0]
        for y in range(CELL[1]):
            yield b"".join(cell[y * pitch:(y + 1) * pitch] for cell in cells)


def cell(sample, before):
    """The picture, fitted into a cell with bars, as rows of RGB without gaps."""
    pipeline = Pipeline(f"appsrc name=in format=time ! videoconvert ! {before}{SCALE}")
    pipeline.push(sample)
    scaled = pipeline.pull("a picture of the sheet could not be made")
    pipeline.stop()
    return contents(scaled.get_buffer())
