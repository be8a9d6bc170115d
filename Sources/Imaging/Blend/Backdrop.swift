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
    /// Exposure, in stops.
    package var exposure = 0.0
    /// Desaturation, from 0 to 1.
    package var desaturation = 0.0
    /// Whether the people are replaced, and the room is kept.
    package var inverts = false

    /// Creates the backdrop of properties that are not set.
    package init() {}

    /// Effects on the background behind the people: with `background-source=auto` they bring the room into
    /// view.
    package static let effects: Set<String> = ["blur", "exposure", "desaturate"]

    /// Standard deviation of the blur at 100, in frame heights.
    package static let strongestBlur = 0.1

    /// The source after `auto` is resolved.
    ///
    /// Only effects that do nothing to a plain colour bring the room into view: with a shadow or a halo, a
    /// room that was to be hidden must stay hidden.
    package var resolved: Source {
        guard source == .auto else { return source }
        if hasPicture { return .picture }
        // A value that is not a number could be any value.
        let changesNothing = blur <= 0 && exposure == 0 && desaturation <= 0
        return changesNothing ? .color : .original
    }

    /// The degree to which the room is seen.
    package var room: Room {
        if inverts { return .sharp }
        return switch resolved {
        case .original: blur >= HiddenRoom.minimumBlur ? .blurred : .sharp
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
            (hidden.source, hidden.blur) = (.original, HiddenRoom.minimumBlur)
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
        (blur, exposure, desaturation) = (number("blur"), number("exposure"), number("desaturate"))
        inverts = (text("invert") ?? "false") != "false"
    }
}

/// Limits of settings within which the room behind the people stays hidden.
package enum HiddenRoom {
    /// Blur of the room, in percent: a standard deviation of 0.03 frame heights, 22 pixels of 720.
    ///
    /// A Gaussian halves the contrast of patterns that repeat every 5.3 standard deviations, here 0.16 frame
    /// heights, and leaves 0.7 % of those that repeat every two. By eye, with black capitals on white and a
    /// portrait beside them: at 20, capitals of 0.044 frame heights could not be read and those of 0.073
    /// could; at 30 these could not either, and faces of 0.2 frame heights had no features left.
    package static let minimumBlur = 30.0

    /// Limits of the properties of `personsegment`.
    ///
    /// An outline that is moved outwards or softened shows a strip of the room. A mask that is kept for
    /// several frames shows the place that a person has left. A low threshold shows everything that looks a
    /// little like a person.
    package static let masks: [String: Limit] = [
        "threshold": Limit(0.5...1, allowsZero: true),
        "expand": Limit(-100...2), "feather": Limit(0...4), "inference-interval": Limit(0...2),
    ]

    /// Values of a number that hide the room.
    package struct Limit: Sendable {
        /// The range of values that hide the room.
        package let range: ClosedRange<Double>
        /// Whether 0 also hides the room, though it lies outside of the range.
        package let allowsZero: Bool

        fileprivate init(_ range: ClosedRange<Double>, allowsZero: Bool = false) {
            (self.range, self.allowsZero) = (range, allowsZero)
        }

        /// Whether the room stays hidden at this value.
        package func allows(_ value: Double) -> Bool { range.contains(value) || allowsZero && value == 0 }
    }

    /// Returns the setting that shows the room, and its effect, as a phrase; nil while the room is hidden.
    ///
    /// - Parameter text: a property's text, as GStreamer writes it; nil for one that is not set.
    package static func fault(_ text: (_ element: String, _ property: String) -> String?) -> String? {
        let backdrop = Backdrop { text("blendmask", $0) }
        guard backdrop.room != .sharp else {
            return backdrop.inverts || backdrop.resolved != .original
                ? "the room is kept" : "a blur of less than \(Int(minimumBlur)) does not hide the room"
        }
        for (property, limit) in masks.sorted(by: { $0.key < $1.key }) {
            guard let value = text("personsegment", property), !limit.allows(Double(value) ?? .nan) else {
                continue
            }
            return "\(property)=\(value) shows some of the room"
        }
        // The model may take anything for a person.
        let hasModel = !(text("personsegment", "model-path") ?? "").isEmpty
        return hasModel ? "a model of your own may show the room" : nil
    }
}
