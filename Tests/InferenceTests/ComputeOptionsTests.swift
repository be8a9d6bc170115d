import Inference
import Testing

/// The options that are passed to OpenVINO.
struct ComputeOptionsTests {
    private func properties(_ change: (inout ComputeOptions) -> Void = { _ in }) -> [String: String] {
        var options = ComputeOptions()
        change(&options)
        return Dictionary(uniqueKeysWithValues: options.properties.map { ($0.key, $0.value) })
    }

    @Test func usesOneStreamPerCore() {
        let streams = properties()
        #expect(streams["NUM_STREAMS"] == String(min(8, Place.cores)))
        #expect(streams["INFERENCE_NUM_THREADS"] == streams["NUM_STREAMS"])
        #expect(properties { $0.threads = 3 }["NUM_STREAMS"] == "3")
    }

    @Test func wholeMachineUsesOneStreamOfAllCores() {
        let whole = properties { $0.parallelism = .wholeMachine }
        #expect(whole["NUM_STREAMS"] == "1" && whole["INFERENCE_NUM_THREADS"] == String(Place.cores))
        let single = properties {
            $0.parallelism = .wholeMachine
            $0.threads = 1
        }
        #expect(single["NUM_STREAMS"] == "1" && single["INFERENCE_NUM_THREADS"] == "1")
    }

    @Test func oneThreadOverridesTheNumberOfThreads() {
        let one = properties {
            $0.parallelism = .oneThread
            $0.threads = 3
        }
        #expect(one["NUM_STREAMS"] == "1" && one["INFERENCE_NUM_THREADS"] == "1")
    }

    @Test(arguments: ["CPU", "GPU", "GPU.1", "AUTO:GPU,CPU"])
    func devicesComputeInSinglePrecision(_ device: String) {
        #expect(properties { $0.device = device }["INFERENCE_PRECISION_HINT"] == "f32")
    }

    /// NPUs compute in half precision only.
    @Test func neuralProcessorsGetNoPrecisionHint() {
        #expect(properties { $0.device = "NPU" } == ["PERFORMANCE_HINT": "LATENCY"])
    }
}
