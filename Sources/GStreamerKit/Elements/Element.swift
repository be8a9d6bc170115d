import CGStreamer

/// The Swift part of a GStreamer element; subclass `VideoElement` to make one.
///
/// GStreamer owns it: it is created and released with its GObject. Class members describe the element,
/// instance members process frames. Applications set properties from any thread; `start`, `stop` and the
/// frame functions are called by one thread at a time.
open class Element {
    /// The description of an element in `gst-inspect-1.0` and the registry.
    public struct Metadata: Sendable {
        /// The name in pipelines: `personsegment`.
        public var factoryName: String
        /// The GType's name: `GstPersonSegment`.
        public var typeName: String
        /// A short title.
        public var longName: String
        /// GStreamer's class path: `Filter/Analyzer/Video`.
        public var klass: String
        /// One sentence.
        public var description: String

        /// Makes a description.
        public init(
            factoryName: String, typeName: String, longName: String, klass: String, description: String
        ) {
            self.factoryName = factoryName
            self.typeName = typeName
            self.longName = longName
            self.klass = klass
            self.description = description
        }
    }

    /// Names and description; every element overrides it.
    open class var metadata: Metadata {
        Metadata(factoryName: "", typeName: "", longName: "", klass: "", description: "")
    }

    /// The type of the settings, which declares the element's properties.
    open class var settingsType: any ElementSettings.Type { NoSettings.self }

    /// The store of this instance's settings; an override returns its `SettingsBox`.
    open var settingsStore: SettingsStore { SettingsStore(SettingsBox<NoSettings>()) }

    /// The GObject; it outlives this object and is therefore not retained.
    let gobject: UnsafeMutablePointer<GObject>

    /// The GObject that this object belongs to, passed through by subclasses.
    public struct Handle {
        let gobject: UnsafeMutablePointer<GObject>
        let log: DebugCategory
    }

    /// The element's channel in GStreamer's debug log; it has the name of the factory.
    public let log: DebugCategory

    /// Creates an element; called by GStreamer's instance initialiser.
    public required init(_ handle: Handle) { (gobject, log) = (handle.gobject, handle.log) }

    /// Acquires the resources of the stream, at the change from READY to PAUSED.
    ///
    /// A thrown error is posted on the bus and fails the state change.
    open func start() throws(ElementError) {}

    /// Releases the resources of `start` and of the stream, at the change from PAUSED to READY.
    open func stop() {}
}

/// An element's settings, type-erased.
public struct SettingsStore {
    let access: any SettingsAccess

    /// Wraps an element's settings.
    public init<Settings>(_ box: SettingsBox<Settings>) { access = box }
}

// MARK: - Messages

extension Element {
    /// Posts `error` as an error message: the application is expected to stop the pipeline.
    public func post(error: ElementError) { post(error, as: GST_MESSAGE_ERROR) }

    /// Posts `error` as a warning message: the stream goes on.
    public func post(warning error: ElementError) { post(error, as: GST_MESSAGE_WARNING) }

    private func post(_ error: ElementError, as type: GstMessageType) {
        error.post(from: gstElement, as: type)
    }

    var gstObject: UnsafeMutablePointer<GstObject> {
        UnsafeMutableRawPointer(gobject).assumingMemoryBound(to: GstObject.self)
    }

    var gstElement: UnsafeMutablePointer<GstElement> {
        UnsafeMutableRawPointer(gobject).assumingMemoryBound(to: GstElement.self)
    }
}

// MARK: - Work on other threads

extension Element {
    /// Runs `work` on a thread of GStreamer's, away from the streaming thread.
    ///
    /// The element stays alive until `work` has run. An error of `work` is posted as a warning, or as an
    /// error if `isFatal`.
    public func runAsynchronously(
        isFatal: Bool = false, _ work: @escaping @Sendable () throws(ElementError) -> Void
    ) {
        GStreamer.Element(retaining: gstElement).callAsynchronously { element in
            guard let peer = peer(of: element.reference.pointer) else { return }
            do throws(ElementError) { try work() } catch {
                if isFatal { peer.post(error: error) } else { peer.post(warning: error) }
            }
        }
    }
}
