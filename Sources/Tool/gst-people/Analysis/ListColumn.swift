import JSON

/// A column of a table of findings.
struct ListColumn {
    /// The kind of a column's values.
    enum Kind: String { case text, integer, number, flag }

    /// A step from a JSON value to one inside of it.
    enum Step {
        case field(String)
        case index(Int)
    }

    let name: String
    let kind: Kind
    /// Empty for a column without a unit.
    let unit: String
    /// The path from a finding to the value.
    let path: [Step]

    init(_ name: String, _ kind: Kind, _ unit: String = "", _ path: [Step]) {
        (self.name, self.kind, self.unit, self.path) = (name, kind, unit, path)
    }

    /// Makes a column for a field of a finding; `_` takes the place of `-`.
    init(_ field: String, _ kind: Kind = .number, _ unit: String = "") {
        self.init(field.columnName, kind, unit, [.field(field)])
    }

    /// Returns the column of a finding that is a part of another.
    func inside(_ part: [Step], as prefix: String) -> ListColumn {
        ListColumn("\(prefix)_\(name)", kind, unit, part + path)
    }

    /// Returns the value of a finding; nil when it has none.
    func value(of finding: JSON) -> JSON? { finding.value(at: path) }
}

extension JSON {
    /// Returns the value at a path; nil when there is none.
    func value(at path: [ListColumn.Step]) -> JSON? {
        var value = self
        for step in path {
            let next: JSON? =
                switch step {
                case .field(let name): value[name]
                case .index(let index): value.array.flatMap { $0.indices.contains(index) ? $0[index] : nil }
                }
            guard let next else { return nil }
            value = next
        }
        return value
    }
}

extension ListColumn {
    /// Returns the columns of an array of numbers, each with a name and a unit.
    static func numbers(
        _ prefix: String, _ path: [Step], _ axes: [(name: String, unit: String)]
    ) -> [ListColumn] {
        axes.enumerated().map { index, axis in
            ListColumn("\(prefix.columnName)_\(axis.name)", .number, axis.unit, path + [.index(index)])
        }
    }
}

extension String {
    /// The name of a field of metadata as that of a column or keypoint.
    var columnName: String { String(map { $0 == "-" ? "_" : $0 }) }
}
