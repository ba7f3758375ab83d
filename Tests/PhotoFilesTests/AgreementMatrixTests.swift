import FileSystem
import Fixtures
import Foundation
import ImageOrientation
import PhotoFiles
import Reports
import SystemPackage
import Testing
import Upright

/// An audit, a dry run and a run say the same of each file, whatever it is, is beside it and is requested.
struct AgreementMatrixTests {
  /// A photo.
  enum Photo: String, CaseIterable {
    case rotated = "orientation/aligned-6.jpg"
    case upright = "orientation/aligned-1.jpg"
    case heic = "formats/agree.heic"
  }

  /// What is beside the photo.
  enum Company: CaseIterable {
    case nothing, sidecar, agreeing, contradicting, wholeName, unreadable, dangling, directory,
      worldFile
    case largeWorldFile, shared, ofRaw, edit, labels, video
  }

  /// What is special about the files.
  enum Circumstance: CaseIterable {
    case none, readOnlyPhoto, readOnlySidecar, hardLink
  }

  /// What is requested of the image.
  enum Work: CaseIterable {
    case normalize, rotate, tag

    var request: Request {
      switch self {
      case .normalize: .normalize()
      case .rotate: .transform(.rotate90, tagOnly: false)
      case .tag: .tag(.set(.right))
      }
    }
  }

  /// What is requested of the files.
  private static let policies: [(name: String, policy: FilePolicy)] =
    SidecarPolicy.allCases.flatMap { sidecars in
      [false, true].map { insists in
        var policy = FilePolicy()
        policy.sidecars = sidecars
        policy.replacesProtected = insists
        policy.breaksHardLinks = insists
        return ("\(sidecars)\(insists ? ", insisting" : "")", policy)
      }
    }

  @Test(arguments: Photo.allCases, Company.allCases)
  func `Audit, dry run and run agree`(photo: Photo, company: Company) throws {
    for circumstance in Circumstance.allCases {
      for (name, policy) in Self.policies {
        for work in Work.allCases {
          try check(photo, company, circumstance, policy, work, "\(circumstance), \(name), \(work)")
        }
      }
    }
  }

  private func check(
    _ photo: Photo,
    _ company: Company,
    _ circumstance: Circumstance,
    _ policy: FilePolicy,
    _ work: Work,
    _ cell: String
  ) throws {
    let scratch = try Scratch()
    let path = FilePath(try fill(scratch, photo, company, circumstance))
    let file = Walk.Found(path, root: path)
    let rewriter = Rewriter(work.request)
    var dry = policy
    dry.isDry = true
    let before = try scratch.contents()
    let planned = try #require(FileRewrite(rewriter, dry).result(of: file))
    var audited = planned
    if case .normalize = work {
      audited = try #require(FileAudit(rewriter, dry).result(of: file))
    }
    #expect(try scratch.contents() == before, "\(cell)")
    let done = try #require(FileRewrite(rewriter, policy).result(of: file))

    #expect(audited.status == planned.status, "\(cell)")
    #expect(done.status.isDoing(planned.status), "\(cell): \(planned.status), then \(done.status)")
    let reasons = [audited, planned, done].map { $0.reasonToSkip?.code }
    #expect(Set(reasons).count == 1, "\(cell): \(reasons)")
    let said = [audited, planned, done].map { report in
      report.companions.map { "\($0.action) \($0.path) \($0.cause.map { "\($0)" } ?? "")" }.sorted()
    }
    #expect(Set(said).count == 1, "\(cell): \(said)")
    #expect(planned.companions.allSatisfy { !$0.isDone })
    try checkTruth(of: done, before, scratch.contents(), cell)
  }

  /// What is said to be done is done, and nothing else.
  private func checkTruth(
    of report: FileReport,
    _ before: [String: [UInt8]],
    _ after: [String: [UInt8]],
    _ cell: String
  ) throws {
    let changed = Set(before.keys.filter { before[$0] != after[$0] })
    #expect(Set(before.keys) == Set(after.keys), "\(cell)")
    var said = Set(report.companions.filter(\.isDone).compactMap { $0.path.lastComponent?.string })
    if report.rewrite != nil, let name = report.path.lastComponent?.string { said.insert(name) }
    #expect(changed == said, "\(cell)")
  }

  /// Writes the files, and returns the path of the photo.
  private func fill(
    _ scratch: Scratch,
    _ photo: Photo,
    _ company: Company,
    _ circumstance: Circumstance
  ) throws -> String {
    let ending = photo == .heic ? "heic" : "jpg"
    let path = try scratch.copy(photo.rawValue, as: "a.\(ending)")
    let manager = FileManager.default
    let own = photo == .upright ? 1 : 6
    func packet(_ orientation: Int, _ name: String = "a.xmp") throws {
      try scratch.write(Array(FileRewriterTests.packet(orientation).utf8), to: name)
    }
    func text(_ text: String, _ name: String) throws {
      try scratch.write(Array(text.utf8), to: name)
    }
    switch company {
    case .nothing: break
    case .sidecar: try packet(own)
    case .agreeing: try packet(1)
    case .contradicting: try packet(8)
    case .wholeName: try packet(own, "a.\(ending).xmp")
    case .unreadable: try text("no XMP", "a.xmp")
    case .dangling:
      try manager.createSymbolicLink(
        atPath: scratch.path("a.xmp"),
        withDestinationPath: "nowhere"
      )
    case .directory:
      try manager.createDirectory(
        atPath: scratch.path("a.xmp"),
        withIntermediateDirectories: false
      )
    case .worldFile: try text("0.25\n0.125\n-0.0625\n-0.5\n600000\n5700000\n", "a.jgw")
    case .largeWorldFile: try text("1e14\n0\n0\n-1e14\n0\n0\n", "a.jgw")
    case .shared:
      try packet(own)
      try scratch.copy(Photo.rotated.rawValue, as: "a.jpeg")
    case .ofRaw:
      try packet(own)
      try text("raw", "a.NEF")
    case .edit: try text("<key>adjustmentData</key>", "a.AAE")
    case .labels: try text("0 0.5 0.5 0.25 0.25\n", "a.txt")
    case .video: try text("", "a.MOV")
    }
    switch circumstance {
    case .none: break
    case .readOnlyPhoto:
      try manager.setAttributes([.posixPermissions: 0o444], ofItemAtPath: path)
    case .readOnlySidecar:
      for name in ["a.xmp", "a.\(ending).xmp", "a.jgw"] {
        try? manager.setAttributes([.posixPermissions: 0o444], ofItemAtPath: scratch.path(name))
      }
    case .hardLink: try manager.linkItem(atPath: path, toPath: scratch.path("link"))
    }
    return path
  }
}

extension Status {
  /// Whether a run that ends so did what was planned.
  fileprivate func isDoing(_ planned: Status) -> Bool {
    switch planned {
    case .planned: [.normalized, .rotated, .flipped, .tagged, .reset].contains(self)
    default: self == planned
    }
  }
}
