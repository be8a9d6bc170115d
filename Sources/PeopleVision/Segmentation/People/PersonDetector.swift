package import Imaging
import Inference

/// Finds people in a whole frame, from full figures to heads at its edge.
///
/// Source: the model's description; PicoDet (Yu and others, 2021), trained on COCO.
package final class PersonDetector {
    /// Whoever is less sure is nobody; known people may be.
    private static let threshold: Float = 0.25
    private static let mostPeople = 16

    private let request: InferenceRequest
    private let sampler: TensorSampler
    private let width: Double
    private let height: Double
    private let candidates: Int

    /// Loads the model.
    package init(_ setup: SegmentationModel.Setup) throws(VisionError) {
        let setup = setup.withoutModelFile
        var options = ComputeOptions()
        (options.device, options.threads) = (setup.device, setup.threads)
        let info: ModelInfo
        do throws(InferenceError) {
            info = try ModelStore(directory: setup.modelPath).model(named: "person_detection")
            request = try InferenceRequest(Engine.shared.compiledModel(info, options: options))
        } catch { throw .inference(error) }
        let (columns, rows) = (info.input.width ?? 0, info.input.height ?? 0)
        (width, height) = (Double(columns), Double(rows))
        candidates = request.outputs.last?.count ?? 0
        guard request.outputs.map(\.count) == [4 * candidates, candidates] else {
            throw .inference(
                .unsupportedModel(path: info.path, why: "it does not give four sides and a score of each box")
            )
        }
        do throws(SamplingError) {
            sampler = try TensorSampler(
                TensorInput(
                    width: columns, height: rows, layout: info.input.layout == .nchw ? .nchw : .nhwc,
                    low: info.input.range.lowerBound, high: info.input.range.upperBound, filter: .area))
        } catch { throw .sampling(error) }
    }

    /// Fills `people` with those whom the upright frame shows, surest first.
    package func find(
        in image: ImageView, orientation: ImageOrientation, into people: inout [DetectedPerson]
    ) throws(VisionError) {
        do throws(SamplingError) {
            try sampler.sample(image, region: .orientation(orientation), into: request.input)
        } catch { throw .sampling(error) }
        do throws(InferenceError) { try request.run() } catch { throw .inference(error) }
        people.removeAll(keepingCapacity: true)
        let (sides, scores) = (request.outputs[0], request.outputs[1])
        for index in 0..<candidates where scores[index] >= Self.threshold {
            let person = DetectedPerson(
                left: Double(sides[4 * index]) / width, top: Double(sides[4 * index + 1]) / height,
                right: Double(sides[4 * index + 2]) / width, bottom: Double(sides[4 * index + 3]) / height,
                score: Double(scores[index]))
            if let person { people.append(person) }
        }
        people.reduceToOneEach(most: Self.mostPeople)
    }
}
