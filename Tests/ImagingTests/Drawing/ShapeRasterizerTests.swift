import Foundation
import Imaging
import TestSupport
import Testing

/// Drawing, compared with its plain definition, in all formats.
@Suite struct ShapeRasterizerTests {
    private struct Line {
        let start: Point
        let end: Point
        let width: Double
    }

    /// Lines inside, across every edge, outside and along the axes, and a dot.
    private static let lines = [
        Line(start: Point(x: 3.2, y: 4.7), end: Point(x: 24.1, y: 11.3), width: 3),
        Line(start: Point(x: -9, y: 30), end: Point(x: 50, y: -12), width: 2.2),
        Line(start: Point(x: 15.5, y: -40), end: Point(x: 15.5, y: 90), width: 1),
        Line(start: Point(x: -5, y: 7), end: Point(x: 60, y: 7), width: 4.5),
        Line(start: Point(x: 100, y: 100), end: Point(x: 140, y: 90), width: 5),
        Line(start: Point(x: 20.3, y: 10.9), end: Point(x: 20.3, y: 10.9), width: 9),
        Line(start: Point(x: 28, y: 18), end: Point(x: 4, y: 1), width: 0.1),
    ]

    @Test(arguments: PixelFormat.allCases)
    func linesAreTheirDefinition(_ format: PixelFormat) {
        for (width, height) in [(32, 20), (31, 19), (1, 1)] {
            for (index, line) in Self.lines.enumerated() {
                let (image, expected) = (TestImage(format, width, height), TestImage(format, width, height))
                image.fillRandomly(seed: UInt64(index))
                expected.fillRandomly(seed: UInt64(index))
                let color = RGBColor(red: 230, green: 90, blue: 30)
                ShapeRasterizer(image.mutableView).line(
                    from: line.start, to: line.end, width: line.width, color: color)
                draw(line, color, on: expected)
                #expect(image.bytes == expected.bytes, "line \(index) at \(width)x\(height)")
                #expect(image.canariesAreIntact)
            }
        }
    }

    /// Draws every sample by the definition: the mean coverage of its pixels, from the distance to the
    /// nearest point.
    private func draw(_ line: Line, _ color: RGBColor, on image: TestImage) {
        let (layout, view) = (image.view.format.layout, image.view)
        let values = color.components(of: view.format, colorimetry: view.colorimetry)
        let colors = [values.0, values.1, values.2]
        var parts: [(Int, ComponentLayout, UInt16)] = []
        for index in 0..<layout.colorCount { parts.append((index, layout.component(index), colors[index])) }
        if let alpha = layout.alpha { parts.append((3, alpha, UInt16(layout.maximum))) }
        for (index, part, value) in parts {
            for y in 0..<part.sampleHeight(view.height) {
                for x in 0..<part.sampleWidth(view.width) {
                    let columns = pixels(x, part.widthShift, view.width)
                    let rows = pixels(y, part.heightShift, view.height)
                    let coverage = mean(columns, rows, line)
                    let share = index == 3 ? coverage : share(coverage, image, columns, rows)
                    let old = Double(image[index, x, y])
                    image[index, x, y] = UInt16((old + (Double(value) - old) * share).rounded())
                }
            }
        }
    }

    /// Returns the line's fraction of the pixels' colour by their mean alpha: the "over" of Porter and Duff.
    private func share(_ coverage: Double, _ image: TestImage, _ columns: [Int], _ rows: [Int]) -> Double {
        let layout = image.view.format.layout
        guard layout.alpha != nil, coverage > 0 else { return coverage }
        let all = rows.flatMap { y in columns.map { x in Double(image[3, x, y]) } }
        let alpha = all.reduce(0, +) / Double(all.count) / Double(layout.maximum)
        return coverage / (coverage + alpha * (1 - coverage))
    }

    private func pixels(_ index: Int, _ shift: Int, _ count: Int) -> [Int] {
        (0..<(1 << shift)).map { (index << shift) + $0 }.filter { $0 < count }
    }

