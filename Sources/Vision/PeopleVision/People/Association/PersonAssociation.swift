package import Imaging

/// Determines which detections of a stream's frames are parts of the same person.
///
/// One kind of part is the source, whose ids are those of the people. Other parts are compared with the
/// people of the frame by place, and paired with them so that the sum of the fits is largest. A part stays
/// with its person unless several frames contradict that. A person stays as long as any part is seen: when
/// the source finds the person again under another id, the person keeps the first id.
package struct PersonAssociation {
    /// The person of each part of the last frame, in the parts' order; nil for a part of nobody.
    package private(set) var people: [Int?] = []

    /// The state of a part that belongs to a person.
    private struct Link {
        let kind: PersonPart.Kind
        let id: Int
        var person: Int
        /// Seconds since the part was seen.
        var unseen = 0.0
        /// Consecutive frames in which the part fitted another person better, or did not fit its own.
        var contradictions = 0
    }

    private var links: [Link] = []
    /// People of the frame, seen by the source or known only by their parts.
    private var candidates: [Int] = []
    private var assignment = OptimalAssignment()
    /// Indices of the parts that are being assigned.
    private var rows: [Int] = []

    /// Seconds for which a part is remembered; no element reuses an id that was out of sight for longer.
    private static let retention = 10.0
    /// Minimum fit of a person's part, 0...1.
    private static let minimumFit = 0.3
    /// Fit below which a part contradicts its person, 0...1.
    private static let contradictingFit = 0.1
    /// Minimum fit, 0...1, between a person who is found again and the parts of a lost person.
    private static let sameFit = 0.5

    package init() {}

    /// Forgets all people, as the next frame does not follow the last.
    package mutating func reset() { links.removeAll(keepingCapacity: true) }

    /// Assigns the parts of the next frame to people.
    ///
    /// - Parameters:
    ///   - parts: all parts found in the frame.
    ///   - source: the kind whose ids are those of the people: outlines or bodies.
    ///   - labels: the label map of the outlines, with 8 bits.
    ///   - aspectRatio: the frame's width divided by its height, as displayed.
    ///   - seconds: time since the frame before.
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
    /// Assigns people to the parts of the source, and lists all people of the frame.
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

    /// Assigns the source's new parts to people that the source has lost and whose other parts are seen.
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

    /// Returns the id of a new person.
    ///
    /// It is the source's id. If another person has this id, it is the id that the other person would have
    /// had.
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

    /// Returns the fit of a part with the visible parts of a person, 0...1; nil where nothing can be
    /// compared.
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

    /// Returns the person of a face in the frame before; nil for other parts.
    ///
    /// Faces are assigned after bodies, and are mistaken less often.
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
        // The second of two bodies found for one person must not go to a neighbour.
        let score = fit.map { $0 >= max(Self.minimumFit, best - part.kind.tolerance) ? $0 : 0 } ?? 0
        guard let index = link(part), links[index].person == person else { return score }
        // The sum exceeds the score of any other person.
        return links[index].contradictions <= part.kind.patience ? score + 2 : score
    }
}

extension PersonPart.Kind {
    /// Margin by which another person may fit better, 0...1.
    ///
    /// Faces and hands may lie in front of other people. A body or outline found for two people goes to the
    /// one that it fits better; if this person already has one, it stays without a person.
    fileprivate var tolerance: Double {
        switch self {
        case .face, .hand: 0.3
        case .body, .outline: 0
        }
    }

    /// Consecutive frames that may contradict before the part goes to another person.
    ///
    /// While people overlap, labels of single frames are sometimes wrong. A body does jump from one
    /// overlapping person to another, and then belongs to the person that it shows now.
    fileprivate var patience: Int {
        switch self {
        case .face, .hand, .outline: 2
        case .body: 0
        }
    }
}
