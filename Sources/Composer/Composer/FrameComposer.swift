package import Imaging
package import PeopleSettings

/// Composes the frames of one stream: the people in front of a background, or what may be seen of a frame without a mask.
///
/// The only place in which hosts keep the promises to hide the room, people and heads. Fails closed: a frame without a
/// usable mask is covered as a whole, unless `no-mask` says otherwise, and the frame's own background is no cover.
package final class FrameComposer {
    /// The settings that are drawn.
    package private(set) var settings = BlendSettings().drawn
    private var plan = CompositionPlan()
    private let selection = InstanceSelection()
    private let heads = HeadCover()
    private var light = PeopleLight()
    // Each composes the same all the time, and keeps what it has prepared: the frame, the heads, the people's light.
    private let (compositor, headCompositor, lightCompositor) =
        (MaskCompositor(), MaskCompositor(), MaskCompositor())
    /// Masks of frames that are kept or replaced as a whole.
    private let (keptMask, replacedMask) = (MaskMemory.plain(1), MaskMemory.plain(0))

    /// Creates a composer whose settings are the defaults.
    package init() {}

    // MARK: - Settings

    /// Begins a stream, whose ids are its own.
    ///
    /// - Throws: when a property is malformed.
    package func start(_ settings: BlendSettings) throws(MalformedProperty) {
        use(settings.drawn)
        try selection.start(self.settings)
        try heads.start(self.settings)
    }

    /// Takes over settings; does nothing if they are the same as before.
    ///
    /// - Returns: properties that have become malformed, once; the previous choices stay.
    package func update(_ settings: BlendSettings) -> [MalformedProperty] {
        use(settings.drawn)
        var malformed: [MalformedProperty] = []
        do throws(MalformedProperty) { try selection.follow(self.settings) } catch { malformed.append(error) }
        do throws(MalformedProperty) { try heads.follow(self.settings) } catch { malformed.append(error) }
        return malformed
    }

    private func use(_ settings: BlendSettings) {
        self.settings = settings
        plan.follow(settings)
    }

    /// Whether frames stay as they are.
    package var isIdentity: Bool { plan.isIdentity }

    /// Returns whether frames stay as they are with some settings, on any thread.
    package static func isIdentity(_ settings: BlendSettings) -> Bool {
        var plan = CompositionPlan()
        plan.follow(settings.drawn)
        return plan.isIdentity
    }

    // MARK: - Stream

    /// Handles a frame that does not follow the last one.
    package func interrupt() {
        heads.interrupt()
        light.interrupt()
    }

    /// Begins an image that shares nothing with those before it, ids included.
    package func beginScene() {
        selection.lookAgain()
        heads.beginScene()
        light.beginScene()
    }

    /// Whether the heads that were found in a frame are needed.
    package var needsHeads: Bool { settings.heads != .keep && settings.shown == .result }

    /// Returns what is behind the people.
    ///
    /// - Parameters:
    ///   - media: the picture, clip or colour of the head's angles that the settings ask for; nil while there is none.
    ///   - format: the format of the frame.
    package func background(_ media: BackgroundSource?, in format: PixelFormat) -> BackgroundSource {
        switch settings.resolvedSource {
        case .original: .original
        case .transparent where format.layout.alpha != nil:
            .transparent(premultiplied: settings.premultiplies)
        case .picture, .clip, .pose: media ?? plainColor
        // A frame without alpha: the property was changed after its format was chosen.
        case .transparent, .auto, .color: plainColor
        }
    }

    private var plainColor: BackgroundSource { .color(RGBColor(argb: settings.color)) }

    // MARK: - Frames

    /// The reason why a frame's people cannot be shown.
    package enum Fault: Error {
        /// There is no usable mask.
        case noMask
        /// The memory of a mask contradicts its fields.
        case malformed
        /// There is only one mask of all people, though some of them are chosen.
        case noInstances
        /// The people to be hidden are not in the frame.
        case lost
    }

    /// The outcome of a frame.
    package enum Outcome {
        /// The people are shown.
        case shown
        /// The people are shown, without the heads that are to be hidden.
        case headsHidden
        /// The frame is covered as a whole.
        case covered(Fault)
        /// The frame stays as it is, because `no-mask` says so.
        case kept(Fault)
        /// Nothing is to be shown, because `no-mask` says so; the frame is as it was.
        case refused(Fault)
        /// The frame could not be composed, and is covered as a whole.
        case failed(CompositingError)
    }

    /// Composes a frame in place.
    ///
    /// - Parameters:
    ///   - masks: the frame's masks; nil for a frame without usable ones.
    ///   - background: the background that `background(_:in:)` has returned.
    ///   - found: the heads that were found in the frame; with nil everything of the people whose heads are to be hidden is.
    ///   - time: the frame's, in nanoseconds.
    package func compose(
        _ image: MutableImageView, _ masks: (some SelectableMasks)?, over background: BackgroundSource,
        _ found: FoundHeads? = nil, at time: UInt64? = nil
    ) -> Outcome {
        do throws(Obstacle) {
            guard let masks else { throw .fault(.noMask) }
            let hidesHeads = try hideHeads(image, masks, found)
            try blend(image, masks, background, at: time)
            return hidesHeads ? .headsHidden : .shown
        } catch {
            switch error {
            case .fault(let fault): return withoutMask(image, background, fault)
            case .failed(let error):
                cover(image, with: background)
                return .failed(error)
            }
        }
    }

    /// Covers a frame as a whole.
    ///
    /// - Returns: the reason why it is black instead of the background; nil for none.
    @discardableResult package func cover(
        _ image: MutableImageView, with background: BackgroundSource
    ) -> CompositingError? {
        var cover = plan.composition(background, isMatte: false)
        // The frame's own background is no cover.
        if case .original = cover.source { cover = Composition(source: plainColor) }
        do throws(CompositingError) {
            try compositor.cover(image, cover)
            return nil
        } catch {
            coverInBlack(image)
            return error
        }
    }

    /// Covers what is around a part of a frame: some programs ignore a crop by metadata.
    package func blank(_ whole: MutableImageView, around visible: PixelRect) {
        compositor.blank(whole, around: visible)
    }

    // MARK: - People

    /// Whether the chosen people were missing in the last frame.
    package var isLost: Bool { selection.isActive && selection.isLost }

    /// Whether the last frame leaves people out.
    package var hidesPeople: Bool { selection.hidesPeople(hides: settings.inverts) }

    /// Whether the last frame shows a person of it.
    package func shows(_ id: Int) -> Bool { selection.shows(id, hides: settings.inverts) }
}

