import GStreamerKit
import Imaging

extension StructureWriter {
    /// The fields with which an analyser's metadata says what was analysed, and by which revision.
    func set(analysisOf frame: borrowing VideoFrame, _ orientation: ImageOrientation, revision: Int) {
        set("frame-width", frame.info.width)
        set("frame-height", frame.info.height)
        set("pixel-aspect-ratio", fraction: frame.info.pixelAspectRatio)
        set("orientation", orientation.rawValue)
        set("revision", revision)
    }

    /// The fields of a box and of what tells it from others.
    func set(id: Int, box: Rectangle, confidence: Double) {
        set("id", id)
        set("x", box.x)
        set("y", box.y)
        set("width", box.width)
        set("height", box.height)
        set("confidence", confidence)
    }
}

extension StructureReader {
    /// The box of those fields, normalised; nil when one of them is missing.
    var box: Rectangle? {
        guard let x = double("x"), let y = double("y"), let width = double("width"),
            let height = double("height")
        else { return nil }
        return Rectangle(x: x, y: y, width: width, height: height)
    }
}
