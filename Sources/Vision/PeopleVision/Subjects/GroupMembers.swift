import Imaging

/// Finds the people and things of connected parts of a mask.
///
/// A thing is what belongs to no person, and is too large and too wide for an outline of people or for what they hold.
final class GroupMembers {
    /// The number of the member whose each place is, people before things; -1 for none.
    let places = FloatImage()

    private let rest = FloatImage()
    private let opened = FloatImage()
    private let morphology = MorphologyFilter()
    private let components = ConnectedComponents()

    /// Finds the members of parts, and writes their numbers into `places`.
    ///
    /// - Parameters:
    ///   - count: number of people.
    ///   - people: the number of the person whose each place is, -1 for none.
    ///   - parts: the number of the part of each place, -1 for none; of the same size.
    ///   - areas: the area of each part, in values.
    ///   - least: minimum number of people of a group.
    /// - Returns: for each part whether each member is large enough for a subject. Parts without enough
    ///   such people have no members; nothing where that is so of all parts.
    func find(
        of count: Int, ownedAs people: FloatImage, in parts: FloatImage, areas: [Int], least: Int
    ) -> [[Bool]] {
        places.copy(people)
        let found = counted(parts, areas.count, members: count)
        let isSubject = zip(found, areas).map { members, area in
            let smallest = SubjectPartition.smallComponents.smallestArea(beside: area, of: parts.count)
            return members.map { $0 >= smallest }
        }
        let isGroup = isSubject.map { $0.count(where: \.self) >= least }
        guard isGroup.contains(true) else { return [] }
        let things = addThings(in: parts, from: count) { isGroup[$0] }
        let all = counted(parts, areas.count, members: count + things)
        return areas.indices.map { part in
            isGroup[part]
                ? large(all[part], people: isSubject[part], area: areas[part], of: parts.count)
                : all[part].map { _ in false }
        }
    }

    /// Returns which members of a part are large enough, where `people` are large enough in a part without things.
    ///
    /// Beside a large thing a person is a part of it, as one in a bus is.
    private func large(_ found: [Int], people: [Bool], area: Int, of frame: Int) -> [Bool] {
        let limit = { CoverageLimits.smallComponents.smallestArea(beside: $0, of: frame) }
        let things = found[people.count...].map { $0 >= limit(area) ? $0 : 0 }
        let beside = zip(people, found).map { $0 && $1 >= limit(things.max() ?? 0) }
        return beside.contains(true) ? beside + things.map { $0 > 0 } : found.map { _ in false }
    }

    /// Returns the area of each member in each part.
    private func counted(_ parts: FloatImage, _ partCount: Int, members: Int) -> [[Int]] {
        var areas = [[Int]](repeating: [Int](repeating: 0, count: members), count: partCount)
        for i in 0..<parts.count {
            let (part, member) = (Int(parts.base[i]), Int(places.base[i]))
            if areas.indices.contains(part), areas[part].indices.contains(member) { areas[part][member] += 1 }
        }
        return areas
    }

    /// Numbers the things, beginning with `first`, and returns how many there are.
    private func addThings(in parts: FloatImage, from first: Int, where isGroup: (Int) -> Bool) -> Int {
        rest.resize(width: parts.width, height: parts.height)
        for i in 0..<parts.count {
            let part = Int(parts.base[i])
            rest.base[i] = part >= 0 && places.base[i] < 0 && isGroup(part) ? 1 : 0
        }
        let radius = Int((SubjectSegmenter.thingRadius * Double(parts.width)).rounded())
        opened.copy(rest)
        morphology.erode(opened, radius: radius)
        components.find(in: opened, above: 0.5)
        var ids: [Int] = []
        components.forEach { ids.append($0.id) }
        opened.fill(-1)
        components.paint(on: opened) { component in
            ids.firstIndex(of: component.id).map { Float(first + $0) }
        }
        morphology.dilate(opened, radius: radius)
        for i in 0..<parts.count where rest.base[i] > 0 { places.base[i] = opened.base[i] }
        return ids.count
    }
}
