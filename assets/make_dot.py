"""Draws dot.png: a white disc with soft edges, a little darker towards its rim, 128 x 128 pixels. Needs nothing but Python.

Run it in this folder: python3 make_dot.py
"""

import math
import struct
import zlib

SIZE = 128
RADIUS = SIZE / 2


def pixel(x, y):
    """Grey and alpha of a pixel, by the distance of its middle from that of the disc."""
    distance = math.hypot(x + 0.5 - RADIUS, y + 0.5 - RADIUS)
    alpha = min(max(RADIUS - distance, 0.0), 1.0)
    # Lit from the upper left.
    lit = math.hypot(x + 0.5 - 0.7 * RADIUS, y + 0.5 - 0.7 * RADIUS) / RADIUS
    grey = 1.0 - 0.28 * min(lit, 1.5) ** 2 / 1.5
    return round(255 * grey), round(255 * alpha)


def chunk(kind, data):
    body = kind + data
    return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))


rows = b"".join(
    b"\0" + b"".join(bytes(pixel(x, y)) for x in range(SIZE)) for y in range(SIZE)
)
with open("dot.png", "wb") as file:
    file.write(b"\x89PNG\r\n\x1a\n")
    # 8 bits a channel, grey with alpha.
    file.write(chunk(b"IHDR", struct.pack(">IIBBBBB", SIZE, SIZE, 8, 4, 0, 0, 0)))
    file.write(chunk(b"IDAT", zlib.compress(rows, 9)))
    file.write(chunk(b"IEND", b""))
