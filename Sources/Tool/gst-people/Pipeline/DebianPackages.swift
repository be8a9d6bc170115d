/// The elements of this project.
enum PeopleElements {
    /// The plugin that they are in.
    static let plugin = "people"
    /// Elements of the tool, for a system without any of them; on others the registry has their names.
    static let names = [
        "personsegment", "subjectsegment", "facepose", "bodypose", "handpose", "blendmask", "poseoverlay",
        "personbackground", "autoframe",
    ]
}

/// Advice that names the Debian package of a missing element or decoder.
enum DebianPackages {
    /// Advice for a missing element.
    static func advice(forElement name: String) -> String {
        guard !PeopleElements.names.contains(name) else {
            return "run pipelines/build and eval \"$(pipelines/env)\", or install gst-people"
        }
        return "apt-get install \(package(ofElement: name))"
    }

    /// Advice for a missing decoder.
    ///
    /// - Parameter mediaType: the name of the caps that cannot be decoded.
    static func advice(forDecoderOf mediaType: String) -> String {
        switch mediaType {
        case "video/x-vp8", "video/x-vp9", "image/png", "image/jpeg", "audio/x-flac", "audio/x-speex":
            "apt-get install gstreamer1.0-plugins-good"
        case "audio/x-opus", "audio/x-vorbis", "video/x-theora":
            "apt-get install gstreamer1.0-plugins-base"
        case "video/x-av1", "image/webp", "image/heic":
            "apt-get install gstreamer1.0-plugins-bad gstreamer1.0-libav"
        default: "apt-get install gstreamer1.0-libav, and gstreamer1.0-plugins-bad if that is not enough"
        }
    }

    private static func package(ofElement name: String) -> String {
        switch name {
        case "x264enc": "gstreamer1.0-plugins-ugly"
        case "avenc_aac", "avenc_prores_ks": "gstreamer1.0-libav"
        case "webpenc", "jpegparse", "opusparse", "voaacenc", "dcaparse", "h265parse", "x265enc", "gdppay",
            "gdpdepay":
            "gstreamer1.0-plugins-bad"
        case "parsebin", "decodebin", "uridecodebin", "videoconvert", "videoscale", "compositor", "appsink",
            "appsrc", "audioconvert", "audioresample", "opusenc", "vorbisparse":
            "gstreamer1.0-plugins-base"
        case "pipewiresink", "pipewiresrc": "gstreamer1.0-pipewire"
        case "filesrc", "filesink", "queue", "identity", "fakesink", "capsfilter":
            "libgstreamer1.0-0"
        default: "gstreamer1.0-plugins-good"
        }
    }
}
