import Foundation
import Imaging
import TestSupport
import Testing

@Suite struct HaloTests {
    private let compositor = MaskCompositor()

    /// Returns a disc in the middle, with an edge of one mask value.
    private func disc(_ width: Int, _ height: Int, radius: Double) -> TestMask {
        let mask = TestMask(.gray8, width, height)
        mask.fill { x, y in
            let (dx, dy) = (
                (Double(x) + 0.5 - Double(width) / 2) / Double(width) * 4 / 3,
                (Double(y) + 0.5 - Double(height) / 2) / Double(height)
            )
            let distance = (dx * dx + dy * dy).squareRoot()
            return Float(min(max((radius - distance) * Double(height) + 0.5, 0), 1))
        }
        return mask
    }

    /// Outline pixels by their distance from a disc of radius 0.2: full up to the width, none beyond it.
    @Test(
        arguments: [PixelFormat.gray8, .gray16, .rgb, .i420, .p010, .y41b], [(64, 48), (200, 90), (640, 480)])
    func aHaloAroundADiscIsARing(format: PixelFormat, maskSize: (Int, Int)) throws {
        let (width, height) = (320, 240)
        let frame = TestImage(format, width, height, colorimetry: Colorimetry(range: .full))
        let mask = disc(maskSize.0, maskSize.1, radius: 0.2)
        let halo = Halo(color: .white, width: 0.1)
        try compositor.composite(frame, mask, Composition(source: .color(.black), effects: [.halo(halo)]))
        // The tolerance is one mask value, with which the contour is known.
        let slack = 1.2 * 240 / Double(min(maskSize.0 * 3 / 4, maskSize.1)) + 1.5
        var area = 0.0
        for y in 0..<height {
            for x in 0..<width {
                let distance = hypot(Double(x) + 0.5 - 160, Double(y) + 0.5 - 120)
                let value = Double(frame[0, x, y]) / frame.maximum
                area += value
                if distance > 48 + slack, distance < 72 - slack { #expect(value > 0.99) }
                if distance < 48 - slack || distance > 72 + slack { #expect(value < 0.01) }
            }
        }
        let expected = Double.pi * (72 * 72 - 48 * 48)
        #expect(abs(area / expected - 1) < 0.06, "\(area / expected)")
    }

    /// An outline's outer edge goes from nothing to full within a few pixels, however coarse the mask is.
    @Test func edgesAreSharpAndAntialiased() throws {
        let frame = TestImage(.gray8, 640, 480, colorimetry: Colorimetry(range: .full))
        let mask = disc(64, 48, radius: 0.2)
        let halo = Halo(color: .white, width: 0.1)
        try compositor.composite(frame, mask, Composition(source: .color(.black), effects: [.halo(halo)]))
        for y in 200..<280 {
            let soft = (440..<640).filter { (5...250).contains(frame[0, $0, y]) }.count
            #expect((1...5).contains(soft), "row \(y)")
        }
    }

    /// Stray values of the mask get neither outline nor shadow; a part that may be a person's hand does.
    @Test(arguments: [(side: 1, coverage: Float(1), isDrawn: false), (3, 0.45, false), (8, 1, true)])
    func specksHaveNoHalo(side: Int, coverage: Float, isDrawn: Bool) throws {
        let mask = disc(128, 96, radius: 0.2)
        let plain = mask.values
        mask.fill { x, y in
            (8..<8 + side).contains(x) && (8..<8 + side).contains(y) ? coverage : plain[y][x]
        }
        let layers: [BackgroundEffect] = [
            .halo(Halo(color: .white, width: 0.03)), .shadow(Shadow(opacity: 1, radius: 0.03)),
        ]
        for layer in layers {
            let frame = TestImage(.gray8, 512, 384, colorimetry: Colorimetry(range: .full))
            let bare = TestImage(.gray8, 512, 384, colorimetry: Colorimetry(range: .full))
            let background = BackgroundSource.color(RGBColor(red: 128, green: 128, blue: 128))
            try compositor.composite(frame, mask, Composition(source: background, effects: [layer]))
            try compositor.composite(bare, mask, Composition(source: background))
            let around = (16..<112).flatMap { y in (16..<112).map { (x: $0, y: y) } }
            let differs = around.contains { abs(Int(frame[0, $0.x, $0.y]) - Int(bare[0, $0.x, $0.y])) > 3 }
            #expect(differs == isDrawn, "\(layer)")
        }
    }

    @Test func masksWithoutSubjectHaveNoHalo() throws {
        let frame = TestImage.random(.i420, (64, 48))
        let before = frame.bytes
        let composition = Composition(
            source: .original,
            effects: [.halo(Halo(color: .white, width: 0.1)), .shadow(Shadow(opacity: 1))])
        try compositor.composite(frame, TestMask(.gray8, 16, 9), composition)
        #expect(frame.bytes == before)
    }
}
