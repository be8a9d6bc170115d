import PeopleSettings
import Properties
import Testing

/// The one table of properties.
struct PropertyTableTests {
    /// A property is in every host, or excluded there by name with a reason, and never both.
    @Test(arguments: PropertyHost.allCases) func everyHostOffersOrExcludes(_ host: PropertyHost) {
        #expect(PropertyTable.rows.count > 50)
        for row in PropertyTable.rows {
            let name = "\(row.element).\(row.property)"
            #expect(
                !row.facts.isForgotten(by: host), "\(name) is neither offered by \(host) nor excluded there")
            let reason = row.facts.exclusions[host]
            #expect(reason == nil || !row.facts.isOffered(by: host), "\(name) in \(host)")
            #expect(reason.map { $0.count > 10 && !$0.hasSuffix(".") } ?? true, "\(name): \(reason ?? "")")
        }
        #expect(PropertyTable.rows.contains { $0.facts.isOffered(by: host) })
    }

    /// Names, labels and places are unique where they are seen together.
    @Test func namesAndPlacesAreUnique() {
        let rows = PropertyTable.rows
        let options = rows.compactMap(\.facts.option?.name)
        #expect(Set(options).count == options.count, "\(options.sorted())")
        for host in [PropertyHost.page, .obs] {
            let controls = rows.filter { $0.facts.isOffered(by: host) }.compactMap(\.facts.control)
            #expect(Set(controls.map(\.label)).count == controls.count, "\(controls.map(\.label).sorted())")
            #expect(Set(controls.map { "\($0.group) \($0.place)" }).count == controls.count)
        }
    }

    /// A hidden word is one of the choice, so that a renamed one is not offered by mistake.
    @Test func hiddenWordsExist() {
        for row in PropertyTable.rows {
            guard case .choice(let words) = row.facts.kind else {
                #expect(row.facts.hiddenWords.isEmpty, "\(row.property)")
                continue
            }
            for (_, hidden) in row.facts.hiddenWords {
                #expect(hidden.isSubset(of: words.words.map(\.word)), "\(row.property)")
            }
        }
    }

    /// A slider lies in the range of its number, and only numbers have one.
    @Test func slidersLieInTheRanges() {
        for row in PropertyTable.rows {
            guard let slider = row.facts.control?.softRange else { continue }
            let range = row.facts.kind.range
            #expect(range?.contains(slider.lowerBound) == true && range?.contains(slider.upperBound) == true)
        }
    }
}
