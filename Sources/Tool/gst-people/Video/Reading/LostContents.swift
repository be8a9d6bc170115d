import CommandKit
import FileNames
import JSON
import MediaFiles

/// Things inside the frames of a video that composed frames do not have.
struct LostContents {
    /// Names of what is lost, for the user.
    let notes: [String]

    /// - Throws: `ToolError` where the frames by themselves have wrong colours.
    init(of input: VideoInput) throws(ToolError) {
        let (stream, track) = (input.track, input.movieTrack(of: input.track))
        let frame = try MediaDescription.frameSideData(of: input.media, stream: stream.index)
        let sideData = stream.sideData + frame
        func first(_ kind: String) -> JSON? { sideData.first { $0["side_data_type"]?.string == kind } }
        var notes: [String] = []
        if let vision = first("DOVI configuration record") {
            let profile = vision["dv_profile"]?.integer ?? 0
            guard profile != Self.profileWithoutBase else { throw .dolbyVision(input) }
            notes.append(
                "Dolby Vision's metadata (profile \(profile)) are left out; the frames are those without them"
            )
        }
        // A mark of the container is a tag, which the check of the output names.
        let packing = frame.first { $0["side_data_type"]?.string == "Stereo 3D" }?["type"]?.string
        if track?.properties.isDisjoint(with: Self.boxesOfTwoEyes) == false {
            notes.append("the frames of the second eye are left out")
        } else if let packing, !["2D", "unspecified"].contains(packing) {
            notes.append(
                "frames hold two eyes (\(packing)), and are processed as one picture; the mark is left out")
        }
        if stream.video.hasCaptions || first("ATSC A53 Part 4 Closed Captions") != nil {
            let name = FileSystem.shellWord(input.media.path)
            notes.append(
                "captions inside the frames are left out; ffmpeg -f lavfi -i movie=\(name)[out+subcc] captions.srt writes them"
            )
        }
        self.notes = notes
    }

    /// The profile of Dolby Vision whose frames have colours of their own (ICtCp), which only its metadata turn into Y'CbCr.
    private static let profileWithoutBase = 5

    /// Boxes in a sample entry of HEVC with two layers (Apple's MV-HEVC): the second layer's, and that of the eyes.
    private static let boxesOfTwoEyes: Set<String> = ["lhvC", "vexu"]
}

extension ToolError {
    fileprivate static func dolbyVision(_ input: VideoInput) -> ToolError {
        let name = FileSystem.shellWord(input.media.name)
        return ToolError(
            .input,
            "\(input.media.name) has Dolby Vision of profile 5, whose colours are no Y'CbCr. Convert it first: ffmpeg -i "
                + "\(name) -vf libplacebo=colorspace=bt709:color_primaries=bt709:color_trc=bt709:format=yuv420p sdr.mp4"
        )
    }
}
