import Foundation
import TestSupport
import Testing

/// Effects on the background, over any source, in formats of each kind.
struct EffectTests {
    static let formats = ["RGB", "BGRA", "I420", "NV12", "YUY2", "Y444", "AYUV", "P010_10LE", "Y444_10LE"]
    private static let side = 120
    private static let subject = 40..<80

    private static func isSubject(_ x: Int, _ y: Int) -> Bool { subject.contains(x) && subject.contains(y) }

    /// Returns an orange square in front of a bluish wall.
    private static func scene() throws -> Frame {
        let frame = try Frame(caps("RGB", side, side))
        for (index, colours) in [(220, 60), (120, 100), (40, 160)].enumerated() {
            frame.fill(index) { UInt8(isSubject($0, $1) ? colours.0 : colours.1) }
        }
        return frame
    }

    /// Returns the scene as R, G, B after blendmask has processed it in `format`.
    private func shown(_ properties: String, _ format: String) throws -> Picture {
        let frame = try Self.scene().converted(to: caps(format, Self.side, Self.side))
        try HandMadeMask(width: Self.side, height: Self.side) { Self.isSubject($0, $1) ? 255 : 0 }
            .attach(to: frame)
        let after = try Harness("blendmask \(properties)", caps: frame.caps).transform(frame)
        #expect(after.format == format)
        return Picture(try after.converted(to: caps("RGB", Self.side, Self.side)))
    }

    private struct Picture {
        let parts: [Frame.Samples]

        init(_ frame: Frame) { parts = (0..<3).map { frame.samples($0) } }

        subscript(x: Int, y: Int) -> [Int] { parts.map { Int($0[y][x]) } }

        /// Returns the mean of a square on the diagonal.
        func mean(_ sides: Range<Int>) -> Double {
            let values = sides.flatMap { y in sides.flatMap { x in self[x, y] } }
            return Double(values.reduce(0, +)) / Double(max(1, values.count))
        }

        func keepsSubject() -> Bool {
            [(44, 44), (60, 60), (75, 75)].allSatisfy { isNear(self[$0.0, $0.1], [220, 120, 40]) }
        }
    }

    private static func isNear(_ one: [Int], _ other: [Int], by distance: Int = 6) -> Bool {
        zip(one, other).allSatisfy { abs($0 - $1) <= distance }
    }

    private static let wall = [60, 100, 160]

    @Test(arguments: formats)
    func exposureChangesTheLight(_ format: String) throws {
        let (dark, bright) = (
            try shown("exposure=-2", format), try shown("exposure=1", format)
        )
        #expect(dark.keepsSubject() && bright.keepsSubject())
        for index in 0..<3 {
            #expect(dark[10, 10][index] < Self.wall[index] - 20)
            #expect(bright[10, 10][index] > Self.wall[index] + 10)
        }
    }

    /// Light times 2 is, by the power law of 2.4, values times 1.335.
    @Test(arguments: formats)
    func peopleExposureChangesThePeopleOnly(_ format: String) throws {
        let bright = try shown("background-source=original people-exposure=1", format)
        let expected = [255, 160, 53]
        #expect(Self.isNear(bright[60, 60], expected, by: 12), "\(bright[60, 60])")
        #expect(Self.isNear(bright[10, 10], Self.wall) && Self.isNear(bright[110, 60], Self.wall))
        let over = try shown("background-color=0xff0000ff people-exposure=-1", format)
        #expect(Self.isNear(over[60, 60], [165, 90, 30], by: 8), "\(over[60, 60])")
        #expect(Self.isNear(over[10, 10], [0, 0, 255], by: 8))
        // People who are replaced stay so.
        let without = try shown("background-color=0xff00ff00 invert=true people-exposure=2", format)
        #expect(Self.isNear(without[60, 60], [0, 255, 0]) && Self.isNear(without[10, 10], Self.wall))
    }

