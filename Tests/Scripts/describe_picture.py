"""Prints as JSON what a picture says besides its pixels, read by Pillow.

    python3 Tests/Scripts/describe_picture.py PICTURE
"""

import json
import sys
from pathlib import Path

from PIL import Image


def main() -> None:
    path = Path(sys.argv[1])
    image = Image.open(path)
    # PNG keeps it compressed.
    packet = str(image.info.get("XML:com.adobe.xmp", ""))
    exif, contents = image.getexif(), path.read_bytes() + packet.encode()
    place = exif.get_ifd(0x8825)
    fields = {
        "format": image.format,
        "mode": image.mode,
        "size": image.size,
        "pictures": getattr(image, "n_frames", 1),
        "hasProfile": "icc_profile" in image.info,
        "maker": exif.get(0x010F),
        "author": exif.get(0x013B),
        "orientation": exif.get(0x0112, 1),
        "date": exif.get_ifd(0x8769).get(0x9003),
        "latitude": [float(number) for number in place.get(2, ())],
        "hasThumbnail": bool(exif.get_ifd(0x0201)) or contents.count(b"\xff\xd8\xff") > 1,
        "hasTitle": b"A launch" in contents,
        "namesGainMap": b"gain map" in contents or b"hdrgm:Version" in contents,
        "saysTurned": b'tiff:Orientation="6"' in contents,
    }
    print(json.dumps(fields))


if __name__ == "__main__":
    main()
