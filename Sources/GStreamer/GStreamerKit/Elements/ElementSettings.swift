package import CGStreamer
public import Properties

/// No settings at all.
public struct NoSettings: ElementSettings {
    /// Creates the default settings.
    public init() {}
    /// No properties.
    public static var properties: [Property<NoSettings>] { [] }
}

extension ElementSettings {
    /// Makes the descriptions of the GObject properties, in their order.
    static func makeSpecs() -> [UnsafeMutablePointer<GParamSpec>?] { properties.map { $0.makeSpec() } }

    /// Makes the descriptions of the properties that a bin around the element offers, in their order.
    static func makeSpecs(hiding hidden: Set<String>) -> [UnsafeMutablePointer<GParamSpec>?] {
        offered(hiding: hidden).map { $0.makeSpec() }
    }

    /// Returns the names of the properties that a bin around the element offers, in their order.
    static func names(hiding hidden: Set<String>) -> [String] { offered(hiding: hidden).map(\.name) }

    private static func offered(hiding hidden: Set<String>) -> [Property<Self>] {
        properties.filter { $0.replacement == nil && !hidden.contains($0.name) }
    }
}

/// The settings of one element, shared by the application's threads and the streaming thread.
///
/// Applications set properties while frames are processed. The streaming thread works with a copy of its own, `current`, which
/// the element renews before each frame.
public final class SettingsBox<Settings: ElementSettings>: SettingsAccess {
    /// The settings of the current frame, on the streaming thread.
    public private(set) var current = Settings()
    /// The number of changes that `current` has.
    private var copiedChanges = 0

    private struct Shared {
        var settings = Settings()
        /// Number of times that a property was set.
        var changes = 0
        /// Whether a stream is running.
        var isStreaming = false
    }

    private let guarded = Guarded(Shared())
    private let properties = Settings.properties

    /// Settings with their defaults.
    public init() {}

    /// Returns a copy of the settings as they are now, on any thread; frames have theirs in `current`.
    public func snapshot() -> Settings { guarded.snapshot().settings }

    /// Copies the settings to `current` if a property has been set since the last copy.
    ///
    /// - Returns: whether they were copied.
    @discardableResult package func renew() -> Bool {
        let changed = guarded.update { [copiedChanges] in $0.changes == copiedChanges ? nil : $0 }
        guard let changed else { return false }
        (current, copiedChanges) = (changed.settings, changed.changes)
        return true
    }

    func read(_ number: Int, into value: UnsafeMutablePointer<GValue>) -> Bool {
        guard properties.indices.contains(number - 1) else { return false }
        properties[number - 1].copyValue(of: snapshot(), to: value)
        return true
    }

    package func write(_ number: Int, from value: UnsafePointer<GValue>) -> PropertyWriting {
        guard properties.indices.contains(number - 1) else { return .unknown }
        let property = properties[number - 1]
        return guarded.update { shared in
            var settings = shared.settings
            property.setValue(in: &settings, from: value)
            if shared.isStreaming, property.isReleased(from: shared.settings, to: settings) {
                return .latched
            }
            shared.settings = settings
            shared.changes &+= 1
            return .stored
        }
    }

    package func setStreaming(_ isStreaming: Bool) { guarded.update { $0.isStreaming = isStreaming } }
}

/// The outcome of setting a property.
package enum PropertyWriting {
    case stored
    /// The property keeps its value until the stream ends.
    case latched
    /// There is no such property.
    case unknown
}

extension Property {
    /// Whether a latched property would change from true to false.
    fileprivate func isReleased(from old: Settings, to new: Settings) -> Bool {
        mutability == .latched && read(old) == .bool(true) && read(new) == .bool(false)
    }
}

/// Access of the GObject trampolines to an element's settings, whatever their type.
protocol SettingsAccess: AnyObject {
    /// Copies property `number` (from 1) to `value`; false if there is no such property.
    func read(_ number: Int, into value: UnsafeMutablePointer<GValue>) -> Bool
    /// Sets property `number` (from 1) to `value`.
    func write(_ number: Int, from value: UnsafePointer<GValue>) -> PropertyWriting
    /// Notes that a stream begins or has ended.
    func setStreaming(_ isStreaming: Bool)
    /// Copies the settings for the streaming thread if they have changed.
    @discardableResult func renew() -> Bool
}
