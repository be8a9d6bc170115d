package import Imaging

/// Says which finds of a stream's frames are parts of the same person.
///
/// One kind of find is the source, whose ids are those of the people. Other finds are compared with the people of the
/// frame by place, and paired with them so that all together fit best. A find stays with its person unless several frames
/// contradict that, and a person stays as long as any part is seen: when the source finds the person again, under another
/// id, the person keeps the first one.
package struct PersonAssociation {
    /// The person of each part of the last frame, in their order; nil for a part of none.
    package private(set) var people: [Int?] = []

    /// What is known of a part.
    private struct Link {
        let kind: PersonPart.Kind
        let id: Int
        var person: Int
        /// Seconds since it was seen.
        var unseen = 0.0
        /// Frames in a row in which it fitted another person better, or did not fit its own.
        var contradictions = 0
    }

    private var links: [Link] = []
    /// People of the frame, whether seen by the source or only known by their parts.
    private var candidates: [Int] = []
    private var assignment = OptimalAssignment()
    /// Numbers of the parts that are being assigned.
    private var rows: [Int] = []

    /// Seconds for which a part is remembered; no element gives an id again that was out of sight for longer.
    private static let retention = 10.0
    /// The fit from which on a part is a person's, 0...1.
    private static let minimumFit = 0.3
    /// A fit of less, 0...1, contradicts that a part is the person's.
    private static let contradictingFit = 0.1
    /// The fit from which on a person who is found again is one whose parts have been there all the time, 0...1.
    private static let sameFit = 0.5

    package init() {}

    /// Forgets everybody: the next frame does not follow the last.
    package mutating func reset() { links.removeAll(keepingCapacity: true) }

    /// Assigns the parts of the next frame to people.
    ///
    /// - Parameters:
    ///   - parts: all finds of the frame.
    ///   - source: the kind whose ids are those of the people: outlines or bodies.
    ///   - labels: the label map of the outlines, with 8 bits.
    ///   - aspectRatio: width of the frame by its height, as it is displayed.
    ///   - seconds: since the frame before.
    package mutating func assign(
        _ parts: [PersonPart], source: PersonPart.Kind, labels: MaskView?, aspectRatio: Double,
        after seconds: Double
    ) {
        let evidence = PersonEvidence(labels: labels, aspectRatio: aspectRatio)
        for index in links.indices { links[index].unseen += max(0, seconds) }
        links.removeAll { $0.unseen > Self.retention }
        people.removeAll(keepingCapacity: true)
        for _ in parts { people.append(nil) }
        identify(parts, source, evidence)
        for kind in [source == .outline ? .body : .outline, .face, .hand] as [PersonPart.Kind] {
            assign(parts, kind, evidence)
        }
        for (index, part) in parts.enumerated() { remember(part, people[index]) }
    }

    private func link(_ part: PersonPart) -> Int? {
        links.firstIndex { $0.kind == part.kind && $0.id == part.id }
    }

    private mutating func remember(_ part: PersonPart, _ person: Int?) {
        guard let index = link(part) else {
            if let person { links.append(Link(kind: part.kind, id: part.id, person: person)) }
            return
        }
        guard let person else {
            links.remove(at: index)
            return
        }
        if person != links[index].person { links[index].contradictions = 0 }
        (links[index].person, links[index].unseen) = (person, 0)
    }
}

// MARK: - People

extension PersonAssociation {
    /// Gives what the source has found the ids of people, and lists everybody of the frame.
    private mutating func identify(
        _ parts: [PersonPart], _ source: PersonPart.Kind, _ evidence: PersonEvidence
    ) {
        candidates.removeAll(keepingCapacity: true)
        // If two people have had the id, the one who was seen last keeps it.
        let known = parts.indices.filter { parts[$0].kind == source && link(parts[$0]) != nil }
            .sorted { unseen(parts[$0]) < unseen(parts[$1]) }
        for index in known {
            guard let link = link(parts[index]), !candidates.contains(links[link].person) else { continue }
            people[index] = links[link].person
            candidates.append(links[link].person)
        }
        recognize(parts, source, evidence)
        for index in parts.indices where parts[index].kind == source && people[index] == nil {
            let person = newPerson(parts[index])
            people[index] = person
            candidates.append(person)
        }
        for part in parts where part.kind != source {
            if let link = link(part), !candidates.contains(links[link].person) {
                candidates.append(links[link].person)
            }
        }
    }

    private func unseen(_ part: PersonPart) -> Double { link(part).map { links[$0].unseen } ?? .infinity }

