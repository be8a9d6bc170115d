/// All that hosts know of a property, apart from its storage: the row of the property in the one table that every host
/// filters.
public struct PropertyFacts: Sendable {
    /// The name, in lower case with hyphens.
    public let name: String
    /// The description, as a phrase or a few sentences.
    public let blurb: String
    /// The type of its values, and their range.
    public let kind: PropertyKind
    /// The states in which it may change.
    public let mutability: Mutability
    /// The name that has replaced this one; nil unless the property is deprecated.
    public internal(set) var replacement: String?
    /// The control in a window; nil for none.
    public internal(set) var control: PropertyControl?
    /// The option of the tool; nil for none.
    public internal(set) var option: PropertyOption?
    /// The hosts that do not offer the property, each with the reason, as a clause.
    public internal(set) var exclusions: [PropertyHost: String] = [:]
    /// The hosts in which the control is not one of its group: they draw one of their own.
    public internal(set) var ownControls: Set<PropertyHost> = []
    /// Words of a choice that a host does not offer.
    public internal(set) var hiddenWords: [PropertyHost: Set<String>] = [:]
    /// The values at which the room behind the people stays hidden; nil if every value hides it.
    public internal(set) var roomRule: RoomRule?

    init(name: String, blurb: String, kind: PropertyKind, mutability: Mutability) {
        (self.name, self.blurb, self.kind, self.mutability) = (name, blurb, kind, mutability)
    }

    /// Whether a host offers the property.
    public func isOffered(by host: PropertyHost) -> Bool {
        guard exclusions[host] == nil else { return false }
        return switch host {
        case .element, .preset: true
        case .tool, .lifting: option != nil
        case .page, .obs: control != nil
        }
    }

    /// Whether a host neither offers the property nor gives a reason for that.
    public func isForgotten(by host: PropertyHost) -> Bool {
        exclusions[host] == nil && !isOffered(by: host)
    }

    /// The word of a choice with an index; nil for a property of another kind.
    public func word(at index: Int) -> String? {
        guard case .choice(let words) = kind, words.words.indices.contains(index) else { return nil }
        return words.words[index].word
    }

    /// The words of a choice that a host offers; none for a property of another kind.
    public func words(for host: PropertyHost) -> [PropertyWords.Word] {
        guard case .choice(let words) = kind else { return [] }
        return words.words.filter { hiddenWords[host]?.contains($0.word) != true }
    }
}

/// The places in which people meet properties.
public enum PropertyHost: String, Sendable, CaseIterable {
    /// A GStreamer element.
    case element
    /// The commands of the tool, as options.
    case tool
    /// The command that cuts people out of photos, as options.
    case lifting
    /// The page of the studio.
    case page
    /// The filter for OBS.
    case obs
    /// Settings that the studio saves under a name.
    case preset
}

/// The control of a property in a window.
public struct PropertyControl: Sendable {
    /// A few words, capitalised.
    public let label: String
    /// The group with which the control is shown.
    public let group: PropertyGroup
    /// The place in the group, which may have properties of several elements.
    public let place: Int
    /// The unit of a number; nil for none.
    public let unit: PropertyUnit?
    /// The range that a slider covers; nil for the property's own.
    public let softRange: ClosedRange<Double>?
    /// The backgrounds with which the property matters; empty for all.
    public let needs: [PropertyNeed]

    /// Makes a control.
    public init(
        label: String, group: PropertyGroup, place: Int, unit: PropertyUnit? = nil,
        softRange: ClosedRange<Double>? = nil, needs: [PropertyNeed] = []
    ) {
        (self.label, self.group, self.place) = (label, group, place)
        (self.unit, self.softRange, self.needs) = (unit, softRange, needs)
    }
}

/// The groups of controls and options, in their order.
public enum PropertyGroup: String, Sendable, CaseIterable {
    case background = "Background"
    case edges = "Edges"
    case people = "People"
    case framing = "Framing"
    case additions = "Shadow and outline"
    case heads = "Heads"
    case level = "Level"
    case overlays = "Overlays"
}

/// The units of numbers.
public enum PropertyUnit: String, Sendable {
    case percent = "%"
    case stops
}

