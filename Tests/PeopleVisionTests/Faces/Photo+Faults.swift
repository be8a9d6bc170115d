/// Faults of photographs.
extension Photo {
    /// Returns the photo averaged twice over squares of (2 `radius` + 1) pixels a side.
    func blurred(radius: Int) -> Photo {
        radius == 0
            ? self
            : averaged(radius, dx: 1, dy: 0).averaged(radius, dx: 0, dy: 1)
                .averaged(radius, dx: 1, dy: 0).averaged(radius, dx: 0, dy: 1)
    }

    private func averaged(_ radius: Int, dx: Int, dy: Int) -> Photo {
        var new = bytes
        for y in 0..<height {
            for x in 0..<width {
                for channel in 0..<3 {
                    let sum = (-radius...radius).reduce(0) { sum, step in
                        let (u, v) = (
                            min(max(x + step * dx, 0), width - 1), min(max(y + step * dy, 0), height - 1)
                        )
                        return sum + Int(bytes[3 * (v * width + u) + channel])
                    }
                    new[3 * (y * width + x) + channel] = UInt8(sum / (2 * radius + 1))
                }
            }
        }
        return Photo(width: width, height: height, bytes: new)
    }

    /// Returns the photo exposed `factor` times as long.
    func exposed(_ factor: Double) -> Photo {
        Photo(width: width, height: height, bytes: bytes.map { UInt8(min(Double($0) * factor, 255)) })
    }

    /// Returns the photo with the contrast of fog.
    func faded(_ share: Double) -> Photo {
        Photo(
            width: width, height: height,
            bytes: bytes.map { UInt8((Double($0) * (1 - share) + 128 * share).rounded()) })
    }

    /// Returns the photo with a grey rectangle in front.
    func covered(_ columns: Range<Int>, _ rows: Range<Int>) -> Photo {
        var new = bytes
        for y in rows {
            for x in columns {
                for channel in 0..<3 { new[3 * (y * width + x) + channel] = 150 }
            }
        }
        return Photo(width: width, height: height, bytes: new)
    }
}
