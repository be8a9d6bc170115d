import Foundation
import Imaging
import PeopleVision
import TestSupport

/// An RGB image for tests of models: the packaged portrait, or one derived from it.
struct Photo: Sendable {
    let width: Int
    let height: Int
    private(set) var bytes: [UInt8]

    init(width: Int, height: Int, bytes: [UInt8]) {
        self.width = width
        self.height = height
        self.bytes = bytes
    }

    /// Returns an empty grey image.
    static func grey(width: Int, height: Int) -> Photo {
        Photo(width: width, height: height, bytes: [UInt8](repeating: 128, count: 3 * width * height))
    }

    /// A portrait of one woman who looks into the camera, 512x512.
    static let portrait: Photo? = {
        let media = Checkout.setup.appendingPathComponent("media/astronaut.png").path
        let raw = FileManager.default.temporaryDirectory.appendingPathComponent("face-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: raw) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            "gst-launch-1.0", "-q", "filesrc", "location=\(media)", "!", "pngdec", "!", "videoconvert", "!",
            "video/x-raw,format=RGB,width=512,height=512", "!", "filesink", "location=\(raw.path)",
        ]
        guard (try? process.run()) != nil else { return nil }
        process.waitUntilExit()
        guard let data = try? Data(contentsOf: raw), data.count == 3 * 512 * 512 else { return nil }
        return Photo(width: 512, height: 512, bytes: [UInt8](data))
    }()
}

extension Photo {
    private func pixel(_ x: Int, _ y: Int) -> ArraySlice<UInt8> {
        bytes[3 * (y * width + x)..<3 * (y * width + x) + 3]
    }

    /// Returns an image with pixel (x, y) taken from `source(x, y)` of this one, or grey outside it.
    private func mapped(
        width newWidth: Int, height newHeight: Int, _ source: (Int, Int) -> (Double, Double)
    ) -> Photo {
        var new = [UInt8]()
        new.reserveCapacity(3 * newWidth * newHeight)
        for y in 0..<newHeight {
            for x in 0..<newWidth { new += interpolated(source(x, y)) }
        }
        return Photo(width: newWidth, height: newHeight, bytes: new)
    }

    private func interpolated(_ position: (x: Double, y: Double)) -> [UInt8] {
        let (x, y) = (Int(position.x.rounded(.down)), Int(position.y.rounded(.down)))
        guard x >= 0, y >= 0, x < width, y < height else { return [128, 128, 128] }
        let (right, below) = (min(x + 1, width - 1), min(y + 1, height - 1))
        let (u, v) = (position.x - Double(x), position.y - Double(y))
        return (0..<3).map { channel in
            let value = { (x: Int, y: Int) in Double(self.bytes[3 * (y * self.width + x) + channel]) }
            let top = value(x, y) * (1 - u) + value(right, y) * u
            let bottom = value(x, below) * (1 - u) + value(right, below) * u
            return UInt8((top * (1 - v) + bottom * v).rounded())
        }
    }

    /// A copy of the image in memory, with padded rows.
    var image: TestImage {
        let image = TestImage(.rgb, width, height)
        for y in 0..<height {
            let row = bytes[3 * y * width..<3 * (y + 1) * width]
            _ = UnsafeMutableBufferPointer(start: image.mutableView.plane(0).row(y), count: row.count)
                .update(fromContentsOf: row)
        }
        return image
    }

    /// The photo with left and right exchanged.
    var mirrored: Photo {
        mapped(width: width, height: height) { x, y in (Double(width - 1 - x), Double(y)) }
    }

    /// Returns the photo turned around its centre, counter-clockwise for the viewer.
    func rotated(degrees: Double) -> Photo {
        let (cosine, sine) = (cos(degrees * .pi / 180), sin(degrees * .pi / 180))
        let (middleX, middleY) = (Double(width - 1) / 2, Double(height - 1) / 2)
        return mapped(width: width, height: height) { x, y in
            let (dx, dy) = (Double(x) - middleX, Double(y) - middleY)
            return (middleX + cosine * dx - sine * dy, middleY + sine * dx + cosine * dy)
        }
    }

    /// The photo as a turned camera stores it: a quarter turn clockwise makes it upright.
    var storedForRight: Photo {
        mapped(width: height, height: width) { x, y in (Double(width - 1 - y), Double(x)) }
    }

    /// Returns a grey image of another size with the photo at (`left`, `top`), `factor` times as large.
    func placed(left: Int, top: Int, width: Int, height: Int, factor: Double = 1) -> Photo {
        mapped(width: width, height: height) { x, y in
            (Double(x - left) / factor, Double(y - top) / factor)
        }
    }

    /// Returns the photo with another image at (`left`, `top`), `factor` times as large.
    func overlaid(by other: Photo, left: Int, top: Int, factor: Double) -> Photo {
        let above = other.placed(left: left, top: top, width: width, height: height, factor: factor)
        var new = self
        for y in top..<min(height, top + Int(Double(other.height) * factor)) {
            for x in left..<min(width, left + Int(Double(other.width) * factor)) {
                let place = 3 * (y * width + x)
                new.bytes.replaceSubrange(place..<place + 3, with: above.bytes[place..<place + 3])
            }
        }
        return new
    }

    /// Returns the photo with another image of the same height beside it.
    func beside(_ other: Photo) -> Photo {
        var new = [UInt8]()
        for y in 0..<height {
            new += bytes[3 * y * width..<3 * (y + 1) * width]
            new += other.bytes[3 * y * other.width..<3 * (y + 1) * other.width]
        }
        return Photo(width: width + other.width, height: height, bytes: new)
    }

    /// Returns the photo with normally distributed noise like that of cameras.
    func noisy(deviation: Double, seed: UInt64) -> Photo {
        var generator = SeededGenerator(seed: seed)
        var new = self
        for index in bytes.indices {
            let noise = (0..<12).reduce(-6.0) { sum, _ in sum + generator.number(0...1) } * deviation
            new.bytes[index] = UInt8(min(max((Double(bytes[index]) + noise).rounded(), 0), 255))
        }
        return new
    }
}

extension DetectFaceRectanglesRequest {
    /// A request that keeps the shared models loaded, so that tests need not compile them again.
    nonisolated(unsafe) private static let keepsModels: DetectFaceRectanglesRequest = {
        let request = make()
        try? request.prepare()
        return request
    }()

    /// Returns a request with the models of the checkout's set-up.
    static func forTests() -> DetectFaceRectanglesRequest {
        _ = keepsModels
        return make()
    }

    private static func make() -> DetectFaceRectanglesRequest {
        let request = DetectFaceRectanglesRequest()
        request.modelPath = Checkout.setup.appendingPathComponent("models").path
        return request
    }
}

extension FaceRequest {
    /// Returns the faces in `photo`, which comes `seconds` after the last one.
    func faces(
        in photo: Photo, orientation: ImageOrientation = .up, after seconds: Double = 1.0 / 30
    ) throws -> [FaceObservation] {
        let image = photo.image
        return try perform(on: InputFrame(image.view, orientation: orientation, duration: .seconds(seconds)))
    }
}

/// Returns the shorter difference of two angles, in degrees.
func degrees(_ a: Double, _ b: Double) -> Double { remainder(a - b, 2 * .pi) * 180 / .pi }
