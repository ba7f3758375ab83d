internal import FileSystem
internal import PhotoFiles
internal import Records
internal import Reports
internal import Upright

#if Server
internal import UprightServer
#endif

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

  /// The problems of the service that are no errors of the library; none in a build without it.
  static var problems: [Description.Term] {
    #if Server
    ProblemCode.allCases.map { .init($0.rawValue, $0.meaning) }
    #else
    []
    #endif
  }
}