    /// Gives what the source has found for the first time to those whom it has lost, and whose parts are there.
    private mutating func recognize(
        _ parts: [PersonPart], _ source: PersonPart.Kind, _ evidence: PersonEvidence
    ) {
        rows.removeAll(keepingCapacity: true)
        rows += parts.indices.filter { parts[$0].kind == source && people[$0] == nil }
        guard !rows.isEmpty else { return }
        var lost: [(person: Int, part: Int)] = []
        for (index, part) in parts.enumerated() where part.kind != source {
            if let link = link(part), !candidates.contains(links[link].person) {
                lost.append((links[link].person, index))
            }
        }
        let orphans = Set(lost.map(\.person)).sorted()
        let rows = rows
        assignment.assign(rows: rows.count, columns: orphans.count) { row, column in
            let fits = lost.filter { $0.person == orphans[column] }.compactMap {
                evidence.fit(parts[$0.part], parts[rows[row]])
            }
            let best = fits.max() ?? 0
            return best >= Self.sameFit ? best : 0
        }
        for (row, column) in assignment.columns.enumerated() {
            guard let column else { continue }
            people[rows[row]] = orphans[column]
            candidates.append(orphans[column])
        }
    }

    /// The id of a new person: that of the source, or where another person has come to have it, the id that this person
    /// would have had.
    private func newPerson(_ part: PersonPart) -> Int {
        var id = part.id
        for _ in links {
            let owner = links.first { $0.kind == part.kind && $0.person == id && $0.id != part.id }
            guard let owner, owner.id != id else { break }
            id = owner.id
        }
        return id
    }
}

// MARK: - Parts

extension PersonAssociation {
    /// Assigns the parts of one kind to the people of the frame.
    private mutating func assign(_ parts: [PersonPart], _ kind: PersonPart.Kind, _ evidence: PersonEvidence) {
        rows.removeAll(keepingCapacity: true)
        rows += parts.indices.filter { parts[$0].kind == kind }
        guard !rows.isEmpty, !candidates.isEmpty else { return }
        let (rows, candidates) = (rows, candidates)
        let fits = rows.map { row in candidates.map { fit(row, $0, parts, evidence) } }
        for (row, part) in rows.enumerated() { count(contradictionsOf: parts[part], fits[row]) }
        let scores = rows.indices.map { row in
            let best = fits[row].lazy.compactMap { $0 }.max() ?? 0
            return candidates.indices.map { score(parts[rows[row]], candidates[$0], fits[row][$0], best) }
        }
        let places = kind.maximumCount
        assignment.assign(rows: rows.count, columns: candidates.count * places) { scores[$0][$1 / places] }
        for (row, column) in assignment.columns.enumerated() {
            if let column { people[rows[row]] = candidates[column / places] }
        }
    }

    /// How well a part fits what is seen of a person, 0...1; nil where nothing can be compared.
    private func fit(
        _ index: Int, _ person: Int, _ parts: [PersonPart], _ evidence: PersonEvidence
    ) -> Double? {
        var (sum, weights) = (0.0, 0.0)
        for other in parts.indices where (people[other] ?? personOfFace(parts[other])) == person {
            guard let fit = evidence.fit(parts[index], parts[other]) else { continue }
            let weight = PersonEvidence.weight(of: parts[other].kind, for: parts[index])
            sum += weight * fit
            weights += weight
        }
        return weights > 0 ? sum / weights : nil
    }

    /// Whose a face was in the frame before, nil for other parts: faces are assigned after bodies, and mistaken less often.
    private func personOfFace(_ part: PersonPart) -> Int? {
        part.kind == .face ? link(part).map { links[$0].person } : nil
    }

    private mutating func count(contradictionsOf part: PersonPart, _ fits: [Double?]) {
        guard let index = link(part) else { return }
        let place = candidates.firstIndex(of: links[index].person)
        let own = place.flatMap { fits[$0] }
        let best = fits.indices.filter { $0 != place }.compactMap { fits[$0] }.max() ?? 0
        let isContradicted =
            best > (own ?? 0) + part.kind.tolerance || own.map { $0 < Self.contradictingFit } ?? false
        links[index].contradictions = isContradicted ? links[index].contradictions + 1 : 0
    }

    private func score(_ part: PersonPart, _ person: Int, _ fit: Double?, _ best: Double) -> Double {
        // Of two bodies that were found of one person, the second one is not that of a neighbour.
        let score = fit.map { $0 >= max(Self.minimumFit, best - part.kind.tolerance) ? $0 : 0 } ?? 0
        guard let index = link(part), links[index].person == person else { return score }
        // More than any other person can have.
        return links[index].contradictions <= part.kind.patience ? score + 2 : score
    }
}

extension PersonPart.Kind {
    /// By how much another person may fit better, 0...1.
    ///
    /// Faces and hands may lie in front of other people. A body or outline that was found of two people is that of the one it fits
    /// better; if this person already has one, it is left without a person.
    fileprivate var tolerance: Double {
        switch self {
        case .face, .hand: 0.3
        case .body, .outline: 0
        }
    }

    /// Frames in a row that may contradict before the part goes to another person: labels of single frames are wrong at times,
    /// while people overlap.
    ///
    /// Between people who overlap, a body does jump from one to another, so that it is the person's whom it shows now.
    fileprivate var patience: Int {
        switch self {
        case .face, .hand, .outline: 2
        case .body: 0
        }
    }
}
