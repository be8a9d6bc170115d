import Imaging
import Inference
import PeopleVision

/// Times the stages of a frame's life one by one.
struct StageBench {
    private let options: Options

    init(_ options: Options) { self.options = options }

    func run() throws {
        try inference()
        for size in options.sizes {
            for format in options.formats {
                let picture = try NoisePicture(format, size)
                try sampling(picture, size)
                try blending(picture, size)
                for quality in options.qualities { try segmentation(picture, size, quality) }
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

    private func sampling(_ picture: NoisePicture, _ size: Size2D) throws {
        for (name, input) in [
            ("bilinear to 256x144", TensorInput(width: 256, height: 144)),
            ("area to 512x288", TensorInput(width: 512, height: 288, layout: .nchw, filter: .area)),
        ] {
            let sampler = try TensorSampler(input)
            var tensor = [Float](repeating: 0, count: input.valueCount)
            let times = try tensor.withUnsafeMutableBufferPointer { tensor in
                try measure(frames: options.frames) { try sampler.sample(picture.view, into: tensor) }
            }
            Report.row("sampling: \(name)", size, picture.view.format.rawValue, times)
        }
    }

    /// Blending, in turns with a copy of as many bytes.
    private func blending(_ picture: NoisePicture, _ size: Size2D) throws {
        let mask = try personMask(width: 256, height: 144)
        let (other, copy) = (
            try NoisePicture(picture.view.format, size), try NoisePicture(picture.view.format, size)
        )
        let format = picture.view.format
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
                try compositor.composite(picture.mutableView, mask: mask.view, composition)
            }
        }
        let compositor = MaskCompositor()
        copies += try time("mask") {
            compositor.showMask(picture.mutableView, mask: mask.view, invert: false)
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
        _ picture: NoisePicture, _ size: Size2D, _ quality: GeneratePersonSegmentationRequest.QualityLevel
    ) throws {
        let request = GeneratePersonSegmentationRequest()
        request.qualityLevel = quality
        let layout = request.maskLayout(width: size.width, height: size.height)
        guard let mask = Mask(format: layout.format, width: layout.width, height: layout.height) else {
            return
        }
        let name = "request: \(quality.rawValue) segmentation"
        let format = picture.view.format.rawValue
        guard quality == .fast else {
            let frames = min(options.frames, 10)
            let times = try measure(frames: frames) {
                try request.perform(on: InputFrame(picture.view), into: mask.mutableView)
            }
            return Report.row(name, size, format, times)
        }
        let landscape = layout.width > layout.height ? "_landscape" : ""
        let inference = try InferenceRequest(
            Engine.shared.compiledModel(ModelStore().model(named: "selfie_segmentation" + landscape)))
        // In turns: what else runs on the machine then slows both down alike.
        let (times, beside) = try measure(
            frames: options.frames,
            { try request.perform(on: InputFrame(picture.view), into: mask.mutableView) },
            { try inference.run() })
        Report.row(name, size, format, times)
        Report.row("  its inference alone, in turns", size, format, beside)
    }
}
