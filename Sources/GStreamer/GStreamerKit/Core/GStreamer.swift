package import CGStreamer

/// Swift handles of GStreamer's objects.
///
/// Each nested handle counts one reference to its C object and releases it when the last copy of the handle
/// goes. Only `ObjectReference` and `MiniObjectReference` count references; they also sink floating
/// references of new objects. A view borrows an object and counts no reference.
package enum GStreamer {
    /// Initializes the library; further calls do nothing.
    package static func initialize() { gst_init(nil, nil) }

    /// The version of the library at run time.
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
    // Unchecked: the pointer never changes, references are counted atomically, and an object is written to
    // only while it has a single reference.
    let pointer: UnsafeMutablePointer<GstMiniObject>

    /// Takes over the caller's reference.
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
    /// The reference that the handle counts.
    var reference: ObjectReference { get }
    /// Makes a handle of the same object.
    init(_ reference: ObjectReference)
}

extension ObjectHandle {
    /// Takes over the caller's reference, or sinks the floating reference of a new object.
    package init(taking pointer: UnsafeMutableRawPointer) { self.init(ObjectReference(taking: pointer)) }

    /// Adds a reference to a borrowed object.
    package init(retaining pointer: UnsafeMutableRawPointer) {
        self.init(ObjectReference(retaining: pointer))
    }

    /// Returns the C object; valid while the handle lives.
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

    /// Whether the C object is an instance of a class or of a subclass.
    package func isA(_ type: GType) -> Bool {
        g_type_check_instance_is_a(pointer(GTypeInstance.self), type) != 0
    }
}

/// A handle of a `GstMiniObject`.
package protocol MiniObjectHandle: Sendable {
    /// The reference that the handle counts.
    var reference: MiniObjectReference { get }
    /// Makes a handle of the same object.
    init(_ reference: MiniObjectReference)
}

extension MiniObjectHandle {
    /// Takes over the caller's reference.
    package init(taking pointer: UnsafeMutableRawPointer) { self.init(MiniObjectReference(taking: pointer)) }

    /// Adds a reference to a borrowed object.
    package init(retaining pointer: UnsafeMutableRawPointer) {
        self.init(MiniObjectReference(retaining: pointer))
    }

    /// Returns the C object; valid while the handle lives.
    package func pointer<Object>(_: Object.Type = Object.self) -> UnsafeMutablePointer<Object> {
        UnsafeMutableRawPointer(reference.pointer).assumingMemoryBound(to: Object.self)
    }

    /// Returns the C object with a new reference, for C functions that take a reference over.
    package func retained<Object>(_: Object.Type = Object.self) -> UnsafeMutablePointer<Object> {
        gst_mini_object_ref(reference.pointer)
        return pointer()
    }
}

// MARK: - Closures

/// A Swift closure behind a C user-data pointer.
package final class ClosureBox<Body> {
    package let body: Body

    package init(_ body: Body) { self.body = body }

    /// Returns the closure behind a pointer of `retained`.
    package static func body(_ data: gpointer?) -> Body? {
        data.map { Unmanaged<ClosureBox>.fromOpaque($0).takeUnretainedValue().body }
    }

    /// A user-data pointer that keeps the closure until `releaseClosure` is called with it.
    package var retained: gpointer { Unmanaged.passRetained(self).toOpaque() }
}

/// Releases the closure behind a pointer of `ClosureBox.retained`.
package let releaseClosure: GDestroyNotify = { data in
    if let data { Unmanaged<AnyObject>.fromOpaque(data).release() }
}

/// Returns a Swift copy of a C text, which is freed.
package func copyAndFree(_ text: UnsafeMutablePointer<gchar>) -> String {
    defer { g_free(text) }
    return String(cString: text)
}

/// Returns Swift copies of the texts of a list that ends with nil; the list is freed.
package func copyAndFree(_ list: UnsafeMutablePointer<UnsafeMutablePointer<gchar>?>?) -> [String] {
    defer { g_strfreev(list) }
    var found: [String] = []
    var next = list
    while let text = next?.pointee {
        found.append(String(cString: text))
        next = next.map { $0 + 1 }
    }
    return found
}
