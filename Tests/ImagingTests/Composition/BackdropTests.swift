import Imaging
import Testing

/// The background behind the people, and the degree to which the room is visible.
struct BackdropTests {
    private func backdrop(_ texts: [String: String]) -> Backdrop { Backdrop { texts[$0] } }

    @Test(
        arguments: [
            ([:], "color"), (["background": "a.png"], "picture"), (["blur": "5e-324"], "original"),
            (["exposure": "-1e-9"], "original"), (["desaturate": "0.1"], "original"),
            (["blur": "0.0"], "color"),
            (["blur": "30", "background": "a.png"], "picture"),
            (["background-source": "color", "blur": "9"], "color"),
            (["background-source": "original"], "original"), (["background": ""], "color"),
        ] as [([String: String], String)])
    func followsTheSource(_ texts: [String: String], _ source: String) {
        #expect(backdrop(texts).resolved.rawValue == source)
    }

    @Test(
        arguments: [
            ([:], .hidden), (["blur": "30"], .blurred), (["blur": "29.99"], .sharp),
            (["blur": "5e-324"], .sharp),
            (["exposure": "1"], .sharp), (["background-source": "transparent"], .sharp),
            (["invert": "true"], .sharp),
            (["background": "a.png", "blur": "1"], .hidden), (["background-source": "pose"], .hidden),
            // An unreadable value shows the most.
            (["blur": "much"], .sharp), (["background-source": "1"], .sharp), (["invert": "yes"], .sharp),
        ] as [([String: String], Backdrop.Room)])
    func settingsDecideHowTheRoomIsShown(_ texts: [String: String], _ room: Backdrop.Room) {
        #expect(backdrop(texts).room == room)
    }

    @Test func hidesTheRoom() {
        let numbers = [0, Double.leastNonzeroMagnitude, 1e-9, 0.3, 29.9, 30, 100, .nan, -1]
        for source in Backdrop.Source.allCases {
            for blur in numbers {
                var backdrop = Backdrop()
                (backdrop.source, backdrop.blur) = (source, blur)
                for variant in 0..<8 {
                    (backdrop.hasPicture, backdrop.inverts) = (variant & 1 > 0, variant & 2 > 0)
                    backdrop.hasOtherEffects = variant & 4 > 0
                    let hidden = backdrop.hidingRoom
                    #expect(hidden.room != .sharp, "\(backdrop)")
                    // Settings that hide the room already stay.
                    if backdrop.room != .sharp, !blur.isNaN { #expect(hidden == backdrop) }
                }
            }
        }
    }
}
