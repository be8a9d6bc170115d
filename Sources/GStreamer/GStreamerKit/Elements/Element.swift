import CGStreamer

/// The Swift part of a GStreamer element; subclass `VideoElement` or `BinElement` to make one.
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

    // MARK: - GObject

    /// The GType to derive from.
    class var parentType: GType { gst_element_get_type() }
    /// The caps of the pad templates.
    class var padCaps: (sink: String, source: String) { ("NONE", "NONE") }
    /// Sets the virtual methods of the GObject class.
    class func installMethods(on klass: UnsafeMutableRawPointer) {}
    /// Adds interfaces to the GType: presets, which GStreamer itself stores in files and reads, whatever the
    /// properties are.
    class func addInterfaces(to gtype: GType) {
        var presets = GInterfaceInfo()
        g_type_add_interface_static(gtype, gst_preset_get_type(), &presets)
    }
    /// Makes the descriptions of the GObject properties, in their order; their numbers start at 1.
    class func makeSpecs() -> [UnsafeMutablePointer<GParamSpec>?] { settingsType.makeSpecs() }
    /// Completes a new GObject.
    func prepare() {}

    /// Copies property `number` to `value`.
    func copyProperty(_ number: Int, to value: UnsafeMutablePointer<GValue>) {
        _ = settingsStore.access.read(number, into: value)
    }

    /// Sets property `number` to `value`.
    func setProperty(_ number: Int, to value: UnsafePointer<GValue>) -> PropertyWriting {
        settingsStore.access.write(number, from: value)
    }
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
        error.post(from: gstElement, as: type, log)
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
            guard let peer = anyPeer(of: element.reference.pointer) else { return }
            do throws(ElementError) { try work() } catch {
                if isFatal { peer.post(error: error) } else { peer.post(warning: error) }
            }
        }
    }
}
