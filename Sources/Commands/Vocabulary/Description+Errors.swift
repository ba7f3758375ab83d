internal import FileSystem
internal import PhotoFiles
internal import Records
internal import Reports
internal import Upright

extension Description.Term {
  /// The identifiers of all errors.
  static var errors: [Description.Term] {
    UprightError.Code.Known.allCases.map {
      .init($0.rawValue, $0.meaning, of: $0.isOfImage ? "image" : "processing")
    }
      + RecordProblem.allCases.map { .init($0.rawValue, $0.meaning, of: "records") }
      + FileProblem.allCases.map {
        .init($0.rawValue, $0.meaning, of: $0.isOfRecord ? "records" : "processing")
      }
      + FileError.Problem.allCases.map {
        .init($0.rawValue, $0.meaning, of: $0 == .notRecord ? "records" : "file system")
      }
  }
}
