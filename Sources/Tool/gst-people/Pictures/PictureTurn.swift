import CVips
import CommandKit

/// A turn of upright pictures and frames, by the options `--rotate` and `--flip`.
struct PictureTurn: Equatable, Sendable {
    /// The sides that a flip exchanges.
    enum Flip: String, CaseIterable, Sendable { case horizontal, vertical }

    /// Quarters of a turn clockwise, 0 to 3.
    private var quarters = 0
    /// The flip after the turn; nil for none.
    private var flip: Flip?

    init() {}

    /// Whether width and height are exchanged.
    var isSideways: Bool { quarters % 2 != 0 }

    /// ffmpeg's filters that make the turn.
    var filters: [String] {
        let turn = [[], ["transpose=clock"], ["hflip", "vflip"], ["transpose=cclock"]][quarters & 3]
        return turn + (flip.map { [$0 == .horizontal ? "hflip" : "vflip"] } ?? [])
    }

    /// Returns the turned picture.
    func applied(to picture: VipsPicture) throws(VipsFailure) -> VipsPicture {
        let turned = try picture.applying { people_vips_turned($0, $1, Int32(quarters & 3)) }
        guard let flip else { return turned }
        return try turned.applying { people_vips_flipped($0, $1, flip == .vertical ? 1 : 0) }
    }

    static var options: [Option<PictureTurn>] {
        [
            Option(
                "rotate", .word(["90", "180", "270"]), "turn what is read clockwise by these degrees"
            ) { (turn: inout PictureTurn, text: String) throws(ToolError) in
                guard let index = ["90", "180", "270"].firstIndex(of: text) else {
                    throw .usage("--rotate is 90, 180 or 270, not \(text)")
                }
                turn.quarters = index + 1
            },
            Option(
                "flip", .word(Flip.allCases.map(\.rawValue)),
                "exchange left and right (horizontal) or top and bottom (vertical), after --rotate"
            ) { (turn: inout PictureTurn, text: String) throws(ToolError) in
                guard let flip = Flip(rawValue: text) else {
                    throw .usage("--flip is horizontal or vertical, not \(text)")
                }
                turn.flip = flip
            },
        ]
    }
}