    private func mean(_ columns: [Int], _ rows: [Int], _ line: Line) -> Double {
        let all = rows.flatMap { y in columns.map { x in coverage(x, y, line) } }
        return all.reduce(0, +) / Double(all.count)
    }

    private func coverage(_ x: Int, _ y: Int, _ line: Line) -> Double {
        let (px, py) = (Double(x) + 0.5 - line.start.x, Double(y) + 0.5 - line.start.y)
        let (ax, ay) = (line.end.x - line.start.x, line.end.y - line.start.y)
        let length = ax * ax + ay * ay
        let share = length > 0 ? min(max((px * ax + py * ay) / length, 0), 1) : 0
        let distance = hypot(px - share * ax, py - share * ay)
        return min(max(max(line.width / 2, 0.5) + 0.5 - distance, 0), 1)
    }

    @Test func aDiscHasItsArea() {
        let image = TestImage(.gray8, 64, 64)
        let white = RGBColor(red: 255, green: 255, blue: 255)
        ShapeRasterizer(image.mutableView).disc(center: Point(x: 31.3, y: 32.6), radius: 20, color: white)
        let area = image.bytes.reduce(0) { $0 + (Double($1) - 0) } / 235
        #expect(abs(area - .pi * 400) < 8, "\(area)")
    }

    @Test func aRectangleIsFourLines() {
        let (one, other) = (TestImage(.rgb, 40, 30), TestImage(.rgb, 40, 30))
        let corners = [(5.0, 6.0), (30, 6), (30, 20), (5, 20)].map { Point(x: $0.0, y: $0.1) }
        let color = RGBColor(red: 255, green: 0, blue: 90)
        ShapeRasterizer(one.mutableView).rectangle(
            Rectangle(x: 5, y: 6, width: 25, height: 14), width: 2, color: color)
        for (start, end) in zip(corners, corners.dropFirst() + corners.prefix(1)) {
            ShapeRasterizer(other.mutableView).line(from: start, to: end, width: 2, color: color)
        }
        #expect(one.bytes == other.bytes)
        #expect(one[0, 15, 5] == 255 && one[0, 15, 13] == 0)
    }

    static let formatsWithAlpha = PixelFormat.allCases.filter { $0.layout.alpha != nil }

    /// The colours of transparent pixels must stay hidden: a drawing over them is the same whatever they are.
    @Test(arguments: formatsWithAlpha)
    func nothingTransparentShowsThrough(_ format: PixelFormat) {
        let images = [UInt64(1), 2].map { seed in
            let image = TestImage(format, 31, 19)
            image.fillRandomly(seed: seed)
            for y in 0..<19 { for x in 0..<31 { image[3, x, y] = 0 } }
            ShapeRasterizer(image.mutableView).line(
                from: Point(x: 3.2, y: 4.7), to: Point(x: 24.1, y: 11.3), width: 3,
                color: RGBColor(red: 230, green: 90, blue: 30))
            return image
        }
        var visible = 0
        for y in 0..<19 {
            for x in 0..<31 where images[0][3, x, y] > 0 {
                visible += 1
                for index in 0..<3 {
                    let part = format.layout.component(index)
                    let (column, row) = (x >> part.widthShift, y >> part.heightShift)
                    #expect(images[0][index, column, row] == images[1][index, column, row])
                }
            }
        }
        #expect(visible > 60)
    }

    @Test func absurdPlacesDrawNothing() {
        let image = TestImage(.i420, 16, 16)
        let (start, color) = (Point(x: 8, y: 8), RGBColor(red: 255, green: 255, blue: 255))
        for value in [Double.nan, .infinity, -.infinity, 1e300] {
            ShapeRasterizer(image.mutableView).line(
                from: start, to: Point(x: value, y: 3), width: 2, color: color)
            ShapeRasterizer(image.mutableView).disc(center: start, radius: value, color: color)
        }
        #expect(image.bytes.allSatisfy { $0 == 0 })
    }
}
