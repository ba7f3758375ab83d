import Fixtures
import Foundation
import PhotoFiles
import Reports
import Testing
import Upright

/// XMP files beside photos that are already upright, and state something else.
struct SidecarConflictTests {
  private let scratch: Scratch
  private let run: FileRun
  /// A run that resets such sidecars.
  private let reset: FileRun

  init() throws {
    scratch = try Scratch()
    run = FileRun()
    reset = run.with(\.options.onConflict, .resetTag)
  }

  private var record: String { scratch.path("record") }

  private func orientation(of name: String) throws -> String? {
    Sidecars.orientation(try scratch.read(name))
  }

  @Test func `The sidecar of an upright photo that gives another Orientation is a finding`()
    throws
  {
    let photo = try scratch.copy(uprightFixture, as: "tree/a.jpg")
    try scratch.write(Sidecars.packet(6), to: "tree/a.xmp")
    for result in [try run.rewrite(photo), try run.plan(photo), try run.audit(photo)] {
      #expect(result.reasons == [.sidecarConflict])
    }
    #expect(try run.audit(scratch.path("tree")).reasons == [.sidecarConflict])
    #expect(try scratch.read("tree/a.xmp") == Sidecars.packet(6))
    #expect(try run.with(\.policy.sidecars, .ignore).rewrite(photo).verdict == .done)
  }

