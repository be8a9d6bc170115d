/// The background behind the people, decided from the properties of `blendmask`, and the degree to which the
/// room is seen there.
///
/// This type is the only place of that decision: `blendmask`, the tool, the studio and its page use it.
package struct Backdrop: Sendable, Equatable {
    /// The kinds of background; the raw values are those of `background-source`.
    package enum Source: String, CaseIterable, Sendable {
        case auto, original, picture, clip, color, transparent, pose

        /// Whether the source is a picture of some kind, which can be blurred.
        package var isPicture: Bool { [.original, .picture, .clip].contains(self) }
    }

    /// The degrees to which the room behind the people is seen.
    package enum Room: Sendable {
        case hidden, blurred, sharp
    }

    /// The requested source.
    package var source = Source.auto
    /// Whether a picture or clip is named.
    package var hasPicture = false
    /// Blur, in percent.
    package var blur = 0.0
    /// Whether one of the other `effects` is set.
    package var hasOtherEffects = false
    /// Whether the people are replaced, and the room is kept.
    package var inverts = false

    /// Creates the backdrop of properties that are not set.
    package init() {}

    /// Effects that do nothing to a plain colour: with `background-source=auto` they bring the room into view.
    package static let effects: Set<String> = ["blur", "exposure", "desaturate"]

    /// Minimum blur of a hidden room, in percent: a standard deviation of 0.03 frame heights, 22 pixels of 720.
    ///
    /// A Gaussian halves the contrast of patterns that repeat every 5.3 standard deviations, here 0.16 frame
    /// heights, and leaves 0.7 % of those that repeat every two. By eye, with black capitals on white and a
    /// portrait beside them: at 20, capitals of 0.044 frame heights could not be read and those of 0.073
    /// could; at 30 these could not either, and faces of 0.2 frame heights had no features left.
    package static let minimumBlur = 30.0

    /// Standard deviation of the blur at 100, in frame heights.
    package static let strongestBlur = 0.1

    /// The source after `auto` is resolved.
    ///
    /// With other effects, such as a shadow or a halo, a room that was to be hidden must stay hidden.
    package var resolved: Source {
        guard source == .auto else { return source }
        if hasPicture { return .picture }
        // A value that is not a number could be any value.
        return blur <= 0 && !hasOtherEffects ? .color : .original
    }

    /// The degree to which the room is seen.
    package var room: Room {
        if inverts { return .sharp }
        return switch resolved {
        case .original: blur >= Self.minimumBlur ? .blurred : .sharp
        // A sink that ignores alpha shows the colours beneath.
        case .transparent: .sharp
        case .auto, .picture, .clip, .color, .pose: .hidden
        }
    }

    /// The backdrop nearest to this one that does not show the room sharp.
    package var hidingRoom: Backdrop {
        var hidden = self
        hidden.inverts = false
        switch resolved {
        case .original where hidden.room == .sharp:
            (hidden.source, hidden.blur) = (.original, Self.minimumBlur)
        case .transparent: hidden.source = .color
        case .auto, .original, .picture, .clip, .color, .pose: break
        }
        return hidden
    }
}

extension Backdrop {
    /// Reads properties from their texts, as GStreamer writes them; nil for one that is not set.
    ///
    /// A text that cannot be read counts as the value that shows most of the room.
    package init(_ text: (_ property: String) -> String?) {
        func number(_ property: String) -> Double { text(property).map { Double($0) ?? .nan } ?? 0 }
        self.init()
        source = text("background-source").map { Source(rawValue: $0) ?? .original } ?? .auto
        hasPicture = !(text("background") ?? "").isEmpty
        blur = number("blur")
        hasOtherEffects = Self.effects.contains { $0 != "blur" && number($0) != 0 }
        inverts = (text("invert") ?? "false") != "false"
    }
}
