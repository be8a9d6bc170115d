"""Makes pictures of rare kinds out of one picture, for the tests of the tool; needs Pillow and NumPy.

    python3 Tests/Fixtures/make_odd_photos.py PICTURE FOLDER
"""

import base64
import io
import struct
import sys
import zlib
from pathlib import Path

import numpy as np
from PIL import Image

SIZE = (256, 256)
SRGB = (31270, 32900, 64000, 33000, 30000, 60000, 15000, 6000)
P3 = (31270, 32900, 68000, 32000, 26500, 69000, 15000, 6000)


def tiff(samples: np.ndarray, photometric: int) -> bytes:
    """Returns a TIFF with these samples (TIFF 6.0): 1 is gray, 2 RGB, 5 CMYK."""
    height, width, bands = samples.shape
    kind = {"u": 1, "i": 2, "f": 3}[samples.dtype.kind]
    bits, data = samples.dtype.itemsize * 8, samples.tobytes()
    lists = 8 + 2 + 12 * 10 + 4
    start = lists + 4 * bands

    def entry(tag: int, size: int, count: int, value: int) -> bytes:
        return struct.pack("<HHII", tag, size, count, value)

    def numbers(tag: int, value: int, place: int) -> bytes:
        return entry(tag, 3, bands, place if bands > 2 else value)

    directory = (
        entry(256, 4, 1, width)
        + entry(257, 4, 1, height)
        + numbers(258, bits, lists)
        + entry(259, 3, 1, 1)
        + entry(262, 3, 1, photometric)
        + entry(273, 4, 1, start)
        + entry(277, 3, 1, bands)
        + entry(278, 4, 1, height)
        + entry(279, 4, 1, len(data))
        + numbers(339, kind, lists + 2 * bands)
    )
    values = struct.pack(f"<{2 * bands}H", *[bits] * bands, *[kind] * bands)
    return b"II*\0" + struct.pack("<IH", 8, 10) + directory + bytes(4) + values + data


def png(samples: np.ndarray, *chunks: tuple[bytes, bytes]) -> bytes:
    """Returns a PNG with these chunks before its samples."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    height, width, _ = samples.shape
    header = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    rows = b"".join(b"\0" + row.tobytes() for row in samples)
    extra = b"".join(chunk(*each) for each in chunks)
    return b"\x89PNG\r\n\x1a\n" + header + extra + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def segment(mark: int, data: bytes) -> bytes:
    return bytes([0xFF, mark]) + struct.pack(">H", len(data) + 2) + data


def with_pictures_in_metadata(image: Image.Image) -> bytes:
    """Returns a JPEG with the picture in EXIF (thumbnail, maker's note), XMP, Photoshop's block and IPTC."""
    small = io.BytesIO()
    image.resize((32, 32)).save(small, "JPEG")
    thumbnail = small.getvalue()
    exif = Image.Exif()
    exif[0x010F], exif[0x8769] = "Maker", {0x9003: "2024:01:02 03:04:05", 0x927C: b"Note\0" + thumbnail}
    file = io.BytesIO()
    image.save(file, "JPEG", quality=95, subsampling=0, exif=exif)
    plain = file.getvalue()
    text = base64.b64encode(thumbnail).decode()
    packet = (
        '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">'
        '<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmp="http://ns.adobe.com/xap/1.0/"'
        ' xmlns:xmpGImg="http://ns.adobe.com/xap/1.0/g/img/"><dc:title>A launch</dc:title><xmp:Thumbnails><rdf:Alt>'
        f'<rdf:li rdf:parseType="Resource"><xmpGImg:image>{text}</xmpGImg:image></rdf:li></rdf:Alt></xmp:Thumbnails>'
        "</rdf:Description></rdf:RDF></x:xmpmeta>"
    )
    caption, preview = b"A caption", thumbnail
    texts = b"\x1c\x02\x78" + struct.pack(">H", len(caption)) + caption
    texts += b"\x1c\x02\xca" + struct.pack(">H", len(preview)) + preview
    texts += bytes(len(texts) % 2)

    def resource(number: int, data: bytes) -> bytes:
        return b"8BIM" + struct.pack(">HHI", number, 0, len(data)) + data + bytes(len(data) % 2)

    block = b"Photoshop 3.0\0" + resource(0x040C, bytes(28) + thumbnail) + resource(0x0404, texts)
    extra = segment(0xE1, b"http://ns.adobe.com/xap/1.0/\0" + packet.encode()) + segment(0xED, block)
    return plain[:2] + extra + plain[2:]


def main() -> None:
    image, folder = Image.open(sys.argv[1]).convert("RGB").resize(SIZE), Path(sys.argv[2])
    image.info.clear()
    samples = np.asarray(image)
    share, gray = samples / 255, np.asarray(image.convert("L"))[..., None] / 255
    inks = np.concatenate([1 - share, np.zeros_like(gray)], 2)
    image.save(folder / "original.png")
    image.convert("L").save(folder / "original-gray.png")
    for name, values, photometric in [
        ("float", share.astype("<f4"), 2),
        ("double", share.astype("<f8"), 2),
        ("half", share.astype("<f2"), 2),
        ("float-255", (share * 255).astype("<f4"), 2),
        ("16", (share * 65535).astype("<u2"), 2),
        ("32", (share * (2**32 - 1)).astype("<u4"), 2),
        ("cmyk-16", (inks * 65535).astype("<u2"), 5),
        ("gray-float", gray.astype("<f4"), 1),
        ("gray-16", (gray * 65535).astype("<u2"), 1),
    ]:
        (folder / f"{name}.tif").write_bytes(tiff(values, photometric))
    image.quantize(256).save(folder / "palette.tif")

    def gamma(value: int) -> tuple[bytes, bytes]:
        return b"gAMA", struct.pack(">I", value)

    def primaries(values: tuple[int, ...]) -> tuple[bytes, bytes]:
        return b"cHRM", struct.pack(">8I", *values)

    for name, chunks in {
        "linear": [gamma(100000)],
        "gamma-of-srgb": [gamma(45455), primaries(SRGB)],
        "srgb-before-gamma": [gamma(100000), (b"sRGB", b"\0")],
        "p3-by-chrm": [gamma(45455), primaries(P3)],
        "p3-by-cicp": [(b"cICP", bytes([12, 13, 0, 1])), (b"sRGB", b"\0")],
        "linear-by-cicp": [(b"cICP", bytes([1, 8, 0, 1])), gamma(45455)],
        "pq": [(b"cICP", bytes([9, 16, 0, 1]))],
    }.items():
        (folder / f"{name}.png").write_bytes(png(samples, *chunks))
    (folder / "pictures-in-metadata.jpg").write_bytes(with_pictures_in_metadata(image))
    for kind, options in {"jpg": {"quality": 95}, "png": {}, "webp": {"quality": 90}, "tif": {}}.items():
        file = io.BytesIO()
        image.save(file, {"jpg": "JPEG", "tif": "TIFF"}.get(kind, kind), **options)
        whole = file.getvalue()
        (folder / f"cut.{kind}").write_bytes(whole[: len(whole) * 7 // 10])
        if kind == "jpg":
            (folder / "without-end.jpg").write_bytes(whole[:-2])


if __name__ == "__main__":
    main()
