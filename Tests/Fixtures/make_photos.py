"""Makes photos of many kinds out of one picture, for the tests of the tool; needs Pillow, NumPy and heif-enc.

    python3 Tests/Fixtures/make_photos.py PICTURE FOLDER
"""

import io
import struct
import subprocess
import sys
import zlib
from pathlib import Path

import numpy as np
from PIL import Image

XMP = b"""<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:tiff="http://ns.adobe.com/tiff/1.0/"
 xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/" hdrgm:Version="1.0" tiff:Orientation="6"
 xmlns:Container="http://ns.google.com/photos/1.0/container/">
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">A launch</rdf:li></rdf:Alt></dc:title>
<Container:Directory><rdf:Seq><rdf:li>gain map</rdf:li></rdf:Seq></Container:Directory>
</rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>"""


def display_p3() -> bytes:
    """Returns a profile of version 2: the primaries of Display P3, adapted to D50, with a gamma of 2.2."""

    def xyz(*values: float) -> bytes:
        return b"XYZ " + bytes(4) + b"".join(struct.pack(">i", round(value * 65536)) for value in values)

    name = b"Display P3"
    description = b"desc" + bytes(4) + struct.pack(">I", len(name) + 1) + name + b"\0" + bytes(4 + 4 + 2 + 1 + 67)
    curve = b"curv" + bytes(4) + struct.pack(">IH", 1, round(2.2 * 256)) + bytes(2)
    tags = {
        b"desc": description,
        b"wtpt": xyz(0.9642, 1.0, 0.8249),
        b"rXYZ": xyz(0.51512, 0.24120, -0.00105),
        b"gXYZ": xyz(0.29198, 0.69225, 0.04189),
        b"bXYZ": xyz(0.15710, 0.06657, 0.78407),
        b"rTRC": curve,
        b"gTRC": curve,
        b"bTRC": curve,
    }
    table, data = b"", b""
    start = 128 + 4 + 12 * len(tags)
    for tag, value in tags.items():
        value += bytes(-len(value) % 4)
        table += tag + struct.pack(">II", start + len(data), len(value))
        data += value
    body = struct.pack(">I", len(tags)) + table + data
    size = struct.pack(">I", 128 + len(body))
    header = size + bytes(4) + b"\x02\x10\0\0mntrRGB XYZ " + bytes(12) + b"acsp" + bytes(28)
    header += struct.pack(">iii", 63190, 65536, 54061)
    return header + bytes(128 - len(header)) + body


def deep_png(samples: np.ndarray, profile: bytes) -> bytes:
    """Returns a PNG of 16 bits, which Pillow does not write."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    height, width, _ = samples.shape
    header = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 16, 2, 0, 0, 0))
    header += chunk(b"iCCP", b"P3\0\0" + zlib.compress(profile))
    rows = b"".join(b"\0" + row.astype(">u2").tobytes() for row in samples)
    return b"\x89PNG\r\n\x1a\n" + header + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def jpeg(image: Image.Image, **options: object) -> bytes:
    file = io.BytesIO()
    image.save(file, "JPEG", quality=95, subsampling=0, **options)
    return file.getvalue()


def described(image: Image.Image) -> bytes:
    """Returns a JPEG that is stored sideways, with EXIF, XMP and a thumbnail."""
    exif = Image.Exif()
    exif[0x010F], exif[0x0110], exif[0x013B], exif[0x0112] = "Maker", "Camera 1", "An author", 6
    exif[0x8769] = {0x9003: "2024:01:02 03:04:05"}
    exif[0x8825] = {1: "N", 2: (48.0, 8.0, 0.0), 3: "E", 4: (11.0, 34.0, 0.0)}
    plain = jpeg(image.transpose(Image.Transpose.ROTATE_90), exif=exif)
    packet = b"http://ns.adobe.com/xap/1.0/\0" + XMP
    return plain[:2] + b"\xff\xe1" + struct.pack(">H", len(packet) + 2) + packet + plain[2:]


def main() -> None:
    image, folder = Image.open(sys.argv[1]).convert("RGB"), Path(sys.argv[2])
    image.info.clear()
    profile, first = display_p3(), jpeg(image)
    small = jpeg(image.resize((image.width // 4, image.height // 4)).convert("L"))
    (folder / "two.jpg").write_bytes(first + small)
    (folder / "clip-behind.jpg").write_bytes(first + b"\0\0\0\x18ftypmp42\0\0\0\0mp42isom" + bytes(500))
    (folder / "p3.jpg").write_bytes(jpeg(image, icc_profile=profile))
    image.save(folder / "p3.webp", lossless=True, icc_profile=profile)
    image.save(folder / "p3.png", icc_profile=profile)
    (folder / "deep.png").write_bytes(deep_png(np.asarray(image).astype(int) * 257, profile))
    (folder / "described.jpg").write_bytes(described(image))
    image.convert("CMYK").save(folder / "cmyk.jpg", quality=95, subsampling=0)
    image.save(folder / "plain.bmp")
    image.save(folder / "plain.tif")
    image.save(folder / "plain.webp", lossless=True)
    (folder / "plain.jpg").write_bytes(first)
    Image.new("RGB", (64, 48), (128, 128, 128)).save(folder / "nobody.png")
    image.save(folder / "plain.png")
    subprocess.run(["heif-enc", "-q", "95", folder / "plain.png", "-o", folder / "plain.heic"], check=True)


if __name__ == "__main__":
    main()
