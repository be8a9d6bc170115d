import Imaging
import Inference

/// The networks behind face requests, loaded.
final class FaceModels {
    /// Everything that decides which files are loaded and how.
    struct Setup: Equatable {
        let device: String
        let threads: Int
        let modelPath: String?
    }

    /// The files, before anything is loaded.
    struct Files {
        let near: ModelInfo
        let far: ModelInfo
        let landmarks: ModelInfo

        private let store: ModelStore

        /// - Parameter path: a file to use for the landmarks, or a directory to search first.
        init(path: String?) throws(VisionError) {
            let isFile = path.map(ModelStore.isModelFile) ?? false
            store = ModelStore(directory: isFile ? nil : path)
            do throws(InferenceError) {
                near = try store.model(named: "face_detection_short_range")
                far = try store.model(named: "face_detection_full_range_sparse")
                landmarks = try store.model(
                    isFile ? path ?? "" : "face_landmarks_detector", like: "face_landmarks_detector")
            } catch { throw .inference(error) }
        }

        /// The model of expressions, which not everybody needs.
        func blendshapes() throws(VisionError) -> ModelInfo {
            do throws(InferenceError) {
                return try store.model(named: "face_blendshapes")
            } catch { throw .inference(error) }
        }
    }

    let setup: Setup
    let near: FaceDetector
    let far: FaceDetector
    let landmarker: FaceLandmarker
    private let files: Files
    private var rater: CaptureRater?

    init(_ setup: Setup) throws(VisionError) {
        self.setup = setup
        files = try Files(path: setup.modelPath)
        near = try FaceDetector(files.near, setup)
        far = try FaceDetector(files.far, setup)
        landmarker = try FaceLandmarker(files.landmarks, setup)
    }

    /// Rates captures; its model is loaded when it is first asked for.
    func captureRater() throws(VisionError) -> CaptureRater {
        if let rater { return rater }
        let fresh = try CaptureRater(files.blendshapes(), setup)
        rater = fresh
        return fresh
    }
}

/// A loaded model that looks at a square of a frame.
final class CropModel {
    let info: ModelInfo
    private let request: InferenceRequest
    private let areas: TensorSampler
    private let points: TensorSampler

    /// Averaging turned areas costs the square of the reduction; beyond this one the price is too high.
    private static let largestReduction = 2.5

    init(_ info: ModelInfo, _ setup: FaceModels.Setup, border: TensorSampler.Border) throws(VisionError) {
        self.info = info
        var options = ComputeOptions()
        options.device = setup.device
        options.threads = setup.threads
        do throws(InferenceError) {
            request = try InferenceRequest(Engine.shared.compiledModel(info, options: options))
        } catch { throw .inference(error) }
        do throws(SamplingError) {
            areas = try TensorSampler(TensorInput(info, filter: .area, border))
            points = try TensorSampler(TensorInput(info, filter: .bilinear, border))
        } catch { throw .sampling(error) }
    }

    /// Runs the model on what `frame` shows in `crop`.
    func run(_ frame: UprightFrame, _ crop: FaceCrop) throws(VisionError) {
        let region = frame.region(of: crop)
        let isTurned = region.xx != 0 && region.xy != 0
        let reduction = crop.side / Double(max(1, info.input.width ?? 1))
        let sampler = isTurned && reduction > Self.largestReduction ? points : areas
        do throws(SamplingError) {
            try sampler.sample(frame.image, region: region, into: request.input)
        } catch { throw .sampling(error) }
        do throws(InferenceError) { try request.run() } catch { throw .inference(error) }
    }

    /// Output `index`, of at least `count` values.
    func output(_ index: Int, count: Int) throws(VisionError) -> UnsafeBufferPointer<Float> {
        let outputs = request.outputs
        guard outputs.indices.contains(index), outputs[index].count >= count else {
            throw unsupported("output \(index) does not hold \(count) values")
        }
        return outputs[index]
    }

    /// Sizes of the outputs in values.
    var outputCounts: [Int] { request.outputs.map(\.count) }

    func unsupported(_ why: String) -> VisionError {
        .inference(.unsupportedModel(path: info.path, why: why))
    }
}

extension TensorInput {
    fileprivate init(
        _ info: ModelInfo, filter: TensorSampler.Filter, _ border: TensorSampler.Border
    ) {
        self.init(
            width: info.input.width ?? 0, height: info.input.height ?? 0,
            layout: info.input.layout == .nchw ? .nchw : .nhwc, low: info.input.range.lowerBound,
            high: info.input.range.upperBound, filter: filter, border: border)
    }
}
