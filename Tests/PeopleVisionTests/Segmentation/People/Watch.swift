import Imaging
import PeopleVision
import TestSupport

/// Those who watch the people of a stream together.
struct Watch {
    let scout: Scout
    let crowd: Crowd

    /// For frames of the size of `picture`.
    init(_ picture: Picture) throws {
        let size = Size(width: Double(picture.width), height: Double(picture.height))
        scout = try Scout(ModelInput(selfieFor: size), .forTests)
        crowd = try Crowd(.forTests)
    }

    func look(at view: ImageView) throws {
        _ = try scout.look(at: view, orientation: .up)
        try crowd.look(at: view, orientation: .up, scout)
    }
}

extension Picture {
    /// So many portraits of 256x256 side by side, those from `empty` on replaced by grey.
    static func row(of count: Int, empty: Int = .max) throws -> Picture {
        guard let portrait else { throw SetupFailure("no portrait") }
        let small = portrait.placed(left: 0, top: 0, width: 256, height: 256, factor: 0.5)
        let nobody = grey(width: 256, height: 256)
        return (1..<count).reduce(empty > 0 ? small : nobody) { row, place in
            row.beside(place < empty ? small : nobody)
        }
    }
}
