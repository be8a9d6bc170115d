import CGStreamer
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
public final class SettingsBox<Settings: ElementSettings>: SettingsAccess {
    private let guarded = Guarded(Settings())
    private let properties = Settings.properties

    /// Settings with their defaults.
    public init() {}

    /// Returns the current settings; take one snapshot per frame.
    public func snapshot() -> Settings { guarded.snapshot() }

    func read(_ number: Int, into value: UnsafeMutablePointer<GValue>) -> Bool {
        guard properties.indices.contains(number - 1) else { return false }
        properties[number - 1].copyValue(of: guarded.snapshot(), to: value)
        return true
    }

    func write(_ number: Int, from value: UnsafePointer<GValue>) -> Bool {
        guard properties.indices.contains(number - 1) else { return false }
        guarded.update { properties[number - 1].setValue(in: &$0, from: value) }
        return true
    }
}

/// Access of the GObject trampolines to an element's settings, whatever their type.
protocol SettingsAccess: AnyObject {
    /// Copies property `number` (from 1) to `value`; false if there is no such property.
    func read(_ number: Int, into value: UnsafeMutablePointer<GValue>) -> Bool
    /// Sets property `number` (from 1) to `value`; false if there is no such property.
    func write(_ number: Int, from value: UnsafePointer<GValue>) -> Bool
}
