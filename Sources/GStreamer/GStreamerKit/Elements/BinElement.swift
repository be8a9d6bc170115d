import CGStreamer

/// A bin with a chain of the plugin's video elements, whose properties it offers as its own.
///
/// The values are those of the elements, which programs may also set by themselves (`GstChildProxy`).
open class BinElement: Element {
    /// An element in the bin.
    public struct Part: Sendable {
        /// The element.
        let type: VideoElement.Type
        /// The element's name in the bin.
        let name: String
        /// Names of properties that the bin does not offer.
        let hiddenProperties: Set<String>

        /// Describes an element in the bin.
        public init(_ type: VideoElement.Type, named name: String, hiding hiddenProperties: Set<String> = [])
        {
            (self.type, self.name, self.hiddenProperties) = (type, name, hiddenProperties)
        }
    }

    /// The elements in the bin, from its sink pad to its source pad; no two offer a property of the same name.
    open class var parts: [Part] { [] }

    /// The elements in their order.
    ///
    /// They have the bin as parent and post on its bus, but are not in the list of `GstBin`: editors list the
    /// properties of all elements that they find there beside the bin's own.
    fileprivate private(set) var elements: [GStreamer.Element] = []
    /// The owner and the name of each property.
    private var offered: [(owner: GStreamer.Element, name: String)] = []

    // MARK: - GObject

    override class var parentType: GType { gst_bin_get_type() }

    override class var padCaps: (sink: String, source: String) {
        guard let first = parts.first, let last = parts.last else { return super.padCaps }
        return (first.type.padCaps.sink, last.type.padCaps.source)
    }

    override class func makeSpecs() -> [UnsafeMutablePointer<GParamSpec>?] {
        parts.flatMap { $0.type.settingsType.makeSpecs(hiding: $0.hiddenProperties) }
    }

    override class func installMethods(on klass: UnsafeMutableRawPointer) {
        klass.assumingMemoryBound(to: GstElementClass.self).pointee.change_state = { element, change in
            guard let bin = bin(of: element), bin.changeStates(change) else {
                return GST_STATE_CHANGE_FAILURE
            }
            let parent = g_type_class_peek(gst_bin_get_type())?.assumingMemoryBound(to: GstElementClass.self)
            return parent?.pointee.change_state(element, change) ?? GST_STATE_CHANGE_FAILURE
        }
    }

    override class func addInterfaces(to gtype: GType) {
        var children = GInterfaceInfo()
        children.interface_init = installChildMethods
        g_type_add_interface_static(gtype, gst_child_proxy_get_type(), &children)
        super.addInterfaces(to: gtype)
    }

    override func prepare() {
        let bin = GStreamer.Element(retaining: gstElement)
        elements = Self.parts.compactMap { makeElement($0) }
        for element in elements {
            gst_object_set_parent(element.pointer(), gstObject)
            gst_element_set_bus(element.pointer(), bin.pointer(GstBin.self).pointee.child_bus)
        }
        for (one, next) in zip(elements, elements.dropFirst()) { _ = one.link(to: next) }
        if let first = elements.first { bin.show("sink", of: first) }
        if let last = elements.last { bin.show("src", of: last) }
    }

    deinit {
        for element in elements {
            gst_element_set_bus(element.pointer(), nil)
            gst_object_unparent(element.pointer())
        }
    }

    /// Brings the elements into the next state, from the source pad to the sink pad, as a bin does.
    private func changeStates(_ change: GstStateChange) -> Bool {
        let next = people_next_state(change)
        return elements.reversed().allSatisfy {
            gst_element_set_state($0.pointer(), next) != GST_STATE_CHANGE_FAILURE
        }
    }

    private func makeElement(_ part: Part) -> GStreamer.Element? {
        guard let element = GStreamer.Element(factory: part.type.metadata.factoryName) else { return nil }
        element.set("name", to: part.name)
        offered += part.type.settingsType.names(hiding: part.hiddenProperties).map { (element, $0) }
        peer(of: element.reference.pointer)?.bin = self
        return element
    }

    override func copyProperty(_ number: Int, to value: UnsafeMutablePointer<GValue>) {
        guard offered.indices.contains(number - 1) else { return }
        let (owner, name) = offered[number - 1]
        g_object_get_property(owner.pointer(), name, value)
    }

    override func setProperty(_ number: Int, to value: UnsafePointer<GValue>) -> PropertyWriting {
        guard offered.indices.contains(number - 1) else { return .unknown }
        let (owner, name) = offered[number - 1]
        // The owner warns of a value that it does not take.
        g_object_set_property(owner.pointer(), name, value)
        return .stored
    }
}

/// Returns the Swift object behind a bin of ours.
private func bin(of instance: UnsafeMutableRawPointer?) -> BinElement? {
    anyPeer(of: instance) as? BinElement
}

/// Sets the methods by which programs reach the elements of a bin.
private let installChildMethods: GInterfaceInitFunc = { interface, _ in
    guard let methods = interface?.assumingMemoryBound(to: GstChildProxyInterface.self) else { return }
    methods.pointee.get_children_count = { proxy in
        guint(clamping: bin(of: UnsafeMutableRawPointer(proxy))?.elements.count ?? 0)
    }
    methods.pointee.get_child_by_index = { proxy, index in
        guard let elements = bin(of: UnsafeMutableRawPointer(proxy))?.elements,
            elements.indices.contains(Int(index))
        else { return nil }
        return lent(elements[Int(index)])
    }
    methods.pointee.get_child_by_name = { proxy, name in
        guard let name, let elements = bin(of: UnsafeMutableRawPointer(proxy))?.elements else { return nil }
        return elements.first { $0.name == String(cString: name) }.flatMap { lent($0) }
    }
}

/// Returns an element with a new reference, for a caller in C.
private func lent(_ element: GStreamer.Element) -> UnsafeMutablePointer<GObject>? {
    gst_object_ref(element.pointer())?.assumingMemoryBound(to: GObject.self)
}
