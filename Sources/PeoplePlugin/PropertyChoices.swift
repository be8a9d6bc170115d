public import GStreamerKit
public import Imaging
public import Inference
public import PeopleVision

// The enumerations that the elements' properties offer; the raw values are the nicks.

extension GeneratePersonSegmentationRequest.QualityLevel: PropertyChoice {
    /// The GType's name.
    public static var typeName: String { "GstPeopleQuality" }
    /// What `gst-inspect-1.0` says of the case.
    public var blurb: String {
        switch self {
        case .accurate: "Photography: the finest masks, the slowest"
        case .balanced: "Video: fine masks of every frame"
        case .fast: "Streaming: coarse masks, the fastest"
        }
    }
}

extension MaskFormat: PropertyChoice {
    /// The GType's name.
    public static var typeName: String { "GstPeopleMaskFormat" }
    /// What `gst-inspect-1.0` says of the case.
    public var blurb: String {
        switch self {
        case .gray8: "8 bit, 0 to 255"
        case .f16: "Half float, 0 to 1"
        case .f32: "Float, 0 to 1"
        }
    }
}

extension ModelPrecision: PropertyChoice {
    /// The GType's name.
    public static var typeName: String { "GstPeoplePrecision" }
    /// What `gst-inspect-1.0` says of the case.
    public var blurb: String {
        switch self {
        case .automatic: "8-bit integers where such models are installed and the CPU is fast at them"
        case .float32: "Single precision"
        }
    }
}

extension PictureFit: PropertyChoice {
    /// The GType's name.
    public static var typeName: String { "GstPeopleBackgroundFit" }
    /// What `gst-inspect-1.0` says of the case.
    public var blurb: String {
        switch self {
        case .cover: "Fill the frame, cut off what sticks out"
        case .contain: "Show the whole picture on the background colour"
        case .stretch: "Fill the frame, give up the proportions"
        case .tile: "Repeat the picture at its own size"
        }
    }
}

extension FaceOverlay: PropertyChoice {
    /// The GType's name.
    public static var typeName: String { "GstPeopleFaceOverlay" }
    /// What `gst-inspect-1.0` says of the case.
    public var blurb: String {
        switch self {
        case .none: "Nothing; frames are not written"
        case .boxes: "A box around each face"
        case .axes: "The head's axes: red to the image's right, green down, blue ahead"
        case .landmarks: "The outlines of the face's parts"
        case .all: "Boxes, axes and landmarks"
        }
    }
}

extension BodyOverlay: PropertyChoice {
    /// The GType's name.
    public static var typeName: String { "GstPeopleBodyOverlay" }
    /// What `gst-inspect-1.0` says of the case.
    public var blurb: String {
        switch self {
        case .none: "Nothing; frames are not written"
        case .boxes: "A box around each person"
        case .skeleton: "Lines between the joints: orange on the person's left, blue on the right"
        case .all: "Boxes and skeletons"
        }
    }
}

extension InstanceOverflow: PropertyChoice {
    /// The GType's name.
    public static var typeName: String { "GstPeopleOverflow" }
    /// What `gst-inspect-1.0` says of the case.
    public var blurb: String {
        switch self {
        case .merge: "They share one more label"
        case .background: "They are background in the label map"
        }
    }
}

extension HandOverlay: PropertyChoice {
    /// The GType's name.
    public static var typeName: String { "GstPeopleHandOverlay" }
    /// What `gst-inspect-1.0` says of the case.
    public var blurb: String {
        switch self {
        case .none: "Nothing; frames are not written"
        case .boxes: "A box around each hand"
        case .skeleton: "Lines between the joints: orange for left hands, blue for right ones"
        case .all: "Boxes and skeletons"
        }
    }
}

extension ElementSettings {
    /// Properties of all elements that run models.
    ///
    /// - Parameters:
    ///   - configuration: where the settings hold that of their request.
    ///   - modelPath: what `model-path` may be.
    static func inferenceProperties<Configuration: InferenceConfiguration>(
        _ configuration: WritableKeyPath<Self, Configuration>, modelPath: String
    ) -> [Property<Self>] {
        [
            .text(
                "device", "OpenVINO's name of the device to run on: CPU, GPU, NPU, AUTO",
                configuration.appending(path: \.device)),
            .count(
                "threads", "Threads for inference, 0 for as many as suit the model", in: 0...256,
                configuration.appending(path: \.threads)),
            .string("model-path", modelPath, configuration.appending(path: \.modelPath)),
        ]
    }
}
