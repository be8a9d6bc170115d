import Imaging
import Inference
import PeopleVision

/// Measures the stages of a frame's processing separately.
struct StageBench {
    private let options: Options

    init(_ options: Options) { self.options = options }

    func run() throws {
        try inference()
        for size in options.sizes {
            for format in options.formats {
                let image = try NoiseImage(format, size)
                try sampling(image, size)
                try blending(image, size)
                for quality in options.qualities { try segmentation(image, size, quality) }
            }
        }
    }

    private func inference() throws {
        for (name, width, height) in [
            ("selfie_segmentation", 256, 256), ("selfie_segmentation_landscape", 256, 144),
            ("modnet", 512, 288),
        ] {
            let model = try Engine.shared.compiledModel(
                ModelStore().model(named: name), width: width, height: height)
            let request = try InferenceRequest(model)
            let times = try measure(frames: options.frames) { try request.run() }
            Report.row("inference: \(name)", Size2D(width: width, height: height), "float", times)
        }
    }

    private func sampling(_ image: NoiseImage, _ size: Size2D) throws {
        for (name, input) in [
            ("bilinear to 256x144", TensorInput(width: 256, height: 144)),
            ("area to 512x288", TensorInput(width: 512, height: 288, layout: .nchw, filter: .area)),
        ] {
            let sampler = try TensorSampler(input)
            var tensor = [Float](repeating: 0, count: input.valueCount)
            let times = try tensor.withUnsafeMutableBufferPointer { tensor in
                try measure(frames: options.frames) { try sampler.sample(image.view, into: tensor) }
            }
            Report.row("sampling: \(name)", size, image.view.format.rawValue, times)
        }
    }

    /// Measures blending, in turns with a copy of as many bytes.
    private func blending(_ image: NoiseImage, _ size: Size2D) throws {
        let mask = try personMask(width: 256, height: 144)
        let (other, copy) = (
            try NoiseImage(image.view.format, size), try NoiseImage(image.view.format, size)
        )
        let format = image.view.format
        let time = { (name: String, body: () throws -> Void) in
            let (times, copies) = try measure(frames: options.frames, body, { copy.copy(other) })
            Report.row("blending: \(name)", size, format.rawValue, times, copies: copies)
            return copies
        }
        var copies: [Duration] = []
        for (name, composition) in compositions(other.view) {
            if case .transparent = composition.source, format.layout.alpha == nil { continue }
            let compositor = MaskCompositor()
            copies += try time(name) {
                try compositor.composite(image.mutableView, mask: mask.view, composition)
            }
        }
        let compositor = MaskCompositor()
        copies += try time("mask") {
            compositor.showMask(image.mutableView, mask: mask.view, invert: false)
        }
        Report.row("blending: memcpy of as many bytes", size, format.rawValue, copies, copies: copies)
    }

    private func compositions(_ other: ImageView) -> [(String, Composition)] {
        let blur = BackgroundEffect.blur(Blur(radius: 0.05))
        let weakBlur = BackgroundEffect.blur(Blur(radius: 0.006))
        let weakestBlur = BackgroundEffect.blur(Blur(radius: 0.003))
        let highlight = BackgroundEffect.highlight(Highlight(exposure: -1, desaturation: 0.5))
        let shadow = BackgroundEffect.shadow(Shadow(opacity: 0.5))
        let halo = BackgroundEffect.halo(Halo(color: RGBColor(red: 255, green: 255, blue: 255), width: 0.01))
        return [
            ("colour", Composition(source: .color(.black))),
            ("picture", Composition(source: .picture(other))),
            ("transparent", Composition(source: .transparent(premultiplied: false))),
            ("blur", Composition(source: .original, effects: [blur])),
            ("weak blur", Composition(source: .original, effects: [weakBlur])),
            ("weakest blur", Composition(source: .original, effects: [weakestBlur])),
            ("blurred picture", Composition(source: .picture(other), effects: [blur])),
            ("highlight", Composition(source: .original, effects: [highlight])),
            ("shadow", Composition(source: .picture(other), effects: [shadow])),
            ("halo", Composition(source: .original, effects: [halo])),
            ("decontaminate", Composition(source: .picture(other), decontaminate: true)),
            ("light wrap", Composition(source: .picture(other), lightWrap: 0.5)),
        ]
    }