  @Test func `Each sidecar of an upright photo may contradict it`() throws {
    let photo = try scratch.copy(uprightFixture, as: "a.jpg")
    try scratch.write(Sidecars.packet(1), to: "a.jpg.xmp")
    try scratch.write(Sidecars.packet(8), to: "a.xmp")
    for result in [try run.audit(photo), try run.rewrite(photo)] {
      #expect(result.reasons == [.sidecarConflict])
    }
    try scratch.write(Sidecars.packet(6), to: "a.jpg.xmp")
    for result in [try run.audit(photo), try run.rewrite(photo)] {
      let text = try #require(try result.only.reason?.description)
      #expect(text.contains("a.jpg.xmp has Orientation 6, the sidecar "), "\(text)")
      #expect(text.contains("a.xmp has Orientation 8, the photo 1"), "\(text)")
    }
    #expect(try reset.rewrite(photo).verdict == .done)
    for name in ["a.xmp", "a.jpg.xmp"] { #expect(try orientation(of: name) == "1") }
  }

  /// A sidecar with an Orientation and settings of Camera Raw.
  private func settings(_ orientation: Int, _ attributes: String) -> [UInt8] {
    Array(
      """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
      <rdf:Description rdf:about="" xmlns:tiff="http://ns.adobe.com/tiff/1.0/"
       xmlns:crs="http://ns.adobe.com/camera-raw-settings/1.0/" tiff:Orientation="\(orientation)" crs:Version="15.0"
       \(attributes)/></rdf:RDF></x:xmpmeta>
      """.utf8
    )
  }

  @Test func `Edits that cannot follow the photo are a reason to skip it`() throws {
    let photo = try scratch.copy("orientation/aligned-6.jpg", as: "a.jpg")
    let bytes = try scratch.read("a.jpg")
    try scratch.write(settings(6, #"crs:PerspectiveVertical="20""#), to: "a.xmp")
    for result in [try run.audit(photo), try run.plan(photo), try run.rewrite(photo)] {
      #expect(result.reasons == [.registeredData])
    }
    #expect(try run.audit(scratch.path("")).reasons == [.registeredData])
    #expect(try scratch.read("a.jpg") == bytes)
    let keeping = run.with(\.options.registeredData, .keep)
    #expect(try keeping.rewrite(photo).verdict == .done)
    #expect(try orientation(of: "a.xmp") == "1")
  }

  @Test func `A crop of a sidecar with another Orientation is not moved`() throws {
    let crop = #"""
      crs:HasCrop="True" crs:CropLeft="0.1" crs:CropTop="0.1" crs:CropRight="0.8" crs:CropBottom="0.9" crs:CropAngle="0"
      """#
    let photo = try scratch.copy("orientation/aligned-6.jpg", as: "a.jpg")
    let bytes = try scratch.read("a.jpg")
    // As an undo without sidecars leaves it: the crop was moved already.
    try scratch.write(settings(1, crop), to: "a.xmp")
    for result in [try run.audit(photo), try run.plan(photo), try run.rewrite(photo)] {
      #expect(result.reasons == [.sidecarConflict])
    }
    #expect(try scratch.read("a.jpg") == bytes)
    #expect(try scratch.read("a.xmp") == settings(1, crop))
    #expect(try run.with(\.policy.sidecars, .ignore).plan(photo).verdict == .done)
    try scratch.write(settings(6, crop), to: "a.xmp")
    #expect(try run.rewrite(photo).verdict == .done)
    let updated = try String(decoding: scratch.read("a.xmp"), as: UTF8.self)
    #expect(updated.contains(#"crs:CropRight="0.9""#))
  }

  @Test func `A consistent sidecar, or that of another file, is not a finding`() throws {
    let photo = try scratch.copy(uprightFixture, as: "a.jpg")
    for packet in [Sidecars.packet(1), Sidecars.packet(nil), Array("no XMP".utf8)] {
      try scratch.write(packet, to: "a.xmp")
      #expect(try run.rewrite(photo).verdict == .done)
      #expect(try run.audit(photo).verdict == .done)
    }
    try scratch.write(Sidecars.packet(6), to: "a.xmp")
    try scratch.write([0], to: "a.CR2")
    #expect(try run.rewrite(photo).verdict == .done)
    #expect(try run.audit(photo).verdict == .done)
  }

  @Test func `The sidecar of a HEIC file that gives another Orientation is a finding`() throws {
    let photo = try scratch.copy("formats/agree.heic", as: "a.heic")
    try scratch.copy(uprightFixture, as: "a.jpg")
    try scratch.write(Sidecars.packet(8), to: "a.xmp")
    #expect(try run.audit(photo).reasons == [.sidecarConflict])
    #expect(try run.rewrite(photo).reasons == [.sidecarConflict])
    #expect(try reset.rewrite(photo).verdict == .done)
    #expect(try orientation(of: "a.xmp") == "1")
    #expect(try run.audit(photo).verdict == .done)
  }

  @Test func `reset-tag resets the sidecar of an upright photo`() throws {
    let photo = try scratch.copy(uprightFixture, as: "a.jpg")
    try scratch.write(Sidecars.packet(6, width: 64, height: 96), to: "a.xmp")
    let reset = reset.with(\.record, record)
    #expect(try reset.rewrite(photo).verdict == .done)
    #expect(try scratch.read("a.xmp") == Sidecars.packet(1, width: 96, height: 64))
    #expect(try scratch.read("a.jpg") == Fixture.bytes(uprightFixture))
    #expect(try reset.undo(scratch.path("a.xmp")).verdict == .done)
    #expect(try scratch.read("a.xmp") == Sidecars.packet(6, width: 64, height: 96))
  }

  @Test func `A sidecar of an upright photo is not reset where no file would hold its undo data`()
    throws
  {
    let photo = try scratch.copy(uprightFixture, as: "a.jpg")
    try scratch.write(Sidecars.packet(6), to: "a.xmp")
    let reset = reset.with(\.embedsUndo, true)
    for result in [try reset.plan(photo), try reset.rewrite(photo)] {
      #expect(result.reasons == [.noUndo])
      #expect(try scratch.read("a.xmp") == Sidecars.packet(6))
    }
    #expect(try reset.with(\.record, record).rewrite(photo).verdict == .done)
    #expect(try orientation(of: "a.xmp") == "1")
  }

  @Test(arguments: [["tree"], ["tree/a.jpg"], []])
  func `A sidecar that was reset is restored although its photo was not rewritten`(
    undone: [String]
  ) throws {
    let photo = try scratch.copy(uprightFixture, as: "tree/a.jpg")
    let former = Sidecars.packet(6, width: 96, height: 64)
    let sidecar = try scratch.write(former, to: "tree/a.xmp")
    try scratch.copy(rotatedFixture, as: "tree/b.jpg")
    let time = Date(timeIntervalSince1970: 1_000_000_000)
    try FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: sidecar)
    let reset = reset.with(\.record, record)
    let planned = try reset.plan(photo)
    #expect(planned.verdict == .done)
    #expect(try planned.only.companion("a.xmp")?.action == .reset)
    #expect(try reset.rewrite(scratch.path("tree")).verdict == .done)
    #expect(try scratch.read("tree/a.xmp") == Sidecars.packet(1, width: 96, height: 64))
    if undone.isEmpty {
      _ = try reset.with(\.restoresPhotosAlone, true).undo()
      #expect(try scratch.read("tree/a.xmp") != former)
    }
    #expect(try reset.undo(undone.map { scratch.path($0) }).verdict == .done)
    #expect(try scratch.read("tree/a.xmp") == former)
    let attributes = try FileManager.default.attributesOfItem(atPath: sidecar)
    #expect(attributes[.modificationDate] as? Date == time)
  }

  @Test func `In a directory, the reset sidecar of a HEIC file is restored, too`() throws {
    let photo = try scratch.copy("formats/agree.heic", as: "tree/a.heic")
    try scratch.write(Sidecars.packet(8), to: "tree/a.xmp")
    let reset = reset.with(\.record, record)
    #expect(try reset.rewrite(photo).verdict == .done)
    #expect(try orientation(of: "tree/a.xmp") == "1")
    #expect(try reset.undo(scratch.path("tree")).verdict == .done)
    #expect(try scratch.read("tree/a.xmp") == Sidecars.packet(8))
  }
}
