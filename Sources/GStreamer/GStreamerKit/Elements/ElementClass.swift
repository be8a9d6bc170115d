import CGStreamer

/// A Swift element registered as a GObject type: its class and instance initialisers, and the way from a
/// GObject back to its Swift object.
///
/// C function pointers cannot capture, so the trampolines look everything up by GType.
final class ElementClass {
    let type: Element.Type
    let origin: ElementOrigin
    let log: DebugCategory

    init(_ type: Element.Type, _ origin: ElementOrigin) {
        (self.type, self.origin) = (type, origin)
        log = DebugCategory(type.metadata.factoryName, type.metadata.longName)
    }
}

/// The people and places behind the elements of a plugin, for `gst-inspect-1.0` and the catalogues of hosts.
public struct ElementOrigin: Sendable {
    /// Names, with addresses in angle brackets.
    public var authors: String
    /// The address of a page that describes each element under a heading with its name.
    public var documentation: String
    /// The name of an icon in the desktop's themes.
    public var icon: String

    /// Describes an origin.
    public init(authors: String, documentation: String, icon: String) {
        (self.authors, self.documentation, self.icon) = (authors, documentation, icon)
    }
}

private let classQuark = g_quark_from_static_string("gst-people-element-class")
private let peerQuark = g_quark_from_static_string("gst-people-element-peer")

/// Registers `type` with the plugin, an opaque `GstPlugin`, or with the process when nil.
public func register(_ type: Element.Type, _ origin: ElementOrigin, in plugin: OpaquePointer?) -> Bool {
    let known = g_type_from_name(type.metadata.typeName)
    let gtype = known != 0 ? known : makeType(for: type, origin)
    guard gtype != 0 else { return false }
    return gst_element_register(plugin, type.metadata.factoryName, guint(GST_RANK_NONE.rawValue), gtype) != 0
}

private func makeType(for type: Element.Type, _ origin: ElementOrigin) -> GType {
    let parent = type.parentType
    var query = GTypeQuery()
    g_type_query(parent, &query)
    var info = GTypeInfo()
    info.class_size = guint16(clamping: query.class_size)
    info.instance_size = guint16(clamping: query.instance_size)
    info.class_init = initialiseClass
    info.instance_init = initialiseInstance
    // GTypes live as long as the process, and so must this object.
    let elementClass = Unmanaged.passRetained(ElementClass(type, origin)).toOpaque()
    info.class_data = UnsafeRawPointer(elementClass)
    let gtype = g_type_register_static(parent, type.metadata.typeName, &info, GTypeFlags(rawValue: 0))
    g_type_set_qdata(gtype, classQuark, elementClass)
    type.addInterfaces(to: gtype)
    return gtype
}

private let initialiseClass: GClassInitFunc = { klass, data in
    guard let klass, let data else { return }
    let elementClass = Unmanaged<ElementClass>.fromOpaque(data).takeUnretainedValue()
    let type = elementClass.type
    let objectClass = klass.assumingMemoryBound(to: GObjectClass.self)
    objectClass.pointee.get_property = getProperty
    objectClass.pointee.set_property = setProperty
    for (index, specification) in type.makeSpecs().enumerated() {
        g_object_class_install_property(objectClass, guint(index + 1), specification)
    }
    describe(type, elementClass.origin, on: klass.assumingMemoryBound(to: GstElementClass.self))
    type.installMethods(on: klass)
}

private func describe(
    _ type: Element.Type, _ origin: ElementOrigin, on elementClass: UnsafeMutablePointer<GstElementClass>
) {
    let metadata = type.metadata
    gst_element_class_set_metadata(
        elementClass, metadata.longName, metadata.klass, metadata.description, origin.authors)
    gst_element_class_add_metadata(
        elementClass, GST_ELEMENT_METADATA_DOC_URI, "\(origin.documentation)#\(metadata.factoryName)")
    gst_element_class_add_metadata(elementClass, GST_ELEMENT_METADATA_ICON_NAME, origin.icon)
    let (sink, source) = type.padCaps
    for (name, direction, text) in [("sink", GST_PAD_SINK, sink), ("src", GST_PAD_SRC, source)] {
        guard let caps = GStreamer.Caps(text) else { continue }
        gst_element_class_add_pad_template(
            elementClass, gst_pad_template_new(name, direction, GST_PAD_ALWAYS, caps.pointer()))
    }
}

private let initialiseInstance: GInstanceInitFunc = { instance, klass in
    guard let instance, let klass, let elementClass = elementClass(of: people_type_of_class(klass)) else {
        return
    }
    let gobject = UnsafeMutableRawPointer(instance).assumingMemoryBound(to: GObject.self)
    let peer = elementClass.type.init(Element.Handle(gobject: gobject, log: elementClass.log))
    g_object_set_qdata_full(gobject, peerQuark, Unmanaged.passRetained(peer).toOpaque()) { pointer in
        if let pointer { Unmanaged<Element>.fromOpaque(pointer).release() }
    }
    peer.prepare()
}

/// Returns the Swift class behind a GType or, for a type derived from ours, behind its ancestor.
private func elementClass(of gtype: GType) -> ElementClass? {
    var gtype = gtype
    while gtype != 0 {
        if let data = g_type_get_qdata(gtype, classQuark) {
            return Unmanaged<ElementClass>.fromOpaque(data).takeUnretainedValue()
        }
        gtype = g_type_parent(gtype)
    }
    return nil
}

/// Returns the Swift object behind a GObject of ours.
func anyPeer(of instance: UnsafeMutableRawPointer?) -> Element? {
    guard let instance else { return nil }
    let gobject = instance.assumingMemoryBound(to: GObject.self)
    guard let pointer = g_object_get_qdata(gobject, peerQuark) else { return nil }
    return Unmanaged<Element>.fromOpaque(pointer).takeUnretainedValue()
}

/// Returns the Swift object behind a video element of ours.
func peer(of instance: UnsafeMutableRawPointer?) -> VideoElement? {
    anyPeer(of: instance) as? VideoElement
}

// MARK: - Properties

private let getProperty:
    @convention(c) (
        UnsafeMutablePointer<GObject>?, guint, UnsafeMutablePointer<GValue>?,
        UnsafeMutablePointer<GParamSpec>?
    ) -> Void = { object, number, value, _ in
        guard let value else { return }
        anyPeer(of: object)?.copyProperty(Int(number), to: value)
    }

private let setProperty:
    @convention(c) (
        UnsafeMutablePointer<GObject>?, guint, UnsafePointer<GValue>?, UnsafeMutablePointer<GParamSpec>?
    ) -> Void = { object, number, value, specification in
        guard let value, let peer = anyPeer(of: object),
            peer.setProperty(Int(number), to: value) == .latched
        else { return }
        let name = specification.map { String(cString: $0.pointee.name) } ?? "The property"
        peer.post(
            warning: ElementError(
                .librarySettings, "\(name) stays true until the stream ends. Stop the stream to change it."))
    }

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
