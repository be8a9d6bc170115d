package import Imaging

/// Closes the faces of a still image that its mask shows in part.
///
/// A face is a circle, as the face detector sees it. It is closed if the mask shows some of it, wherever the coarse coverage is
/// possible: two models see a person there. A face of which the mask shows nothing is a passer-by's, or a picture.
package final class FaceFloor {
    /// Diameter of the part that is closed, as a share of the face's: the rim of the circle lies beside the cheeks.
    ///
    /// With 1, MAE of 45 portraits grows by 0.18 (x 10^-3).
    private static let inner = 0.8

    private let maskRows = LinearResizer()
    private let floorRows = LinearResizer()
    /// The mask, and the floor, at one size.
    private let (small, floor) = (FloatImage(), FloatImage())

    /// Creates a floor for the sizes of `plan`.
    package init(_ plan: SegmentationPlan) {
        for image in [small, floor] { image.resize(width: plan.prior.width, height: plan.prior.height) }
    }

    /// Raises `mask` where it shows a part of a face.
    ///
    /// - Parameters:
    ///   - faces: the squares around the faces, in the upright image's unit square.
    ///   - people: coarse coverage of all people, at the size of the plan's prior.
    package func raise(_ mask: FloatImage, at faces: [Rectangle], people: FloatImage) {
        guard !faces.isEmpty else { return }
        maskRows.resize(mask, into: small)
        floor.fill(0)
        for face in faces where isShown(face) { add(face, people) }
        mask.raise(to: floor, by: floorRows)
    }

    /// Whether the mask shows enough of a face.
    private func isShown(_ face: Rectangle) -> Bool {
        small.mean(inCircleOf: face, scale: Self.inner) >= Float(CoverageLimits.minimumPart)
    }

    private func add(_ face: Rectangle, _ people: FloatImage) {
        let possible = CoverageLimits.possible
        floor.forEachPlace(inCircleOf: face, scale: Self.inner) { index in
            floor.base[index] = possible.value(people.base[index])
        }
    }
}

