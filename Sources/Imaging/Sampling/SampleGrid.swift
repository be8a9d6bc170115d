/// One component of a frame, seen from the pixels of a turned tensor.
struct SampleGrid {
    private let base: UnsafePointer<UInt8>
    private let rowStride: Int
    private let sampleStride: Int
    private let width: Int
    private let height: Int
    /// From tensor pixels to index positions of the grid.
    private let map: FrameTransform
    /// Points averaged per tensor pixel, along its x and y.
    private let points: (x: Int, y: Int)
    private let black: Float
    private let border: TensorSampler.Border

    /// Beyond this many points per direction nothing is gained that a picture could show.
    private static let mostPoints = 16.0

    /// - Parameter map: from tensor pixels to frame pixels.
    init(
        _ image: ImageView, component index: Int, map: FrameTransform, input: TensorInput, black: SIMD3<Float>
    ) {
        let part = image.format.layout.component(index)
        let plane = image.plane(part.plane)
        let site = image.colorimetry.chromaSite
        let horizontal = part.horizontalAxis(width: image.width, site: site)
        let vertical = part.verticalAxis(height: image.height, site: site)
        base = UnsafePointer(plane.row(0) + part.offset)
        rowStride = plane.stride
        sampleStride = part.pixelStride
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

    /// One point per sample that a tensor pixel's side crosses.
    private static func points(_ x: Double, _ y: Double) -> Int {
        Int(min(max((x * x + y * y).squareRoot().rounded(.up), 1), mostPoints))
    }

    /// The component, less its black, at `count` tensor pixels of row `y`.
    func sampleRow(_ y: Int, count: Int, into values: UnsafeMutablePointer<Float>) {
        let share = 1 / Float(points.x &* points.y)
        for x in 0..<count {
            var sum: Float = 0
            for j in 0..<points.y {
                let v = Double(y) + (Double(j) + 0.5) / Double(points.y)
                for i in 0..<points.x {
                    let u = Double(x) + (Double(i) + 0.5) / Double(points.x)
                    sum += value(at: map.map(Point(x: u, y: v)))
                }
            }
            values[x] = sum * share - black
        }
    }

    /// Linear interpolation of the four samples around an index position.
    @inline(__always)
    private func value(at position: Point) -> Float {
        let x = min(max(position.x, -1), Double(width))
        let y = min(max(position.y, -1), Double(height))
        let (left, top) = (x.rounded(.down), y.rounded(.down))
        let (column, row) = (Int(left), Int(top))
        let (fx, fy) = (Float(x - left), Float(y - top))
        let upper = sample(column, row) + (sample(column &+ 1, row) - sample(column, row)) * fx
        let lower =
            sample(column, row &+ 1) + (sample(column &+ 1, row &+ 1) - sample(column, row &+ 1)) * fx
        return upper + (lower - upper) * fy
    }

    @inline(__always)
    private func sample(_ column: Int, _ row: Int) -> Float {
        let inside = column >= 0 && column < width && row >= 0 && row < height
        if !inside && border == .black { return black }
        let x = min(max(column, 0), width &- 1)
        let y = min(max(row, 0), height &- 1)
        return Float(base[y &* rowStride &+ x &* sampleStride])
    }
}