    private func segmentation(
        _ image: NoiseImage, _ size: Size2D, _ quality: GeneratePersonSegmentationRequest.QualityLevel
    ) throws {
        let request = GeneratePersonSegmentationRequest()
        (request.qualityLevel, request.mode) = (quality, .recording)
        let layout = request.maskLayout(width: size.width, height: size.height)
        guard let mask = MaskMemory(format: layout.format, width: layout.width, height: layout.height) else {
            return
        }
        let name = "request: \(quality.rawValue) segmentation"
        let format = image.view.format.rawValue
        guard quality == .fast else {
            let frames = min(options.frames, 10)
            let times = try measure(frames: frames) {
                try request.perform(on: InputFrame(image.view), into: mask.mutableView)
            }
            return Report.row(name, size, format, times)
        }
        let landscape = layout.width > layout.height ? "_landscape" : ""
        let inference = try InferenceRequest(
            Engine.shared.compiledModel(ModelStore().model(named: "selfie_segmentation" + landscape)))
        // The two take turns, so that other work of the machine slows both down alike.
        let (times, beside) = try measure(
            frames: options.frames,
            { try request.perform(on: InputFrame(image.view), into: mask.mutableView) },
            { try inference.run() })
        Report.row(name, size, format, times)
        Report.row("  its inference alone, in turns", size, format, beside)
    }
}

/// An image in its own memory, filled with noise, so that nothing in it is predictable or constant.
final class NoiseImage {
    let mutableView: MutableImageView
    var view: ImageView { ImageView(mutableView) }
    private let memory: UnsafeMutableRawPointer
    private let byteCount: Int

    init(_ format: PixelFormat, _ size: Size2D) throws {
        let layout = format.layout
        let strides = (0..<4).map {
            ($0 < layout.planeCount ? layout.rowBytes(plane: $0, width: size.width) : 0)
        }
        let counts = (0..<4).map { strides[$0] * layout.rows(plane: $0, height: size.height) }
        byteCount = counts.reduce(0, +)
        memory = .allocate(byteCount: byteCount, alignment: 64)
        // A linear congruential generator (Knuth, MMIX): its upper bits are random enough.
        var random: UInt64 = 1
        for offset in 0..<byteCount {
            random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            // 16...235.
            memory.storeBytes(of: UInt8(16 + (random >> 40) % 220), toByteOffset: offset, as: UInt8.self)
        }
        let second = memory + counts[0]
        let third = second + counts[1]
        let planes = (
            MutablePlane(base: memory, stride: strides[0]), MutablePlane(base: second, stride: strides[1]),
            MutablePlane(base: third, stride: strides[2]),
            MutablePlane(base: third + counts[2], stride: strides[3])
        )
        guard
            let view = MutableImageView(
                format: format, width: size.width, height: size.height,
                planes: planes, byteCounts: (counts[0], counts[1], counts[2], counts[3]))
        else { throw BenchError("no image of \(size) \(format.rawValue)") }
        mutableView = view
    }

    deinit { memory.deallocate() }

    /// Copies all samples of an image of the same format and size: the minimum cost of a change of a frame.
    func copy(_ other: NoiseImage) {
        memory.copyMemory(from: other.memory, byteCount: min(byteCount, other.byteCount))
    }
}

/// Returns a mask that covers a third of the frame with a soft edge, about like a person in front of a
/// camera.
func personMask(width: Int, height: Int) throws -> MaskMemory {
    guard let mask = MaskMemory(format: .gray8, width: width, height: height) else {
        throw BenchError("no mask of \(width)x\(height)")
    }
    var row = [Float](repeating: 0, count: width)
    for y in 0..<height {
        for x in 0..<width {
            let (dx, dy) = ((Float(x) / Float(width) - 0.5) / 0.27, (Float(y) / Float(height) - 0.6) / 0.45)
            row[x] = (1 - (dx * dx + dy * dy).squareRoot()) * 12 + 0.5
        }
        mask.mutableView.writeRow(y, from: row)
    }
    return mask
}
