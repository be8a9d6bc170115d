import GStreamerKit
import Imaging

/// The best frame of one person so far.
struct BestShot {
    let face: RatedFace
    /// Number of the frame in the video, from 1 on.
    let frame: Int
    /// Stream time in seconds; nil when a player never shows the frame.
    let time: Double?
    /// Number of frames in which the person was seen.
    var count = 1

    /// Returns the better of two shots, with the frames of both counted.
    func considering(_ next: BestShot) -> BestShot {
        var best = next.face.quality > face.quality ? next : self
        best.count = count + next.count
        return best
    }
}

/// A face with its capture quality.
struct RatedFace {
    /// The person or track that a face belongs to.
    enum Owner: Hashable {
        case person(Int)
        /// A face without a known person; the associated value is the face's own id.
        case face(Int)
    }

    let owner: Owner
    /// Capture quality, 0 to 1.
    let quality: Double
    /// The face's box in fractions of the frame, from its upper left corner.
    let box: Rectangle

    /// Returns the faces in the metadata of `facepose`.
    static func faces(of frame: Frame) -> [RatedFace] {
        var faces: [RatedFace] = []
        frame.buffer?.fields(ofMeta: "GstPeopleFaces")?.forEach("faces") { fields in
            if let face = RatedFace(fields) { faces.append(face) }
        }
        return faces
    }

    private init?(_ fields: StructureReader) {
        guard let id = fields.int("id"), let quality = fields.double("quality"), let box = fields.box else {
            return nil
        }
        let person = fields.int("person").flatMap { $0 < 0 ? nil : $0 }
        owner = person.map { .person($0) } ?? .face(id)
        (self.quality, self.box) = (quality, box)
    }

    /// Returns the crop of a frame to the face and its surroundings.
    ///
    /// - Parameter size: size of the frame in pixels.
    func surroundings(in size: (width: Int, height: Int)) -> Crop {
        // Hair takes more room than the chin: fractions of the face's box, chosen by eye.
        let (beside, above, below) = (0.6, 0.8, 0.7)
        return Crop(
            left: pixels(box.x - beside * box.width, size.width),
            right: pixels(1 - box.x - (1 + beside) * box.width, size.width),
            top: pixels(box.y - above * box.height, size.height),
            bottom: pixels(1 - box.y - (1 + below) * box.height, size.height))
    }

    private func pixels(_ share: Double, _ side: Int) -> Int {
        Int(max(0, min(1, share.isFinite ? share : 0)) * Double(side))
    }
}