/// The backgrounds behind the people, as far as properties depend on them.
public enum PropertyNeed: String, Sendable {
    /// The frame's own, as it is.
    case sharpRoom = "none"
    /// The frame's own, blurred.
    case blurredRoom = "blur"
    case picture
    /// A picture or clip that does not fill the frame.
    case framedPicture = "framed"
    case color
    /// A colour that follows the head's angles.
    case pose
}

/// The option of the tool that sets a property.
public struct PropertyOption: Sendable {
    /// The commands that have an option.
    public enum Scope: Sendable {
        /// All that draw people.
        case all
        /// The commands that replace the background.
        case backgrounds
        /// The commands that show the frames in a window.
        case windows
    }

    /// The name; nil for a property that options with other tasks set, too.
    public let name: String?
    /// The description, without the range of a number.
    public let summary: String
    /// The word that stands for the value in help; nil for the usual one.
    public let word: String?
    /// The commands that have the option.
    public let scope: Scope
}

/// The values of a property at which the room behind the people stays hidden.
public enum RoomRule: Sendable {
    /// Numbers in a range.
    ///
    /// - Parameter orZero: whether 0 also hides the room, though it lies outside of the range.
    case range(ClosedRange<Double>, orZero: Bool = false)
    /// Some texts.
    case texts(Set<String>)
    /// No text at all.
    case unset

    /// Whether the room stays hidden at a value, in GStreamer's spelling.
    public func allows(_ text: String) -> Bool {
        switch self {
        case .range(let range, let orZero):
            guard let value = Double(text) else { return false }
            return range.contains(value) || orZero && value == 0
        case .texts(let texts): return texts.contains(text)
        case .unset: return text.isEmpty
        }
    }
}

// MARK: - Tables

extension Property {
    /// Returns the property with a control.
    ///
    /// - Parameters:
    ///   - place: the place in the group, which may have properties of several elements.
    ///   - slider: the range that a slider covers; nil for the property's own.
    ///   - needs: the backgrounds with which the property matters; empty for all.
    public func control(
        _ label: String, in group: PropertyGroup, at place: Int, _ unit: PropertyUnit? = nil,
        slider: ClosedRange<Double>? = nil, needs: [PropertyNeed] = []
    ) -> Self {
        changed {
            $0.control = PropertyControl(
                label: label, group: group, place: place, unit: unit, softRange: slider, needs: needs)
        }
    }

    /// Returns the property with an option of the tool, which has the property's name.
    public func option(
        _ summary: String, as word: String? = nil, for scope: PropertyOption.Scope = .all
    ) -> Self {
        option(name, summary, as: word, for: scope)
    }

    /// Returns the property with an option of the tool that has another name.
    public func option(
        _ name: String, _ summary: String, as word: String? = nil, for scope: PropertyOption.Scope = .all
    ) -> Self {
        changed {
            $0.option = PropertyOption(name: name, summary: summary, word: word, scope: scope)
        }
    }

    /// Returns the property as one for which a host draws a control of its own, apart from the groups.
    public func drawnSeparately(by host: PropertyHost) -> Self {
        changed { $0.ownControls.insert(host) }
    }

    /// Returns the property as one that options with other tasks set, too.
    public func partOfOptions(_ names: String) -> Self {
        changed { $0.option = PropertyOption(name: nil, summary: names, word: nil, scope: .all) }
    }

    /// Returns the property without some hosts.
    ///
    /// - Parameter reason: the reason, as a clause.
    public func without(_ hosts: PropertyHost..., because reason: String) -> Self {
        changed { facts in for host in hosts { facts.exclusions[host] = reason } }
    }

    /// Returns the choice without a word in one host.
    public func without(_ word: String, in host: PropertyHost) -> Self {
        changed { $0.hiddenWords[host, default: []].insert(word) }
    }

    /// Returns the property with a rule for the room behind the people.
    public func hidesRoom(_ rule: RoomRule) -> Self { changed { $0.roomRule = rule } }

    private func changed(_ change: (inout PropertyFacts) -> Void) -> Self {
        var property = self
        change(&property.facts)
        return property
    }
}
