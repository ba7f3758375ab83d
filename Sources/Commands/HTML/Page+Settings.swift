internal import FileSystem
internal import ImageFormats
internal import PhotoFiles
internal import Reports
internal import SystemPackage
internal import Upright

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension Page {
  /// How the work was requested.
  struct Settings: JSONObject {
    var kind: Kind
    var version = Version.current
    /// The time in UTC, as in `2024-05-06T07:08:09Z`.
    var created = Self.now.ISO8601Format()
    /// The command, quoted for a shell.
    var command = TextFormat.commandLine(["upright"] + ArgumentPath.arguments)
    /// The name of the command, such as `normalize`.
    var request: String
    /// The policies by the names of their options.
    let policies: [String: String]
    /// The options of the command that decides about files that the page shows.
    var nonDefault: [String: String]
    /// The options of commands that decide about files of the page: what they keep, and where they write, quoted for a shell.
    var safeguards = ["--record", "record.ndjson"]
    /// The record, quoted for a shell; nil if there is none.
    var record: String?
    /// How what was done is undone; nil on the page of an audit.
    var undo: Undo?
    /// A page of earlier runs, in the same directory, which this page does not have the files of.
    var earlier: Earlier?
    /// The earlier runs whose files the page shows, too.
    var earlierRuns: [Run] = []

    /// How results become originals again.
    struct Undo: JSONObject {
      var text: String
      /// The command, quoted for a shell; nil if none is needed, or none can.
      var command: String?

      func writeFields(to json: inout JSONWriter) {
        json.field("command", command)
        json.field("text", text)
      }
    }

    /// The page of another run.
    struct Earlier: JSONObject {
      var name: FilePath.Component

      func writeFields(to json: inout JSONWriter) {
        let path = FilePath(root: nil, [name])
        json.field("link", "./" + PageLinks.encoded(path))
        json.field("name", TextFormat.path(path))
      }
    }

    /// A run of the same request.
    struct Run: JSONObject, Decodable {
      var command: String
      var created: String

      func writeFields(to json: inout JSONWriter) {
        json.field("command", command)
        json.field("created", created)
      }
    }

    /// Whether the page may show files themselves.
    var showsFiles = true

    init(_ kind: Kind, of request: String, _ options: Options) {
      (self.kind, self.request) = (kind, request)
      policies = Self.named(options)
      nonDefault = Self.nonDefault(options)
    }

    /// Whether the files that are skipped can be decided about with `upright normalize`.
    var decides: Bool { kind == .audit || request == "normalize" }

    func writeFields(to json: inout JSONWriter) {
      json.field("command", command)
      json.field("created", created)
      json.field("earlierPage", earlier)
      json.field("earlierRuns", earlierRuns)
      json.field("kind", kind.rawValue)
      json.field("nonDefault", nonDefault)
      json.field("otherFormats", Self.otherFormats)
      json.field("policies", policies)
      json.field("questions", Self.questions)
      json.field("reasons", Self.reasons)
      json.field("record", record)
      json.field("request", request)
      json.field("safeguards", safeguards)
      json.field("showsFiles", showsFiles)
      json.field("tagOptions", Self.tagOptions)
      json.field("undo", undo)
      json.field("verdicts", Self.verdicts)
      json.field("version", version)
    }

    /// The names of the formats whose files the large view does not show.
    private static let otherFormats = ImageFormat.allCases.filter { $0 != .jpeg }.map(\.name)

    /// The questions that the values of a policy answer, by policy.
    private static let questions = Setting.policies.reduce(into: [String: String]()) {
      $0[$1.name] = $1.question
    }

    /// The titles of reasons.
    private static let reasons = Reason.Code.Known.allCases.reduce(into: [String: String]()) {
      $0[$1.rawValue] = $1.title
    }

    /// The options of a policy that commands take that change only the tag.
    private static let tagOptions = Setting.policies.filter { $0.takers.contains(.tag) }
      .map { "--\($0.name)" }

    /// The options that carry out what people see: whether the stored image or the tag is right.
    private static let verdicts = [
      "image": ["--on-conflict": Options.ConflictPolicy.resetTag.rawValue],
      "tag": ["--on-conflict": Options.ConflictPolicy.trustTag.rawValue],
    ]

    /// Returns the policies that differ from the defaults, by the names of their options.
    private static func nonDefault(_ options: Options) -> [String: String] {
      let defaults = named(Options())
      return named(options).filter { $0.value != defaults[$0.key] }
    }

    /// Returns the policies by the names of their options.
    private static func named(_ options: Options) -> [String: String] {
      let call = CallOptions(options)
      return Setting.policies.filter { $0.group == .policies }.reduce(into: [:]) { named, policy in
        named["--\(policy.name)"] = policy.value(in: call)
      }
    }

    /// The time from `SOURCE_DATE_EPOCH`, which makes pages reproducible, or the current time.
    private static var now: Date {
      let epoch = ProcessInfo.processInfo.environment["SOURCE_DATE_EPOCH"].flatMap(Double.init)
      return epoch.map(Date.init(timeIntervalSince1970:)) ?? Date()
    }
  }
}
