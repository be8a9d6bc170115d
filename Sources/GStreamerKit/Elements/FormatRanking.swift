import Imaging

/// Formats in the order in which a conversion from `input` loses and costs least.
struct FormatRanking: Sequence {
    private let formats: [PixelFormat]

    init(of formats: [PixelFormat], from input: PixelFormat) {
        let layout = input.layout
        let ranked = formats.map { (format: $0, loss: Self.loss(from: layout, to: $0.layout)) }
        // Equal ones keep the table's order; `sort` alone does not promise it.
        self.formats = ranked.enumerated().sorted {
            $0.element.loss == $1.element.loss ? $0.offset < $1.offset : $0.element.loss < $1.element.loss
        }.map(\.element.format)
    }

    func makeIterator() -> IndexingIterator<[PixelFormat]> { formats.makeIterator() }

    /// What a conversion does to the picture, the worst first, then how many bytes it writes.
    private static func loss(from input: PixelLayout, to output: PixelLayout) -> Int {
        var loss = 0
        if output.model == .gray && input.model != .gray { loss += 1 << 20 }
        if output.alpha == nil && input.alpha != nil { loss += 1 << 19 }
        if output.depth < input.depth { loss += 1 << 18 }
        if !output.keepsChroma(of: input) { loss += 1 << 17 }
        if output.model != input.model { loss += 1 << 16 }
        return loss + output.bitsPerPixel
    }
}

extension PixelLayout {
    /// Whether there are as many chroma samples in each direction; grey has none to lose.
    fileprivate func keepsChroma(of input: PixelLayout) -> Bool {
        let (own, others) = (component(1), input.component(1))
        return input.model == .gray
            || own.widthShift <= others.widthShift && own.heightShift <= others.heightShift
    }

    fileprivate var bitsPerPixel: Int {
        (0..<planeCount).reduce(0) { $0 + rowBytes(plane: $1, width: 64) * rows(plane: $1, height: 64) } / 512
    }
}
