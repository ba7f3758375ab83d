import Foundation
import ImageOrientation
import NIOHTTP1
import Testing
import Upright
import UprightServer

private let aligned: [UInt8] = (try? Fixture.bytes("orientation/aligned-6.jpg")) ?? []

@Suite(.serialized) struct ServiceHEIFTests {
  @Test func `A HEIF photo is converted if the service can, and refused in words for people`()
    async throws
  {
    let photo = try Fixture.bytes("heif/plain.heic")
    try await serving { client in
      let response = try await client.post("/normalize", photo)
      #expect(response.status == .unsupportedMediaType)
      #expect(try response.problem() == "not-jpeg")
      #expect(response.text.contains("This is a HEIC photo"))
      #expect(!response.text.contains("upright convert"))
    }
    let converting = configuration {
      $0.convert = { file, name, options in
        guard file == photo else { throw UprightError(.truncated, "cut off") }
        let report = "{\"path\":\"\(name)\"}"
        return .converted(.init(report: report, transform: .rotate90, changes: 3, photo: aligned))
      }
    }
    try await serving(converting) { client in
      let response = try await client.post("/normalize", photo)
      #expect(response.status == .ok)
      #expect(response.field("Content-Type") == "image/jpeg")
      #expect(response.bytes == aligned)
      #expect(response.field("Upright-Action") == "converted")
      #expect(response.field("Upright-Transform") == "rotate-90")
      #expect(response.field("Upright-Lossless") == "false")
      #expect(response.field("Upright-Changes") == "3")
      let report = try await client.post("/normalize", photo, ["Accept": "application/json"])
      #expect(try report.object()["path"] as? String != nil)
      let damaged = try await client.post("/normalize", Array(photo.prefix(100)))
      #expect(damaged.status.code == 422)
      let other = try await client.post("/normalize", [0] + photo)
      #expect(try other.problem() == "not-jpeg")
      #expect(other.text.contains("neither JPEG nor HEIC"))
      // An audit reads HEIC, too.
      #expect(try await client.post("/audit", photo).status == .ok)
      let page = try await client.execute(uri: "/", method: .GET).text
      #expect(page.contains(".heic"))
    }
  }

  @Test func `A HEIF photo that is not converted is returned unchanged with a reason`() async throws
  {
    let photo = try Fixture.bytes("heif/plain.heic")
    let skipping = configuration {
      $0.convert = { _, _, _ in .skipped(Reason(.init(rawValue: "high-dynamic-range"), "too wide"))
      }
    }
    try await serving(skipping) { client in
      let response = try await client.post("/normalize", photo)
      #expect(response.status == .ok)
      #expect(response.bytes == photo)
      #expect(response.field("Content-Type") == "image/heic")
      #expect(response.field("Upright-Action") == "skipped")
      #expect(response.field("Upright-Reason") == "high-dynamic-range")
      let report = try await client.post("/normalize", photo, ["Accept": "application/json"])
      #expect(try report.object()["status"] as? String == "skipped")
      #expect(
        try (report.object()["reason"] as? [String: Any])?["id"] as? String == "high-dynamic-range"
      )
    }
  }

  @Test func `A crop outside of the image is an error of the client`() async throws {
    let photo = try Fixture.bytes("heif/plain.heic")
    let outside = PixelRectangle(x: 0, y: 0, width: 9999, height: 9999)
    let cropping = configuration {
      $0.convert = { _, _, _ in
        _ = try Rewriter(.crop(outside)).rewrite(aligned)
        return .converted(.init(report: "{}", transform: nil, changes: 0, photo: aligned))
      }
    }
    try await serving(cropping) { client in
      let response = try await client.post("/normalize", photo)
      #expect(response.status.code == 422)
      #expect(try response.problem() == "outside-image")
    }
  }
}
