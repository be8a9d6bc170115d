import CPackaging
import GStreamerKit
import Inference

/// All elements of the plugin; a new one is a file and a line here.
private let videoElements: [VideoElement.Type] = [
    PersonSegmentElement.self,
    SubjectSegmentElement.self,
    FacePoseElement.self,
    BodyPoseElement.self,
    HandPoseElement.self,
    BlendMaskElement.self,
    PoseOverlayElement.self,
    AutoFrameElement.self,
]

/// Bins of these elements.
private let bins: [BinElement.Type] = [PersonBackgroundElement.self]

/// The kinds of metadata that the elements exchange; depth maps are attached by others, and framings where a property asks
/// for them.
private let metas =
    videoElements.flatMap { $0.attachedMetas } + [PeopleDepthMeta.kind, PeopleFramingMeta.kind]

/// The kinds of metadata that list findings in a frame.
let findingsLists = videoElements.compactMap { ($0 as? any FindingsElement.Type)?.findingsList }

private let description = PluginDescription(
    name: "people",
    description:
        "Person and subject segmentation, face, body and hand pose, background replacement, and framing",
    version: "0.2.0",
    license: "Apache 2.0", source: "gst-people", package: String(cString: people_package_name()),
    origin: String(cString: people_package_origin()), released: "2026-11-22")

// GStreamer keeps the pointer for the life of the process and never writes through it.
private nonisolated(unsafe) let descriptor = description.makeDescriptor { plugin in
    let log = DebugCategory("people-inference", "Models and OpenVINO")
    InferenceLog.setWriter { line in log.info(line) }
    metas.forEach { $0.register() }
    let origin = ElementOrigin(
        authors: String(cString: people_authors()), documentation: String(cString: people_documentation()),
        icon: "org.gst_people.studio")
    let elements: [Element.Type] = videoElements + bins
    return elements.allSatisfy { register($0, origin, in: plugin) } ? 1 : 0
}

/// Returns the `GstPluginDesc`: the entry point that GStreamer calls after it has opened the file.
@_cdecl("gst_plugin_people_get_desc")
public func pluginDescription() -> UnsafeRawPointer { descriptor }

/// Registers the plugin: the entry point for a program that the plugin is linked into.
@_cdecl("gst_plugin_people_register")
public func registerPlugin() { registerStatically(descriptor) }