/// Clears a thing behind the head of a still image's only person, as a kite or a plate.
///
/// A large piece of the mask beside the head is the person's only if MobileSAM, asked for the person by a point on the face and
/// one on the chest, sees it too, in the image or in its mirror image. Where it misses a part of the head itself, it does not
/// count. Where it misses hair, only what lies beside the head goes. Where it sees the trunk, a piece goes as a whole, also below
/// the chin.
package final class BehindHead {
    /// Half axes of the ellipse around a head, and the distance of its middle above the face's, in sides of the face's square.
    ///
    /// Heads with their hair mostly lie within. From docs/experiments/README.md.
    private static let (halfWidth, halfHeight, rise) = (0.8, 1.15, 0.3)
    /// Minimum area of a piece beside the ellipse, as a share of the mask's.
    private static let minimumPiece: Float = 0.02
    /// Minimum share of the head, of its half with the hair, or of the trunk, that MobileSAM sees where it counts.
    ///
    /// Below that it is wrong in seven of seven photos of COCO and of streets, and on thick hair; 0.7 is equal.
    private static let minimumHead: Float = 0.8
    /// Distance of the chest below the face's middle, in sides of the face's square.
    private static let chest = 1.4

    private let maskRows = LinearResizer()
    private let objectRows = LinearResizer()
    private let ceilingRows = LinearResizer()
    private let components = ConnectedComponents()
    private let morphology = MorphologyFilter()
    /// The mask, MobileSAM's coverage, the mask beside the head, pieces without MobileSAM, and the result, at one size.
    private let (small, object, beside) = (FloatImage(), FloatImage(), FloatImage())
    private let (pieces, ceiling) = (FloatImage(), FloatImage())

    /// Creates a finder for the sizes of `plan`.
    package init(_ plan: SegmentationPlan) {
        for image in [small, object, beside, pieces, ceiling] {
            image.resize(width: plan.prior.width, height: plan.prior.height)
        }
    }

    /// Clears the pieces of `mask` that MobileSAM sees neither in the image nor in its mirror image.
    ///
    /// - Parameters:
    ///   - face: the square around the person's face, in the upright image's unit square.
    ///   - coverage: returns MobileSAM's coverage of the image, of any size, by what it sees in the image or in its mirror image;
    ///     nil where it cannot be asked. It is called only if the mask shows much beside the head.
    package func clear(
        _ mask: FloatImage, beside face: Rectangle,
        _ coverage: (PromptedSegmenter.Prompt, _ isMirrored: Bool) throws(VisionError) -> FloatImage?
    ) throws(VisionError) {
        maskRows.resize(mask, into: small)
        let area = sum(small)
        findBeside(face)
        guard area > 0, sum(beside) >= Self.minimumPiece * area else { return }
        object.fill(0)
        let prompt = Self.prompt(face)
        for isMirrored in [false, true] {
            guard let seen = try coverage(prompt, isMirrored) else { return }
            object.raise(to: seen, by: objectRows)
        }
        guard sees([.upperHead, .lowerHead], face) else { return }
        findPieces(face)
        components.find(in: pieces, above: CoverageLimits.possible.low)
        components.measure(beside)
        ceiling.fill(1)
        components.paint(on: ceiling) { $0.sum >= Self.minimumPiece * area ? 0 : nil }
        // A rim of one value, of which the piece is the greater part.
        morphology.erode(ceiling, radius: 1)
        mask.lower(to: ceiling, by: ceilingRows)
    }

    /// Returns points on the face and on the chest.
    private static func prompt(_ face: Rectangle) -> PromptedSegmenter.Prompt {
        .points(face.center, Point(x: face.center.x, y: min(face.center.y + chest * face.height, 1)))
    }

    /// Fills `beside` with the mask beside the head.
    private func findBeside(_ face: Rectangle) {
        beside.fill(0)
        forEachPlace(face) { index, part in
            if part == .beside { beside.base[index] = small.base[index] }
        }
    }

    /// Fills `pieces` with the mask where MobileSAM does not see it, and counts.
    private func findPieces(_ face: Rectangle) {
        let (seesHair, seesTrunk) = (sees([.upperHead], face), sees([.trunk], face))
        pieces.fill(0)
        forEachPlace(face) { index, part in
            let isPiece =
                switch part {
                case .upperHead, .lowerHead: seesHair
                case .beside: true
                case .trunk, .besideTrunk: seesTrunk
                }
            guard isPiece, object.base[index] < CoverageLimits.possible.high else { return }
            pieces.base[index] = small.base[index]
        }
    }

    private func sum(_ image: FloatImage) -> Float {
        UnsafeBufferPointer(image.values).reduce(0, +)
    }

    /// Whether MobileSAM sees enough of `parts`, where the mask is certain of them.
    private func sees(_ parts: [Part], _ face: Rectangle) -> Bool {
        var (count, seen) = (Float(0), Float(0))
        forEachPlace(face) { index, part in
            guard parts.contains(part), small.base[index] >= CoverageLimits.certain.high else { return }
            count += 1
            seen += object.base[index] > 0.5 ? 1 : 0
        }
        return count > 0 && seen >= Self.minimumHead * count
    }

    /// A part of the image.
    ///
    /// The upper head, with the hair, is above the face's middle; the trunk is below the chin, and as wide as the ellipse around
    /// the head.
    private enum Part { case upperHead, lowerHead, beside, trunk, besideTrunk }

    /// Calls `body` with the index and part of each value.
    private func forEachPlace(_ face: Rectangle, _ body: (_ index: Int, Part) -> Void) {
        let (width, height) = (Double(small.width), Double(small.height))
        let middle = face.center.y - Self.rise * face.height
        let chin = face.y + face.height
        for y in 0..<small.height {
            let head: Part = Double(y) + 0.5 < face.center.y * height ? .upperHead : .lowerHead
            let isTrunk = !(Double(y) + 0.5 < chin * height)
            let down = ((Double(y) + 0.5) / height - middle) / (Self.halfHeight * face.height)
            for x in 0..<small.width {
                let across = ((Double(x) + 0.5) / width - face.center.x) / (Self.halfWidth * face.width)
                let part: Part =
                    if isTrunk { abs(across) < 1 ? .trunk : .besideTrunk } else {
                        across * across + down * down < 1 ? head : .beside
                    }
                body(y * small.width + x, part)
            }
        }
    }
}
