import Glibc
import Imaging

extension PoseFitter.Camera {
    /// - Parameter fieldOfView: vertical, in radians; nil when unknown.
    init(_ fieldOfView: Double?, _ size: Size) {
        // That of a normal lens along the longer side, in radians.
        let unknown = 40 * Double.pi / 180
        let angle = fieldOfView.map { min(max($0, 0.01), 3) }
        let focalLength =
            if let angle { size.height / (2 * tan(angle / 2)) } else {
                max(size.width, size.height) / (2 * tan(unknown / 2))
            }
        self.init(focalLength: focalLength, center: Point(x: size.width / 2, y: size.height / 2))
    }
}