    /// Sixty frames of a dark room with noise, then one with light: the people are brightened by 1.5 stops at once, which
    /// is 1.54 times their values, do not flicker, and get darker slowly.
    @Test(arguments: ["I420", "RGB"])
    func peopleInTheDarkAreBrightened(_ format: String) throws {
        var generator = SeededGenerator(seed: 9)
        let harness = try Harness(
            "blendmask background-source=original low-light=true", caps: caps(format, Self.side, Self.side))
        var means: [Double] = []
        for index in 0..<90 {
            let isDark = index < 60
            let frame = try Frame(caps("RGB", Self.side, Self.side))
            for plane in 0..<3 {
                frame.fill(plane) { x, y in
                    let value = (Self.isSubject(x, y) ? 50 : 30) * (isDark ? 1 : 3)
                    return UInt8(value + Int.random(in: -6...6, using: &generator))
                }
            }
            let input = try frame.converted(to: caps(format, Self.side, Self.side))
            input.buffer.pointee.pts = UInt(index) * 33_333_333
            try HandMadeMask(width: Self.side, height: Self.side) { Self.isSubject($0, $1) ? 255 : 0 }
                .attach(to: input)
            let picture = Picture(
                try harness.transform(input).converted(to: caps("RGB", Self.side, Self.side)))
            let (people, wall) = (picture.mean(Self.subject), picture.mean(0..<30))
            means.append(people)
            #expect(abs(wall - (isDark ? 30 : 90)) < 4, "\(index): \(wall)")
        }
        // The conversion to Y'CbCr and back takes away a value or two.
        #expect(means.prefix(60).allSatisfy { abs($0 - 76) < 4 }, "\(means.prefix(60))")
        for (one, next) in zip(means.prefix(59), means.dropFirst()) { #expect(abs(one - next) < 1.5) }
        // They have 150 themselves: from 1.5 stops half a stop is taken away in a second.
        #expect(abs(means[60] - 230) < 5 && abs(means[89] - 200) < 5, "\(means.suffix(30))")
    }

    @Test(arguments: formats)
    func desaturationMakesGrey(_ format: String) throws {
        let grey = try shown("desaturate=1", format)
        #expect(grey.keepsSubject())
        let colour = grey[10, 10]
        #expect(Self.isNear(colour, [colour[1], colour[1], colour[1]]))
        #expect((60...160).contains(colour[1]))
    }

    @Test(arguments: formats)
    func haloSurroundsTheSubject(_ format: String) throws {
        // Five per cent of 120 are six pixels.
        let halo = try shown("background-source=original halo-width=5 halo-color=0xffff00ff", format)
        #expect(halo.keepsSubject())
        for (x, y) in [(36, 60), (83, 60), (60, 36), (60, 83)] {
            #expect(Self.isNear(halo[x, y], [255, 0, 255], by: 40), "\(x), \(y): \(halo[x, y])")
        }
        for (x, y) in [(20, 60), (100, 60), (60, 20), (60, 100)] {
            #expect(Self.isNear(halo[x, y], Self.wall))
        }
    }

    @Test(arguments: formats)
    func shadowFallsWhereItIsAskedTo(_ format: String) throws {
        let shadow = try shown(
            "background-source=original shadow-opacity=0.8 shadow-x=10 shadow-y=10 shadow-radius=1", format)
        #expect(shadow.keepsSubject())
        for (x, y) in [(86, 86), (70, 86), (86, 70)] { #expect(shadow[x, y][2] < 90, "\(shadow[x, y])") }
        for (x, y) in [(30, 60), (60, 30), (110, 110)] { #expect(Self.isNear(shadow[x, y], Self.wall)) }
    }

    @Test(arguments: formats)
    func effectsWorkOnAnySource(_ format: String) throws {
        let scratch = try Scratch()
        let path = scratch.path("stripes.png")
        try PictureBackgroundTests.writeStripes(to: path, as: "image/png")
        let all = try shown(
            "background=\(path) background-fit=stretch blur=40 exposure=-1 halo-width=3 shadow-opacity=0.5",
            format)
        #expect(all.keepsSubject())
        #expect(Self.isNear(all[38, 60], [255, 255, 255], by: 40), "the halo: \(all[38, 60])")
        // Red ends and green begins at 30; both are dimmed, and neither is pure any more.
        #expect(all[30, 10][0] > 20 && all[30, 10][1] > 20)
        #expect(all[10, 10][0] < 220)
        let colour = try shown("background-source=color background-color=0xffc8c8c8 exposure=-1", format)
        #expect(colour[10, 10][0] < 180 && colour[10, 10][0] > 40)
    }

    @Test(arguments: formats)
    func invertExchangesTheRoles(_ format: String) throws {
        let inverted = try shown("background-color=0xff00ff00 invert=true", format)
        #expect(Self.isNear(inverted[60, 60], [0, 255, 0]))
        #expect(Self.isNear(inverted[10, 10], Self.wall))
    }

    // MARK: - Edges

    /// Returns the middle row of a frame with a soft edge in front of a white background.
    ///
    /// The edge is eight pixels wide, between an orange subject (left) and a blue wall.
    private func edge(_ properties: String, _ format: String, quality: String? = nil) throws -> [[Int]] {
        let (width, height) = (64, 480)
        let coverage = { (x: Int) in 1 - min(max(Double(x - 28) / 8, 0), 1) }
        let frame = try Frame(caps("RGB", width, height))
        for (index, colours) in [(0.0, 220.0), (0, 120), (200, 40)].enumerated() {
            frame.fill(index) { x, _ in UInt8(colours.0 + (colours.1 - colours.0) * coverage(x)) }
        }
        let input = try frame.converted(to: caps(format, width, height))
        try HandMadeMask(width: width, height: height) { x, _ in UInt8(255 * coverage(x)) }
            .with("quality", quality.map { .text($0) }).attach(to: input)
        let after = try Harness(
            "blendmask background-color=0xffffffff \(properties)", caps: input.caps
        ).transform(input)
        let picture = Picture(try after.converted(to: caps("RGB", width, height)))
        return (0..<width).map { picture[$0, height / 2] }
    }

    @Test(arguments: ["RGB", "I420", "P010_10LE"])
    func decontaminationTakesTheOldWallOut(_ format: String) throws {
        let (plain, clean) = (try edge("", format), try edge("decontaminate=true", format))
        // With the wall's part removed, red would stay between the subject's 220 and the background's 255.
        #expect(plain[32][0] < 190)
        #expect(clean[32][0] > plain[32][0] + 25, "\(plain[32]) \(clean[32])")
        #expect(Self.isNear(clean[5], plain[5]) && Self.isNear(clean[58], plain[58]))
    }

    /// The nicks of a boolean property, and its numbers, keep the meaning that they had for that type.
    @Test func decontaminationTakesBooleans() throws {
        let (off, on) = (try edge("decontaminate=false", "RGB"), try edge("decontaminate=true", "RGB"))
        #expect(off != on)
        #expect(try edge("decontaminate=0", "RGB") == off && edge("decontaminate=1", "RGB") == on)
    }

    /// `auto` follows the quality of each mask; masks of other programs may have no quality.
    @Test func decontaminationFollowsTheMask() throws {
        let (off, on) = (try edge("decontaminate=false", "RGB"), try edge("decontaminate=true", "RGB"))
        for (quality, expected) in [("fast", off), ("balanced", on), ("accurate", on), (nil, off), ("", off)]
        {
            #expect(try edge("", "RGB", quality: quality) == expected, "\(quality ?? "none")")
        }
        for quality in ["fast", "accurate"] {
            #expect(try edge("decontaminate=true", "RGB", quality: quality) == on)
            #expect(try edge("decontaminate=false", "RGB", quality: quality) == off)
        }
    }

    /// In front of the original background, the background's colour in an edge is the right one.
    @Test func ownBackgroundsAreNotDecontaminated() throws {
        let properties = "background-source=original blur=20"
        let automatic = try edge(properties, "RGB", quality: "accurate")
        #expect(try edge("\(properties) decontaminate=false", "RGB") == automatic)
        #expect(try edge("\(properties) decontaminate=true", "RGB") != automatic)
    }

    @Test(arguments: ["RGB", "I420", "P010_10LE"])
    func lightWrapsAroundTheSubject(_ format: String) throws {
        let (plain, wrapped) = (try edge("", format), try edge("light-wrap=1", format))
        let gain = zip(plain, wrapped).map { $1[2] - $0[2] }
        #expect((gain.max() ?? 0) > 10, "\(gain)")
        #expect((gain.min() ?? 0) >= -2)
        #expect(abs(gain[2]) <= 4 && abs(gain[60]) <= 2)
    }
}
