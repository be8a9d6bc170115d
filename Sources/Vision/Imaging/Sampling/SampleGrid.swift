/// One component of a frame, in the pixels of a rotated tensor.
struct SampleGrid<Sample: PixelSample> {
    private let base: UnsafePointer<Sample>
    private let rowStride: Int
    private let sampleStride: Int
    private let width: Int
    private let height: Int
    /// The map from tensor pixels to index positions of the grid.
    private let map: FrameTransform
    /// Number of points averaged per tensor pixel, along its x and y.
    private let points: (x: Int, y: Int)
    private let black: Float
    private let border: TensorSampler.Border

    /// Maximum number of points per direction; more would not be visible in an image.
    private static var maximumPoints: Double { 16 }

    /// Creates a grid.
    ///
    /// - Parameter map: maps tensor pixels to frame pixels.
    init(
        _ image: ImageView, component index: Int, map: FrameTransform, input: TensorInput, black: SIMD3<Float>
    ) {
        let part = image.format.layout.component(index)
        let plane = image.plane(part.plane)
        let site = image.colorimetry.chromaSite
        let horizontal = part.horizontalAxis(width: image.width, site: site)
        let vertical = part.verticalAxis(height: image.height, site: site)
        base = plane.samples(0) + part.first
        rowStride = plane.stride / MemoryLayout<Sample>.size
        sampleStride = part.step
        width = horizontal.count
        height = vertical.count
        self.black = black[index]
        border = input.border
        let toGrid = FrameTransform(
            xx: horizontal.scale, xy: 0, yx: 0, yy: vertical.scale, dx: horizontal.offset, dy: vertical.offset
        )
        self.map = map.followed(by: toGrid)
        points =
            switch input.filter {
            case .bilinear: (1, 1)
            case .area: (Self.points(self.map.xx, self.map.yx), Self.points(self.map.xy, self.map.yy))
            }
    }

    /// Returns one point per sample that a tensor pixel's side crosses.
    private static func points(_ x: Double, _ y: Double) -> Int {
        Int(min(max((x * x + y * y).squareRoot().rounded(.up), 1), maximumPoints))
    }

    /// Writes the component, minus its black, at `count` tensor pixels of row `y`.
    func sampleRow(_ y: Int, count: Int, into values: UnsafeMutablePointer<Float>) {
        values.update(repeating: 0, count: count)
        for j in 0..<points.y {
            let v = Double(y) + (Double(j) + 0.5) / Double(points.y)
            for i in 0..<points.x {
                let u = (Double(i) + 0.5) / Double(points.x)
                addRow(from: map.map(Point(x: u, y: v)), count: count, to: values)
            }
        }
        let share = 1 / Float(points.x &* points.y)
        for x in 0..<count { values[x] = values[x] * share - black }
    }

    /// Adds the component at `count` positions from `start` on.
    ///
    /// Positions are integers in units of 2^-24 samples: they cannot trap, and cost less than doubles.
    private func addRow(from start: Point, count: Int, to values: UnsafeMutablePointer<Float>) {
        let line = Line(
            x: fixed(start.x), y: fixed(start.y), stepX: fixed(map.xx), stepY: fixed(map.yx))
        var inside = 0..<count
        if border == .black {
            // A line enters the frame once.
            while let i = inside.first, !contains(line, i) { inside.removeFirst() }
            while let i = inside.last, !contains(line, i) { inside.removeLast() }
            for i in 0..<inside.lowerBound { values[i] += valueNearBorder(line.x(i), line.y(i)) }
            for i in inside.upperBound..<count { values[i] += valueNearBorder(line.x(i), line.y(i)) }
        }
        Sample.addLine(
            base, pitch: rowStride, step: sampleStride, width: width, height: height,
            x: line.x(inside.lowerBound), y: line.y(inside.lowerBound), stepX: line.stepX, stepY: line.stepY,
            to: values + inside.lowerBound, count: inside.count)
    }

    /// Positions in a row, in units of 2^-24 samples.
    private struct Line {
        let x, y, stepX, stepY: Int

        func x(_ i: Int) -> Int { x &+ i &* stepX }
        func y(_ i: Int) -> Int { y &+ i &* stepY }
    }

    private func contains(_ line: Line, _ i: Int) -> Bool {
        let (x, y) = (line.x(i), line.y(i))
        return x >= 0 && y >= 0 && x <= (width &- 1) << 24 && y <= (height &- 1) << 24
    }

    private func fixed(_ position: Double) -> Int { Int((position * 0x1p24).rounded()) }

    private func fraction(_ position: Int) -> Float {
        Float(Int32(truncatingIfNeeded: position & 0xFF_FFFF)) * 0x1p-24
    }

    private func interpolate(
        _ upper: (Float, Float), _ lower: (Float, Float), _ x: Float, _ y: Float
    ) -> Float {
        let top = upper.0 + (upper.1 - upper.0) * x
        let bottom = lower.0 + (lower.1 - lower.0) * x
        return top + (bottom - top) * y
    }

    /// Returns the linear interpolation of the four samples around a position, some of which are the black
    /// around the frame.
    private func valueNearBorder(_ x: Int, _ y: Int) -> Float {
        let (column, row) = (x >> 24, y >> 24)
        return interpolate(
            (sample(column, row), sample(column &+ 1, row)),
            (sample(column, row &+ 1), sample(column &+ 1, row &+ 1)), fraction(x), fraction(y))
    }

    private func sample(_ column: Int, _ row: Int) -> Float {
        guard column >= 0, column < width, row >= 0, row < height else { return black }
        return base[row &* rowStride &+ column &* sampleStride].float
    }
}

/// One direction of a component's sample grid.
///
/// A pixel position is continuous: pixel i covers [i, i + 1). An index position counts samples and is
/// whole at a sample's centre, so that interpolation weights are its fractions.
struct SampleAxis: Equatable {
    /// Number of samples.
    let count: Int
    /// log2 of the number of pixels that share a sample.
    let shift: Int
    /// Whether a shared sample sits on the first of its pixels; otherwise it is centred among them.
    let cosited: Bool

    /// Number of index positions per pixel.
    let scale: Double
    /// The index position of pixel position 0.
    let offset: Double

    init(count: Int, shift: Int, cosited: Bool) {
        (self.count, self.shift, self.cosited) = (count, shift, cosited)
        scale = 1 / Double(1 << shift)
        offset = cosited ? -0.5 * scale : -0.5
    }
}

extension ComponentLayout {
    /// Returns the grid's horizontal direction in an image of `width` pixels.
    func horizontalAxis(width: Int, site: Colorimetry.ChromaSite) -> SampleAxis {
        SampleAxis(count: sampleWidth(width), shift: widthShift, cosited: site.cositedHorizontally)
    }

    /// Returns the grid's vertical direction in an image of `height` pixels.
    func verticalAxis(height: Int, site: Colorimetry.ChromaSite) -> SampleAxis {
        SampleAxis(count: sampleHeight(height), shift: heightShift, cosited: site.cositedVertically)
    }
}

extension PixelLayout {
    /// Returns the vertical direction that all components of `plane` share.
    func verticalAxis(plane: Int, height: Int, site: Colorimetry.ChromaSite) -> SampleAxis {
        SampleAxis(
            count: rows(plane: plane, height: height), shift: heightShift(plane: plane),
            cosited: site.cositedVertically)
    }
}
