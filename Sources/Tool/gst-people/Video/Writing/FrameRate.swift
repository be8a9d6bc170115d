import MediaFiles

extension VideoInput {
    /// Frames a second while the picture moves, for encoders and time codes; times of frames do not depend on it.
    ///
    /// It is the rate that the file names, unless most frames follow each other at another one: a mean is too low where a
    /// frame is held for long, and browsers' recordings name the ticks of their clock.
    var encodedRate: Rational {
        let named = track.video.rate.flatMap { $0.value < Self.limit ? $0 : nil }
        guard hasExactTimes, let typical = typicalRate else {
            return (named ?? Rational(25, 1)).common(0.0005)
        }
        if let named, abs(named.value / typical - 1) < 0.1 { return named.common(0.0005) }
        // Containers round times to milliseconds.
        return Rational(Int((typical * 1000).rounded()), 1000).common(0.01)
    }

    /// Frames a second of a file that has one rate, so that it lasts as long.
    var meanRate: Rational {
        guard hasExactTimes, let first = frameTimes.first, let last = frameTimes.last, last > first else {
            return encodedRate
        }
        let mean = Double(frameTimes.count - 1) * 1e9 / Double(last - first)
        return Rational(Int((mean * 1000).rounded()), 1000).common(0.001)
    }

    /// The rate of the middle half of all frames, by how long they are shown.
    private var typicalRate: Double? {
        let lengths = zip(frameTimes.dropFirst(), frameTimes).map { $0 - $1 }.sorted()
        let middle = lengths[(lengths.count / 4)..<(lengths.count - lengths.count / 4)]
        let sum = middle.reduce(0, +)
        guard sum > 0 else { return nil }
        let rate = Double(middle.count) * 1e9 / Double(sum)
        return min(max(rate, 0.01), Self.limit - 1)
    }

    /// ffmpeg's reader of NUT takes lower rates only.
    private static let limit = 1000.0
}

extension Rational {
    /// Returns the rate of cameras, cinema or television that differs by less than a part of this one; otherwise this one.
    fileprivate func common(_ part: Double) -> Rational {
        let nearest = Self.rates.min { abs($0.value - value) < abs($1.value - value) }
        guard let nearest, abs(nearest.value / value - 1) < part else { return self }
        return nearest
    }

    private static let rates =
        [24, 30, 48, 60, 120, 240].map { Rational($0 * 1000, 1001) }
        + [12, 15, 24, 25, 30, 48, 50, 60, 100, 120, 240].map { Rational($0, 1) }
}
