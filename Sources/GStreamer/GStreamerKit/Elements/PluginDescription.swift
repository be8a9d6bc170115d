import CGStreamer

/// The description of a plugin file: the `GstPluginDesc` behind its two entry points.
public struct PluginDescription: Sendable {
    /// The plugin's name; the file must be called `libgst<name>.so`.
    public var name: StaticString
    /// One sentence.
    public var description: StaticString
    /// Version of the plugin.
    public var version: StaticString
    /// One of the licence strings that GStreamer accepts.
    public var license: StaticString
    /// The source module.
    public var source: StaticString
    /// The package that the plugin is part of.
    public var package: String
    /// The address from which the package comes.
    public var origin: String
    /// Date of this version: `2026-11-22`.
    public var released: StaticString

    /// Describes a plugin.
    public init(
        name: StaticString, description: StaticString, version: StaticString, license: StaticString,
        source: StaticString, package: String, origin: String, released: StaticString
    ) {
        self.name = name
        self.description = description
        self.version = version
        self.license = license
        self.source = source
        self.package = package
        self.origin = origin
        self.released = released
    }

    /// Returns the C description; made once and never freed, because GStreamer keeps the pointer.
    ///
    /// - Parameter initialise: registers the elements; called with the opaque `GstPlugin`.
    public func makeDescriptor(
        initialise: @convention(c) (OpaquePointer?) -> Int32
    ) -> UnsafeRawPointer {
        var descriptor = GstPluginDesc()
        descriptor.major_version = gint(GST_VERSION_MAJOR)
        descriptor.minor_version = gint(GST_VERSION_MINOR)
        descriptor.name = name.withCString { $0 }
        descriptor.description = description.withCString { $0 }
        descriptor.plugin_init = initialise
        descriptor.version = version.withCString { $0 }
        descriptor.license = license.withCString { $0 }
        descriptor.source = source.withCString { $0 }
        descriptor.package = UnsafePointer(g_strdup(package))
        descriptor.origin = UnsafePointer(g_strdup(origin))
        descriptor.release_datetime = released.withCString { $0 }
        let pointer = UnsafeMutablePointer<GstPluginDesc>.allocate(capacity: 1)
        pointer.initialize(to: descriptor)
        return UnsafeRawPointer(pointer)
    }
}

/// Registers a plugin that is linked into the program instead of loaded from a file.
///
/// - Parameter descriptor: the result of `makeDescriptor`.
public func registerStatically(_ descriptor: UnsafeRawPointer) {
    let plugin = descriptor.assumingMemoryBound(to: GstPluginDesc.self).pointee
    gst_plugin_register_static(
        plugin.major_version, plugin.minor_version, plugin.name, plugin.description, plugin.plugin_init,
        plugin.version, plugin.license, plugin.source, plugin.package, plugin.origin)
}
