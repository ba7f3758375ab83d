internal import Upright

extension JSONReport {
  /// The columns of CSV.
  package static let columns: [Column<JSONReport>] = {
    let facts = Facts.object.allColumns.map { column in
      Column<JSONReport>(column.place, column.name) { $0.facts.map(column.content) ?? "" }
    }
    let columns = (object.allColumns + facts).sorted { $0.place < $1.place }
    precondition(columns.map(\.place) == Array(1...columns.count), "a place has not one column")
    return columns
  }()
}
