import Glibc
package import Imaging

/// A pinhole camera: x points to the right, y up, and z from the scene towards the camera.
package struct Camera: Sendable, Hashable, Codable {
    /// Distance of the image plane, in pixels.
    let focalLength: Double
    /// The intersection of the optical axis with the image, in pixels.
    let center: Point

    package init(focalLength: Double, center: Point) {
        self.focalLength = focalLength
        self.center = center
    }
}

extension Camera {
    /// Creates the camera of an upright image of `size` pixels.
    ///
    /// - Parameter fieldOfView: vertical field of view, in radians; nil when unknown.
    package init(_ fieldOfView: Double?, _ size: Size) {
        // The field of view of a normal lens along the longer side, in radians.
        let unknown = 40 * Double.pi / 180
        let angle = fieldOfView.map { min(max($0, 0.01), 3) }
        let focalLength =
            if let angle { size.height / (2 * tan(angle / 2)) } else {
                max(size.width, size.height) / (2 * tan(unknown / 2))
            }
        self.init(focalLength: focalLength, center: Point(x: size.width / 2, y: size.height / 2))
    }

    /// Returns the point in which a pixel's ray meets the plane one unit ahead of the camera.
    func ray(_ pixel: Point) -> SIMD3<Double> {
        SIMD3((pixel.x - center.x) / focalLength, (center.y - pixel.y) / focalLength, -1)
    }

    /// Returns the pixel in which a point of the camera's space is seen; nil behind the camera.
    func pixel(_ point: SIMD3<Double>) -> Point? {
        guard point.z < 0 else { return nil }
        let scale = focalLength / -point.z
        return Point(x: center.x + scale * point.x, y: center.y - scale * point.y)
    }
}
