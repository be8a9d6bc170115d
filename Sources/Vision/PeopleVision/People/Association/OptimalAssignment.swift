/// Pairs rows and columns so that the sum of their scores is the largest possible.
///
/// The algorithm is the Hungarian method with potentials, which takes time in the cube of the count (Kuhn
/// 1955; Jonker and Volgenant 1987).
package struct OptimalAssignment {
    /// The column of each row; nil for a row that has none.
    package private(set) var columns: [Int?] = []

    // Rows and columns are numbered from 1; 0 stands for a missing one. The arrays are kept to reuse memory.
    private var rowPotentials: [Double] = []
    private var columnPotentials: [Double] = []
    private var rowOfColumn: [Int] = []
    private var previous: [Int] = []
    private var slack: [Double] = []
    private var isVisited: [Bool] = []

    package init() {}

    /// Finds the pairs.
    ///
    /// - Parameter score: the score of a row and a column; pairs with a score of 0 or less are never made.
    package mutating func assign(rows: Int, columns count: Int, score: (Int, Int) -> Double) {
        columns.removeAll(keepingCapacity: true)
        for _ in 0..<rows { columns.append(nil) }
        guard rows > 0, count > 0 else { return }
        // A row without a partner takes one of the columns beyond, which cost nothing.
        let width = count + rows
        let cost = { (row: Int, column: Int) in column <= count ? -max(score(row - 1, column - 1), 0) : 0 }
        reset(&rowPotentials, rows + 1, 0)
        reset(&columnPotentials, width + 1, 0)
        reset(&rowOfColumn, width + 1, 0)
        reset(&previous, width + 1, 0)
        for row in 1...rows { pair(row, width, cost) }
        for column in 1...count where rowOfColumn[column] > 0 {
            let row = rowOfColumn[column] - 1
            if score(row, column - 1) > 0 { columns[row] = column - 1 }
        }
    }

    /// Assigns a column to one more row, along the cheapest path of exchanges.
    private mutating func pair(_ row: Int, _ width: Int, _ cost: (Int, Int) -> Double) {
        reset(&slack, width + 1, .infinity)
        reset(&isVisited, width + 1, false)
        rowOfColumn[0] = row
        var column = 0
        while rowOfColumn[column] != 0 {
            isVisited[column] = true
            let current = rowOfColumn[column]
            var (step, next) = (Double.infinity, 0)
            for other in 1...width where !isVisited[other] {
                let reduced = cost(current, other) - rowPotentials[current] - columnPotentials[other]
                if reduced < slack[other] { (slack[other], previous[other]) = (reduced, column) }
                if slack[other] < step { (step, next) = (slack[other], other) }
            }
            // Only scores that are not numbers leave no path.
            guard next != 0 else { return }
            for other in 0...width {
                if isVisited[other] {
                    rowPotentials[rowOfColumn[other]] += step
                    columnPotentials[other] -= step
                } else {
                    slack[other] -= step
                }
            }
            column = next
        }
        while column != 0 {
            rowOfColumn[column] = rowOfColumn[previous[column]]
            column = previous[column]
        }
    }

    private func reset<Value>(_ values: inout [Value], _ count: Int, _ value: Value) {
        values.removeAll(keepingCapacity: true)
        for _ in 0..<count { values.append(value) }
    }
}
