import CGStreamer

/// An element's settings: a plain struct whose fields are reached through GObject properties.
public protocol ElementSettings: Sendable {
    /// The defaults.
    init()
    /// The properties, in the order in which `gst-inspect-1.0` shows them.
    static var properties: [Property<Self>] { get }
}

/// No settings at all.
public struct NoSettings: ElementSettings {
    /// The defaults.
    public init() {}
    /// No properties.
    public static var properties: [Property<NoSettings>] { [] }
}

extension ElementSettings {
    /// Declares the properties on a GObject class; numbers start at 1, as GObject wants.
    static func install(on objectClass: UnsafeMutablePointer<GObjectClass>) {
        for (index, property) in properties.enumerated() {
            g_object_class_install_property(objectClass, guint(index + 1), property.makeSpec())
        }
    }
}

/// One element instance's settings, shared by the application's threads and the streaming thread.
public final class SettingsBox<Settings: ElementSettings>: SettingsAccess {
    private let guarded = Guarded(Settings())
    private let properties = Settings.properties

    /// Settings with their defaults.
    public init() {}

    /// The settings as they are now; take one per frame.
    public func snapshot() -> Settings { guarded.snapshot() }

    func read(_ number: Int, into value: UnsafeMutablePointer<GValue>) -> Bool {
        guard properties.indices.contains(number - 1) else { return false }
        properties[number - 1].read(guarded.snapshot(), value)
        return true
    }

    func write(_ number: Int, from value: UnsafePointer<GValue>) -> Bool {
        guard properties.indices.contains(number - 1) else { return false }
        guarded.update { properties[number - 1].write(&$0, value) }
        return true
    }
}

/// What the GObject trampolines need of an instance's settings, whatever their type.
protocol SettingsAccess: AnyObject {
    /// Copies property `number` (from 1) into `value`; false if there is none.
    func read(_ number: Int, into value: UnsafeMutablePointer<GValue>) -> Bool
    /// Sets property `number` (from 1) from `value`; false if there is none.
    func write(_ number: Int, from value: UnsafePointer<GValue>) -> Bool
}
