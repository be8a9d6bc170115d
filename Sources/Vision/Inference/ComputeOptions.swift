import Glibc

/// The device that runs a model, and the use of the processor's cores.
package struct ComputeOptions: Sendable, Hashable {
    /// OpenVINO's name of the device: `CPU`, `GPU`, `GPU.1`, `NPU`, `AUTO`.
    package var device = "CPU"
    /// The distribution of the processor's cores.
    package var parallelism = Parallelism.streams
    /// Maximum number of threads for inference; 0 means one per core.
    package var threads = 0
    /// A number that distinguishes several compiled copies of the same model, which share nothing and may run
    /// side by side.
    package var replica = 0

    /// Creates the defaults: the CPU, one thread for each of several requests.
    package init() {}

    /// The distribution of the processor's cores.
    ///
    /// It applies to the device `CPU` only.
    package enum Parallelism: String, Sendable {
        /// Every request runs on a thread of its own: for small models, which several threads slow down on a
        /// busy machine.
        case streams
        /// One request at a time, on all threads: for heavy models.
        case wholeMachine
        /// One request at a time, on one thread: for small models with one request, or few.
        ///
        /// Each stream has a graph of its own, and building the graph takes as long as reading the model.
        case oneThread
    }
}

extension ComputeOptions {
    /// Maximum number of streams; more would only cost memory and start-up time, because each has its own
    /// copy of the graph.
    private static let maximumStreams = 8

    /// OpenVINO's properties for compiling, without the cache.
    package var properties: [(key: String, value: String)] {
        switch device.prefix(while: { $0 != "." && $0 != ":" }) {
        case "CPU": cpuProperties + [precisionHint]
        case "NPU": [latency]
        default: [latency, precisionHint]
        }
    }

    private var latency: (key: String, value: String) { ("PERFORMANCE_HINT", "LATENCY") }

    /// IEEE 754 single precision, in which the models were made.
    ///
    /// OpenVINO's default on new CPUs is bfloat16, with errors of up to 0.3 in a mask of 0...1.
    private var precisionHint: (key: String, value: String) { ("INFERENCE_PRECISION_HINT", "f32") }

    private var cpuProperties: [(key: String, value: String)] {
        let cores = threads > 0 ? threads : max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        let streams = parallelism == .streams ? min(cores, Self.maximumStreams) : 1
        return [
            ("NUM_STREAMS", String(streams)),
            ("INFERENCE_NUM_THREADS", String(parallelism == .wholeMachine ? cores : streams)),
            // Pinned threads of two models in one process would share one core.
            ("ENABLE_CPU_PINNING", "NO"),
        ]
    }
}
