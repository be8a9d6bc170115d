package import CGStreamer

/// GStreamer's objects.
///
/// The types nested in it are handles: each counts one reference to its C object and gives it back when the last copy of the
/// handle goes. Only `ObjectReference` and `MiniObjectReference` do so; they also sink floating references
/// of new objects. A view borrows an object and counts no reference.
package enum GStreamer {
    /// Starts the library; does nothing the second time.
    package static func initialize() { gst_init(nil, nil) }

    /// The version of the library that runs.
    package static var version: (major: UInt32, minor: UInt32, micro: UInt32) {
        var (major, minor, micro, nano): (guint, guint, guint, guint) = (0, 0, 0, 0)
        gst_version(&major, &minor, &micro, &nano)
        return (major, minor, micro)
    }

    /// Whether a text is a URI.
    package static func isURI(_ text: String) -> Bool { gst_uri_is_valid(text) != 0 }
}

// MARK: - References

/// One reference to a `GstObject`.
package final class ObjectReference: @unchecked Sendable {
    // Unchecked: the pointer never changes, and GStreamer's objects count references and lock by themselves.
    package let pointer: UnsafeMutableRawPointer

    /// Takes over the caller's reference, or sinks the floating reference of a new object.
    package init(taking pointer: UnsafeMutableRawPointer) {
        if g_object_is_floating(pointer) != 0 { gst_object_ref_sink(pointer) }
        self.pointer = pointer
    }

    /// Adds a reference to a borrowed object.
    init(retaining pointer: UnsafeMutableRawPointer) {
        gst_object_ref(pointer)
        self.pointer = pointer
    }

    deinit { gst_object_unref(pointer) }
}

/// One reference to a `GstMiniObject`: caps, a buffer, a sample, an event, a message, a query, tags.
package final class MiniObjectReference: @unchecked Sendable {
    // Unchecked: the pointer never changes, references are counted atomically, and only what has a single reference is
    // written to.
    let pointer: UnsafeMutablePointer<GstMiniObject>

    /// Takes over a reference that belongs to the caller.
    init(taking pointer: UnsafeMutableRawPointer) {
        self.pointer = pointer.assumingMemoryBound(to: GstMiniObject.self)
    }

    /// Adds a reference to a borrowed object.
    init(retaining pointer: UnsafeMutableRawPointer) {
        self.pointer = pointer.assumingMemoryBound(to: GstMiniObject.self)
        gst_mini_object_ref(self.pointer)
    }

    deinit { gst_mini_object_unref(pointer) }

    /// Whether this is the only reference.
    var isWritable: Bool { gst_mini_object_is_writable(pointer) != 0 }
}

/// A handle of a `GstObject`.
package protocol ObjectHandle: Sendable, Equatable {
    /// What the handle counts.
    var reference: ObjectReference { get }
    /// A handle of the same object.
    init(_ reference: ObjectReference)
}

extension ObjectHandle {
    /// Takes over the caller's reference, or sinks the floating reference of a new object.
    package init(taking pointer: UnsafeMutableRawPointer) { self.init(ObjectReference(taking: pointer)) }

    /// Adds a reference to a borrowed object.
    package init(retaining pointer: UnsafeMutableRawPointer) {
        self.init(ObjectReference(retaining: pointer))
    }

    /// The C object, for a call during which the handle lives.
    package func pointer<Object>(_: Object.Type = Object.self) -> UnsafeMutablePointer<Object> {
        reference.pointer.assumingMemoryBound(to: Object.self)
    }

    package static func == (one: Self, other: Self) -> Bool {
        one.reference.pointer == other.reference.pointer
    }

    /// The object's name.
    package var name: String {
        pointer(GstObject.self).pointee.name.map { String(cString: $0) } ?? "an element"
    }

    /// Whether the C object is of a class, or of one that derives from it.
    package func isA(_ type: GType) -> Bool {
        g_type_check_instance_is_a(pointer(GTypeInstance.self), type) != 0
    }
}

/// A handle of a `GstMiniObject`.
package protocol MiniObjectHandle: Sendable {
    /// What the handle counts.
    var reference: MiniObjectReference { get }
    /// A handle of the same object.
    init(_ reference: MiniObjectReference)
}

extension MiniObjectHandle {
    /// Takes over a reference that belongs to the caller.
    package init(taking pointer: UnsafeMutableRawPointer) { self.init(MiniObjectReference(taking: pointer)) }

    /// Adds a reference to a borrowed object.
    package init(retaining pointer: UnsafeMutableRawPointer) {
        self.init(MiniObjectReference(retaining: pointer))
    }

    /// The C object, for a call during which the handle lives.
    package func pointer<Object>(_: Object.Type = Object.self) -> UnsafeMutablePointer<Object> {
        UnsafeMutableRawPointer(reference.pointer).assumingMemoryBound(to: Object.self)
    }

    /// A reference of its own, for C functions that take one over.
    package func retained<Object>(_: Object.Type = Object.self) -> UnsafeMutablePointer<Object> {
        gst_mini_object_ref(reference.pointer)
        return pointer()
    }
}

// MARK: - Closures

/// A closure behind one of C's user-data pointers.
package final class ClosureBox<Body> {
    package let body: Body

    package init(_ body: Body) { self.body = body }

    /// The closure that `retained` has passed.
    package static func body(_ data: gpointer?) -> Body? {
        data.map { Unmanaged<ClosureBox>.fromOpaque($0).takeUnretainedValue().body }
    }

    /// The pointer to pass; `releaseClosure` gives the closure back.
    package var retained: gpointer { Unmanaged.passRetained(self).toOpaque() }
}

/// Gives back what `ClosureBox.retained` has passed.
package let releaseClosure: GDestroyNotify = { data in
    if let data { Unmanaged<AnyObject>.fromOpaque(data).release() }
}

/// A Swift copy of a text that the caller must free.
package func taken(_ text: UnsafeMutablePointer<gchar>) -> String {
    defer { g_free(text) }
    return String(cString: text)
}

/// Swift copies of the texts of a list that ends with nil, and that the caller must free.
package func taken(_ list: UnsafeMutablePointer<UnsafeMutablePointer<gchar>?>?) -> [String] {
    defer { g_strfreev(list) }
    var found: [String] = []
    var next = list
    while let text = next?.pointee {
        found.append(String(cString: text))
        next = next.map { $0 + 1 }
    }
    return found
}
