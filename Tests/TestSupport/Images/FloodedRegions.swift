/// Returns the regions of the places that `isIn` contains, by flooding; corners connect.
///
/// The places of a region are in ascending order.
package func floodedRegions(_ width: Int, _ height: Int, _ isIn: (Int) -> Bool) -> [[Int]] {
    var isSeen = [Bool](repeating: false, count: width * height)
    var found: [[Int]] = []
    for start in 0..<(width * height) where !isSeen[start] && isIn(start) {
        var (pending, region) = ([start], [Int]())
        isSeen[start] = true
        while let place = pending.popLast() {
            region.append(place)
            let (x, y) = (place % width, place / width)
            for v in max(0, y - 1)...min(height - 1, y + 1) {
                for u in max(0, x - 1)...min(width - 1, x + 1) {
                    let next = v * width + u
                    guard !isSeen[next], isIn(next) else { continue }
                    isSeen[next] = true
                    pending.append(next)
                }
            }
        }
        found.append(region.sorted())
    }
    return found
}
