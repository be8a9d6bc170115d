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
    /// Declares the properties on a GObject class; their numbers start at 1, as GObject requires.
    static func install(on objectClass: UnsafeMutablePointer<GObjectClass>) {
        for (index, property) in properties.enumerated() {
            g_object_class_install_property(objectClass, guint(index + 1), property.makeSpec())
        }
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

    package func write(_ number: Int, from value: UnsafePointer<GValue>) -> Bool {
        guard properties.indices.contains(number - 1) else { return false }
        guarded.update {
            properties[number - 1].setValue(in: &$0.settings, from: value)
            $0.changes &+= 1
        }
        return true
    }
}

/// Access of the GObject trampolines to an element's settings, whatever their type.
protocol SettingsAccess: AnyObject {
    /// Copies property `number` (from 1) to `value`; false if there is no such property.
    func read(_ number: Int, into value: UnsafeMutablePointer<GValue>) -> Bool
    /// Sets property `number` (from 1) to `value`; false if there is no such property.
    func write(_ number: Int, from value: UnsafePointer<GValue>) -> Bool
    /// Copies the settings for the streaming thread if they have changed.
    @discardableResult func renew() -> Bool
}