/// The heads that were found in a frame.
package struct FoundHeads {
    /// The heads; a person may have several, from faces and bodies.
    let heads: [FoundHead]
    /// Width of the displayed frame divided by its height.
    let aspectRatio: Double
    /// The frame's time in nanoseconds.
    let time: UInt64?

    package init(_ heads: [FoundHead], aspectRatio: Double, at time: UInt64?) {
        (self.heads, self.aspectRatio, self.time) = (heads, aspectRatio, time)
    }
}

// MARK: - Composition

/// The reason why a frame is not composed.
private enum Obstacle: Error {
    case fault(FrameComposer.Fault)
    case failed(CompositingError)
}

extension FrameComposer {
    /// Hides the heads of people in the frame itself, so that no effect on it shows them; returns whether any may be.
    private func hideHeads(
        _ image: MutableImageView, _ masks: some SelectableMasks, _ found: FoundHeads?
    ) throws(Obstacle) -> Bool {
        guard needsHeads else { return false }
        let cover = heads.mask(
            of: masks, found?.heads ?? [],
            aspectRatio: found?.aspectRatio ?? Double(image.width) / Double(max(1, image.height)),
            at: found?.time)
        guard let cover else { throw .fault(.malformed) }
        guard let composition = plan.heads(radius: heads.largestRadius) else { return false }
        do throws(CompositingError) {
            try headCompositor.composite(image, mask: cover, composition)
        } catch { throw .failed(error) }
        return true
    }

    /// Blends the frame by its mask.
    private func blend(
        _ image: MutableImageView, _ masks: some SelectableMasks, _ background: BackgroundSource,
        at time: UInt64?
    ) throws(Obstacle) {
        let composition = plan.composition(background, isMatte: masks.isMatte)
        let outcome: Result<Void, CompositingError>?
        if selection.isActive {
            let chosen: MaskView
            do throws(SelectionFault) {
                chosen = try selection.mask(of: masks, hides: settings.inverts)
            } catch { throw .fault(Fault(error)) }
            outcome = draw(chosen, image, composition, at: time)
        } else {
            outcome = masks.withMask { draw($0, image, composition, at: time) }
        }
        switch outcome {
        case .success: break
        case .failure(let error): throw .failed(error)
        case nil: throw .fault(.malformed)
        }
    }

    /// Changes the light of the people in the frame; those who are replaced need none.
    private func lightPeople(
        of image: MutableImageView, _ mask: MaskView, at time: UInt64?
    ) throws(CompositingError) {
        guard !settings.inverts,
            let composition = light.composition(for: ImageView(image), mask, settings, at: time)
        else { return }
        try lightCompositor.composite(image, mask: mask, composition)
    }

    private func draw(
        _ mask: MaskView, _ image: MutableImageView, _ composition: Composition, at time: UInt64?
    ) -> Result<Void, CompositingError> {
        Result { () throws(CompositingError) in
            guard settings.shown == .mask else {
                try lightPeople(of: image, mask, at: time)
                return try compositor.composite(image, mask: mask, composition)
            }
            compositor.showMask(image, mask: mask, invert: settings.inverts)
        }
    }

    /// Applies the `no-mask` policy.
    private func withoutMask(
        _ image: MutableImageView, _ background: BackgroundSource, _ fault: Fault
    ) -> Outcome {
        switch (settings.noMask, settings.shown) {
        case (.error, _): return .refused(fault)
        case (.pass, .result): return .kept(fault)
        case (.pass, .mask):
            show(keptMask, in: image)
            return .kept(fault)
        case (.cover, .mask):
            show(replacedMask, in: image)
            return .covered(fault)
        case (.cover, .result):
            return cover(image, with: background).map { .failed($0) } ?? .covered(fault)
        }
    }

    private func show(_ mask: MaskMemory?, in image: MutableImageView) {
        guard let mask else { return coverInBlack(image) }
        compositor.showMask(image, mask: mask.view, invert: false)
    }

    /// Covers a frame in a colour, which fits every frame.
    private func coverInBlack(_ image: MutableImageView) {
        try? compositor.cover(image, Composition(source: .color(.black)))
    }
}

extension FrameComposer.Fault {
    fileprivate init(_ fault: SelectionFault) {
        self =
            switch fault {
            case .noInstances: .noInstances
            case .malformed: .malformed
            case .lost: .lost
            }
    }
}

extension MaskMemory {
    /// Returns a mask with the same value everywhere.
    fileprivate static func plain(_ value: Float) -> MaskMemory? {
        let mask = MaskMemory(format: .gray8, width: 1, height: 1)
        mask?.mutableView.writeRow(0, from: [value])
        return mask
    }
}
