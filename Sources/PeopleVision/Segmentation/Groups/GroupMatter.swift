package import Imaging
import Inference

/// Corrects mattes of pictures that MODNet does not understand, mostly groups, person by person.
///
/// The pose detector finds people in the frame and in overlapping quarters of it. Of each, one model draws
/// the outline and the small selfie model takes a close look; where two of matte, outlines and close
/// looks agree, that is the mask. Where nobody was looked at closely the matte stays as far as the small
/// model's view of the whole frame confirms it.
package final class GroupMatter {
    /// A single outline may be a mistake; two people, or one seen in two views, are trusted.
    private static let fewestOutlines = 2
    private static let mostPeople = 8
    /// Long side of outlines and close looks.
    private static let side = 512.0
    /// Space around a person, as a share of the size.
    private static let margin = 0.15

    /// Size at which people are outlined.
    let extent: SegmentationPlan.Extent

    private let setup: SegmentationModel.Setup
    private let closeUp: CropMatter
    private var models: Models?
    private var bodies: [Body] = []
    private let outlines = MaskGrid()
    private let closeUps = MaskGrid()
    private let one = MaskGrid()
    private let seen = MaskGrid()
    private let all = MaskGrid()
    private let paste = MaskPaste()
    private let outlineRows = GridStretch()
    private let closeUpRows = GridStretch()
    private let seenRows = GridStretch()
    private let peopleRows = GridStretch()

    private struct Models {
        let detector: BodyDetector
        let outliner: BodyOutliner
    }

    init(frame: Size, _ setup: SegmentationModel.Setup) {
        self.setup = setup.withoutModelFile
        extent = SegmentationPlan.Extent(frame, longSide: Self.side)
        closeUp = CropMatter(self.setup)
        all.resize(width: 1, height: 1)
        all.fill(1)
    }

    /// For upright frames of one size, on the CPU, with the models of a directory.
    package convenience init(frame: Size, models: String) {
        self.init(frame: frame, .init(device: "CPU", threads: 0, modelPath: models))
    }

    /// Corrects `mask` where people are found.
    ///
    /// - Parameter people: the small model's mask of the whole frame.
    /// - Returns: false, with `mask` as it was, when too few are.
    package func correct(
        _ mask: MaskGrid, people: MaskGrid, _ image: ImageView, orientation: ImageOrientation
    ) throws(VisionError) -> Bool {
        let frame = UprightFrame(image, orientation: orientation)
        let models = try loadedModels()
        try find(frame, models.detector)
        guard bodies.count >= Self.fewestOutlines else { return false }
        var outlined = 0
        one.resize(width: extent.width, height: extent.height)
        for grid in [outlines, closeUps, seen] {
            grid.resize(width: extent.width, height: extent.height)
            grid.fill(0)
        }
        for body in bodies {
            guard let box = try models.outliner.outline(body, in: frame, into: one)?.grown(by: Self.margin)
            else { continue }
            outlined += 1
            for y in 0..<one.height { outlines.raise(row: y, to: one.row(y)) }
            _ = try closeUp.add(
                box, of: image, orientation: orientation,
                input: ModelInput(selfieFor: Size(width: 1, height: 1)), to: closeUps)
            paste.add(UnsafeBufferPointer(all.values), width: 1, height: 1, crop: box, to: seen)
        }
        guard outlined >= Self.fewestOutlines else { return false }
        closeUps.apply(.selfie)
        vote(mask, people)
        return true
    }

    private func loadedModels() throws(VisionError) -> Models {
        if let models { return models }
        let setup = FaceModels.Setup(
            device: setup.device, threads: setup.threads, modelPath: setup.modelPath)
        let store = ModelStore(directory: setup.modelPath)
        let files: (ModelInfo, ModelInfo)
        do throws(InferenceError) {
            files = try (store.model(named: "pose_detection"), store.model(named: "pose_landmark_full"))
        } catch { throw .inference(error) }
        let fresh = try Models(
            detector: BodyDetector(files.0, setup), outliner: BodyOutliner(files.1, setup))
        models = fresh
        return fresh
    }

    private func find(_ frame: UprightFrame, _ detector: BodyDetector) throws(VisionError) {
        bodies.removeAll(keepingCapacity: true)
        try detector.find(in: frame, FaceCrop(wholeOf: frame.size, angle: 0), into: &bodies)
        let side = max(frame.size.width, frame.size.height) / 2
        let (columns, rows) = (Self.tiles(frame.size.width, side), Self.tiles(frame.size.height, side))
        for row in 0..<rows {
            for column in 0..<columns {
                let center = Point(
                    x: FrameTiles.center(column, of: columns, frame.size.width, side),
                    y: FrameTiles.center(row, of: rows, frame.size.height, side))
                try detector.find(in: frame, FaceCrop(center: center, side: side, angle: 0), into: &bodies)
            }
        }
        bodies.reduceToOneEach(most: Self.mostPeople)
    }

    /// Squares of `side` that cover a `length` with overlap.
    private static func tiles(_ length: Double, _ side: Double) -> Int {
        length <= 1.05 * side ? 1 : length <= 1.3 * side ? 2 : 3
    }

    /// Replaces each value of `mask` by the middle one of mask, outlines and close looks, and by the smaller
    /// one of mask and `people` elsewhere.
    private func vote(_ mask: MaskGrid, _ people: MaskGrid) {
        outlineRows.begin(outlines, width: mask.width, height: mask.height)
        closeUpRows.begin(closeUps, width: mask.width, height: mask.height)
        seenRows.begin(seen, width: mask.width, height: mask.height)
        peopleRows.begin(people, width: mask.width, height: mask.height)
        for y in 0..<mask.height {
            let (row, outline) = (mask.row(y), outlineRows.row(y, of: outlines))
            let (closeUp, seen) = (closeUpRows.row(y, of: closeUps), seenRows.row(y, of: seen))
            let person = peopleRows.row(y, of: people)
            for x in 0..<mask.width {
                let (low, high) = (min(row[x], outline[x]), max(row[x], outline[x]))
                let elsewhere = min(row[x], MaskTone.selfie.value(person[x]))
                row[x] = elsewhere + (max(low, min(high, closeUp[x])) - elsewhere) * seen[x]
            }
        }
    }
}
