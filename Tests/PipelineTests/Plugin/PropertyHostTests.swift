import PeopleSettings
import Properties
import TestSupport
import Testing

/// The hosts offer what the table of properties says, no more and no less.
struct PropertyHostTests {
    /// The names of the properties that a host offers.
    private func names(in host: PropertyHost) -> Set<String> {
        Set(PropertyTable.rows.filter { $0.facts.isOffered(by: host) }.map(\.property))
    }

    @Test(arguments: PropertyTable.elements) func elementsHaveTheProperties(_ element: String) throws {
        let found = try #require(try PluginDescription.read().elements[element]).properties.keys
        let expected = PropertyTable.rows.filter { $0.element == element }.map(\.property)
        #expect(Set(found).symmetricDifference(expected) == ["qos"] || Set(found) == Set(expected))
    }

    /// Every option of the table is one of `photo` or of `webcam`, which has a window, and those for lifting are options of
    /// `lift`.
    @Test func theToolHasTheOptions() throws {
        func options(_ command: String) throws -> Set<String> {
            let help = try Subprocess.run(Tool.path, [command, "--help"]).output
            return Set(help.matches(of: #/--([a-z-]+)/#).map { String($0.1) })
        }
        let all = try options("photo").union(options("webcam"))
        let lift = try options("lift")
        for row in PropertyTable.rows {
            guard let name = row.facts.option?.name else { continue }
            #expect(all.contains(name), "\(name)")
            #expect(lift.contains(name) == row.facts.isOffered(by: .lifting), "\(name)")
        }
        // Options with other tasks set these.
        #expect(all.isSuperset(of: ["background", "color", "original", "pose-color", "angle", "quality"]))
    }

    @Test(.enabled(if: OBSHost.obstacle == nil, OBSHost.comment))
    func theFilterForOBSHasTheProperties() throws {
        let run = try OBSHost().run(["add", "list"])
        let lines = Set(run.output.split(separator: "\n").map(String.init))
        #expect(run.endedClean, "\(run.output)")
        let known = Set(PropertyTable.rows.map(\.property))
        #expect(lines.intersection(known) == names(in: .obs))
    }
}
