import CGStreamer

/// A Swift element registered as a GObject type: its class and instance initialisers, and the way from a
/// GObject back to its Swift object.
///
/// C function pointers cannot capture, so the trampolines look everything up by GType.
final class ElementClass {
    let type: VideoElement.Type
    let authors: String
    let log: DebugCategory

    init(_ type: VideoElement.Type, by authors: String) {
        (self.type, self.authors) = (type, authors)
        log = DebugCategory(type.metadata.factoryName, type.metadata.longName)
    }
}

private let classQuark = g_quark_from_static_string("gst-people-element-class")
private let peerQuark = g_quark_from_static_string("gst-people-element-peer")

/// Registers `type` with the plugin, an opaque `GstPlugin`, or with the process when nil.
///
/// - Parameter authors: names, with addresses in angle brackets.
public func register(_ type: VideoElement.Type, by authors: String, in plugin: OpaquePointer?) -> Bool {
    let known = g_type_from_name(type.metadata.typeName)
    let gtype = known != 0 ? known : makeType(for: type, by: authors)
    guard gtype != 0 else { return false }
    return gst_element_register(plugin, type.metadata.factoryName, guint(GST_RANK_NONE.rawValue), gtype) != 0
}

private func makeType(for type: VideoElement.Type, by authors: String) -> GType {
    let parent = type.base.gtype
    var query = GTypeQuery()
    g_type_query(parent, &query)
    var info = GTypeInfo()
    info.class_size = guint16(clamping: query.class_size)
    info.instance_size = guint16(clamping: query.instance_size)
    info.class_init = initialiseClass
    info.instance_init = initialiseInstance
    // GTypes live as long as the process, and so must this object.
    let elementClass = Unmanaged.passRetained(ElementClass(type, by: authors)).toOpaque()
    info.class_data = UnsafeRawPointer(elementClass)
    let gtype = g_type_register_static(parent, type.metadata.typeName, &info, GTypeFlags(rawValue: 0))
    g_type_set_qdata(gtype, classQuark, elementClass)
    return gtype
}

private let initialiseClass: GClassInitFunc = { klass, data in
    guard let klass, let data else { return }
    let elementClass = Unmanaged<ElementClass>.fromOpaque(data).takeUnretainedValue()
    let type = elementClass.type
    let objectClass = klass.assumingMemoryBound(to: GObjectClass.self)
    objectClass.pointee.get_property = getProperty
    objectClass.pointee.set_property = setProperty
    type.settingsType.install(on: objectClass)
    klass.assumingMemoryBound(to: GstElementClass.self).pointee.change_state = changeState
    describe(type, by: elementClass.authors, on: klass.assumingMemoryBound(to: GstElementClass.self))
    installVideoMethods(on: klass, base: type.base, changesFormat: type.changesFormat)
}

private func describe(
    _ type: VideoElement.Type, by authors: String, on elementClass: UnsafeMutablePointer<GstElementClass>
) {
    let metadata = type.metadata
    gst_element_class_set_metadata(
        elementClass, metadata.longName, metadata.klass, metadata.description, authors)
    let own = videoCaps(formats: type.formats)
    let text = type.mayBeIdle ? "\(own); \(anyVideoCaps)" : own
    guard let caps = GStreamer.Caps(text) else { return }
    for (name, direction) in [("sink", GST_PAD_SINK), ("src", GST_PAD_SRC)] {
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
        if let pointer { Unmanaged<VideoElement>.fromOpaque(pointer).release() }
    }
    peer.prepareBase()
}

private let changeState:
    @convention(c) (UnsafeMutablePointer<GstElement>?, GstStateChange) -> GstStateChangeReturn = {
        element, change in
        // The base class waits for the streaming thread.
        if change == GST_STATE_CHANGE_PAUSED_TO_READY { peer(of: element)?.interrupt() }
        let parent = g_type_class_peek(gst_base_transform_get_type())?
            .assumingMemoryBound(to: GstElementClass.self)
        return parent?.pointee.change_state(element, change) ?? GST_STATE_CHANGE_FAILURE
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
func peer(of instance: UnsafeMutableRawPointer?) -> VideoElement? {
    guard let instance else { return nil }
    let gobject = instance.assumingMemoryBound(to: GObject.self)
    guard let pointer = g_object_get_qdata(gobject, peerQuark) else { return nil }
    return Unmanaged<VideoElement>.fromOpaque(pointer).takeUnretainedValue()
}

// MARK: - Properties

private let getProperty:
    @convention(c) (
        UnsafeMutablePointer<GObject>?, guint, UnsafeMutablePointer<GValue>?,
        UnsafeMutablePointer<GParamSpec>?
    ) -> Void = { object, number, value, _ in
        guard let value, let peer = peer(of: object) else { return }
        _ = peer.settingsStore.access.read(Int(number), into: value)
    }

private let setProperty:
    @convention(c) (
        UnsafeMutablePointer<GObject>?, guint, UnsafePointer<GValue>?, UnsafeMutablePointer<GParamSpec>?
    ) -> Void = { object, number, value, _ in
        guard let value, let peer = peer(of: object) else { return }
        _ = peer.settingsStore.access.write(Int(number), from: value)
    }
