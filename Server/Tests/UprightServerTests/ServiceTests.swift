import Foundation
import NIOHTTP1
import Testing
import Upright
import UprightServer

private let transformed = "orientation/aligned-6.jpg"
private let aligned: [UInt8] = (try? Fixture.bytes(transformed)) ?? []

@Suite(.serialized) struct ServiceTests {
  @Test func `A photo is returned upright, with the result in the header`() async throws {
    try await serving { client in
      let response = try await client.post("/normalize", aligned)
      #expect(response.status == .ok)
      #expect(response.field("Content-Type") == "image/jpeg")
      #expect(response.field("Upright-Action") == "normalized")
      #expect(response.field("Upright-Transform") == "rotate-90")
      #expect(response.field("Upright-Orientation") == "6")
      #expect(response.field("Upright-Lossless") == "true")
      #expect(response.field("Upright-Verified") == "restored")

      let again = try await client.post("/normalize", response.bytes)
      #expect(again.bytes == response.bytes)
      #expect(again.field("Upright-Action") == "already-upright")
      #expect(again.field("Upright-Reason") == "upright")
    }
  }

  @Test func `A photo in a form is answered with report and result`() async throws {
    try await serving { client in
      let plain = try await client.post("/normalize", aligned)
      let head = "Content-Disposition: form-data; name=\"photo\"; filename=\"a\\b/c.jpg\"\r\n\r\n"
      let text = "--x y\r\nContent-Disposition: form-data; name=\"regions\"\r\n\r\nkeep\r\n"
      let body = Array((text + "--x y\r\n" + head).utf8) + aligned + Array("\r\n--x y--\r\n".utf8)
      let type = "multipart/form-data; boundary=\"x y\""
      let photo = try await client.post("/normalize", body, ["Content-Type": type])
      #expect(photo.bytes == plain.bytes)
      let report = try await client.post(
        "/audit",
        body,
        ["Content-Type": type, "Accept": "application/json"]
      )
      #expect(try report.object()["path"] as? String == "c.jpg")
      let both = try await client.post(
        "/normalize",
        body,
        ["Accept": "multipart/form-data", "Content-Type": type]
      )
      let boundary = try #require(both.field("Content-Type")?.split(separator: "=").last)
      #expect(both.bytes.starts(with: Array("--\(boundary)\r\n".utf8)))
      let end = Array("\r\n--\(boundary)--\r\n".utf8)
      #expect(both.bytes.suffix(end.count) == end[...])
      let parts = both.bytes.dropLast(end.count)
      #expect(parts.suffix(plain.bytes.count) == plain.bytes[...])
    }
  }

  @Test(arguments: [
    "--x\r\n\r\n", "--x\r\nContent-Disposition: form-data; name=a\r\n\r\nno end", "", "--x",
    "--x--",
    "--x\r\nContent-Disposition: form-data; name=a\r\n\r\nno file\r\n--x--\r\n",
    "--x\r\nContent-Disposition: form-data\r\n\r\nno name\r\n--x--\r\n",
    "--x\r\nContent-Disposition: form-data; name=\"a; filename=b\r\n\r\n\r\n--x--\r\n",
    String(
      repeating: "--x\r\nContent-Disposition: form-data; name=a; filename=b\r\n\r\n\r\n",
      count: 20
    ) + "--x--",
  ])
  func `Malformed forms are refused`(body: String) async throws {
    try await serving { client in
      let response = try await client.post(
        "/normalize",
        Array(body.utf8),
        ["Content-Type": "multipart/form-data; boundary=x"]
      )
      #expect(response.status == .badRequest)
      #expect(["malformed-form", "one-file"].contains(try response.problem()))
    }
  }

  @Test(arguments: [
    ("bad/empty.jpg", 415, "empty"), ("bad/text.jpg", 415, "not-jpeg"),
    ("bad/png-header.jpg", 415, "not-jpeg"), ("bad/cut-in-scan.jpg", 422, "truncated"),
    ("bad/garbled-scan.jpg", 422, "damaged-scan"), ("bad/segment-length-0.jpg", 422, "malformed"),
  ])
  func `A damaged photo or other data is refused with a problem document`(
    fixture: String,
    status: Int,
    code: String
  ) async throws {
    try await serving { client in
      let response = try await client.post("/normalize", Fixture.bytes(fixture))
      #expect(response.status.code == status)
      #expect(try response.problem() == code)
      #expect(try response.object()["status"] as? Int == status)
      #expect(try response.object()["type"] as? String == "about:blank")
    }
  }

  @Test func `Damage in an upright photo is found on request`() async throws {
    let upright = try Fixture.bytes("orientation/aligned-1.jpg")
    let cut = Array(upright.dropLast(200))
    var garbled = upright
    let middle = upright.count - 400
    garbled.replaceSubrange(middle..<middle + 40, with: [UInt8](repeating: 0xFF, count: 40))
    let photos = [
      (upright, "already-upright", nil), (cut, "skipped", "truncated"),
      (garbled, "already-upright", "damaged-scan"),
    ]
    try await serving { client in
      for (photo, action, code) in photos {
        for query in ["", "?check-unchanged=false"] {
          let response = try await client.post("/normalize" + query, photo)
          #expect(response.field("Upright-Action") == action)
          #expect(response.bytes == photo)
        }
        let checked = try await client.post("/normalize?check-unchanged=true", photo)
        #expect(checked.status.code == (code == nil ? 200 : 422))
        #expect(try code == nil || checked.problem() == code)
      }
      let other = try await client.post("/normalize?check-unchanged=1", upright)
      #expect(try other.problem() == "unknown-value")
    }
    try await serving(configuration { $0.options.checksUnchanged = true }) { client in
      let response = try await client.post("/normalize", cut)
      #expect(try response.problem() == "truncated")
    }
  }

  @Test func `Skipped photos are returned unchanged with a reason`() async throws {
    try await serving { client in
      let bytes = try Fixture.bytes("exif/orientation-9.jpg")
      let response = try await client.post("/normalize", bytes)
      #expect(response.status == .ok)
      #expect(response.bytes == bytes)
      #expect(response.field("Upright-Action") == "skipped")
      #expect(response.field("Upright-Reason") == "reserved-orientation")
    }
  }

  @Test func `The query selects policies only`() async throws {
    try await serving { client in
      let bytes = try Fixture.bytes("orientation/unaligned-6.jpg")
      let left = try await client.post("/normalize?unaligned=skip", bytes)
      #expect(left.field("Upright-Reason") == "unaligned-edge")
      let decoded = try await client.post("/normalize?unaligned=s%6bi%70&", bytes)
      #expect(decoded.field("Upright-Reason") == "unaligned-edge")
      let trimmed = try await client.post("/normalize?unaligned=trim", bytes)
      #expect(trimmed.field("Upright-Lossless") == "false")
      let failed = try await client.post("/normalize?unaligned=fail", bytes)
      #expect(try failed.problem() == "unaligned-edge")
      for query in [
        "unaligned=other", "max-pixels=1", "file=/etc/passwd", "unaligned=skip%",
        "unaligned=ski%zz",
        "unaligned=skip&&regions=keep", "unaligned", "&", "unal%69gned=skip",
      ] {
        let response = try await client.post("/normalize?\(query)", bytes)
        #expect(response.status == .badRequest, "\(query)")
      }
    }
  }

  @Test func `Fields of a form select policies like the query, and are never ignored`()
    async throws
  {
    let photo = try Fixture.bytes("orientation/unaligned-6.jpg")
    @Sendable func form(_ fields: [(String, String)]) -> [UInt8] {
      let texts = fields.map {
        "--b\r\nContent-Disposition: form-data; name=\"\($0.0)\"\r\n\r\n\($0.1)\r\n"
      }
      return Array(texts.joined().utf8)
        + Array(
          "--b\r\nContent-Disposition: form-data; name=\"p\"; filename=\"a.jpg\"\r\n\r\n".utf8
        )
        + photo + Array("\r\n--b--\r\n".utf8)
    }
    try await serving { client in
      let type: HTTPHeaders = ["Content-Type": "multipart/form-data; boundary=b"]
      func post(_ query: String, _ fields: [(String, String)]) async throws -> Response {
        try await client.post("/normalize\(query)", form(fields), type)
      }
      let skipped = try await post("", [("unaligned", "skip"), ("regions", "follow")])
      #expect(skipped.field("Upright-Reason") == "unaligned-edge")
      #expect(try await post("", [("unaligned", "fail")]).problem() == "unaligned-edge")
      #expect(try await post("?regions=keep", [("unaligned", "fail")]).status != .badRequest)
      #expect(try await post("", [("unaligned", "other")]).problem() == "unknown-value")
      #expect(try await post("", [("unaligned", "")]).problem() == "unknown-value")
      #expect(try await post("", [("max-pixels", "1")]).problem() == "unknown-parameter")
      #expect(try await post("", [("", "")]).problem() == "unknown-parameter")
      let twice = [("unaligned", "skip"), ("unaligned", "skip")]
      #expect(try await post("", twice).problem() == "repeated-parameter")
      #expect(
        try await post("?unaligned=skip", [("unaligned", "trim")]).problem() == "repeated-parameter"
      )
    }
  }

  @Test(arguments: [
    "/normalize", "/audit", "/", "/page.js", "/healthz", "/metrics", "/nowhere", "//etc/passwd",
  ])
  func `Every response has the security header fields`(path: String) async throws {
    try await serving { client in
      let post = path == "/normalize" || path == "/audit"
      for method in [post ? HTTPMethod.POST : .GET, .DELETE] {
        let response = try await client.execute(uri: path, method: method)
        let policy = try #require(response.field("Content-Security-Policy"))
        #expect(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"))
        #expect(!policy.contains("unsafe"))
        #expect(response.field("X-Content-Type-Options") == "nosniff")
        #expect(response.field("Cache-Control") == "no-store")
        #expect(response.field("Referrer-Policy") == "no-referrer")
        #expect(response.field("Cross-Origin-Opener-Policy") == "same-origin")
        #expect(response.field("Access-Control-Allow-Origin") == nil)
        #expect(response.field("Server") == nil)
        let date = try #require(response.field("Date"))
        #expect(
          date.wholeMatch(of: #/[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} 2\d{3} [\d:]{8} GMT/#) != nil
        )
      }
    }
  }

  @Test func `Unknown resources and methods are problems`() async throws {
    try await serving { client in
      let missing = try await client.execute(uri: "/../../etc/passwd", method: .GET)
      #expect(missing.status == .notFound)
      let wrong = try await client.execute(uri: "/normalize", method: .GET)
      #expect(wrong.status == .methodNotAllowed)
      #expect(wrong.field("Allow") == "POST")
    }
  }

  @Test func `Pages of other sites cannot use the service`() async throws {
    try await serving { client in
      let foreign = try await client.post("/normalize", aligned, ["Sec-Fetch-Site": "cross-site"])
      #expect(foreign.status == .forbidden)
      let own = try await client.post("/normalize", aligned, ["Sec-Fetch-Site": "same-origin"])
      #expect(own.status == .ok)
    }
  }

  @Test func `A photo of more bytes than allowed is refused, announced or not`() async throws {
    try await serving(configuration { $0.options.maxBytes = 1000 }) { client in
      let announced = try await client.post("/normalize", aligned)
      #expect(try announced.problem() == "too-large")
      #expect(announced.status.code == 413)
      let type = "multipart/form-data; boundary=x"
      let head = "--x\r\nContent-Disposition: form-data; name=a; filename=b\r\n\r\n"
      let form = Array(head.utf8) + aligned + Array("\r\n--x--\r\n".utf8)
      #expect(
        try await client.post("/normalize", form, ["Content-Type": type]).status.code == 413
      )
    }
  }

  @Test func `Limits of the library are reported as problems`() async throws {
    try await serving(configuration { $0.options.timeLimit = .zero }) { client in
      let response = try await client.post("/normalize", aligned)
      #expect(response.status == .serviceUnavailable)
      #expect(try response.problem() == "time-limit")
    }
    try await serving(configuration { $0.options.maxPixels = 100 }) { client in
      let response = try await client.post("/normalize", aligned)
      #expect(response.field("Upright-Reason") == "pixel-limit")
    }
  }

  @Test func `On request the image is kept and only the tag is set to 1`() async throws {
    try await serving { client in
      let kept = try await client.post("/normalize?image=keep", aligned)
      #expect(kept.status == .ok)
      #expect(kept.field("Upright-Action") == "tagged")
      #expect(kept.field("Upright-Transform") == nil)
      #expect(kept.bytes.count == aligned.count)
      #expect(zip(kept.bytes, aligned).count { $0 != $1 } == 1)
      let rotated = try await client.post("/normalize?image=rotate", aligned)
      #expect(rotated.field("Upright-Action") == "normalized")
      for query in ["image=other", "image=keep&image=keep"] {
        #expect(try await client.post("/normalize?" + query, aligned).status == .badRequest)
      }
      #expect(try await client.post("/audit?image=keep", aligned).status == .badRequest)
    }
  }

  @Test(arguments: ["exif.png", "little-endian.tif", "agree.heic", "agree.jxl"])
  func `The image of a file of another format is not kept`(name: String) async throws {
    let photo = try Fixture.bytes("formats/" + name)
    try await serving { client in
      let response = try await client.post("/normalize?image=keep", photo)
      #expect(response.status == .unsupportedMediaType)
      #expect(try response.problem() == "not-jpeg")
    }
  }

  @Test(arguments: [
    (nil, "image/jpeg"), ("application/json", "application/json"), ("text/html", "image/jpeg"),
    ("application/json, text/plain, */*", "image/jpeg"), ("*/*, application/json", "image/jpeg"),
    ("application/json, */*;q=0.8", "application/json"),
    ("application/json;q=0.5, image/jpeg", "image/jpeg"),
    ("Application/JSON ; q=0.9, image/*;Q=0.5, */*", "application/json"),
    ("application/json;q=0, image/png", "image/jpeg"),
    ("multipart/form-data, application/json;q=0.9", "multipart/form-data"),
  ])
  func `The report is sent only to a client that prefers it`(
    accept: String?,
    type: String
  )
    async throws
  {
    try await serving { client in
      let headers = HTTPHeaders(accept.map { [("Accept", $0)] } ?? [])
      let response = try await client.post("/normalize", aligned, headers)
      #expect(response.field("Content-Type")?.hasPrefix(type) == true, "\(accept ?? "")")
    }
  }

  @Test func `A busy service sends Retry-After`() async throws {
    for change in [
      { @Sendable (configuration: inout ServiceConfiguration) in
        configuration.queue = -configuration.workers
      },
      { configuration in configuration.bodyMemory = 100 },
    ] {
      try await serving(configuration(change)) { client in
        let response = try await client.post("/normalize", aligned)
        #expect(response.status == .serviceUnavailable)
        #expect(response.field("Retry-After") == "1")
        #expect(try response.problem() == "busy")
        #expect(try await client.execute(uri: "/healthz", method: .GET).status == .ok)
      }
    }
  }

  @Test func `Metrics count photos, and memory is released`() async throws {
    try await serving { client in
      _ = try await client.post("/normalize", aligned)
      _ = try await client.post("/normalize", Fixture.bytes("bad/text.jpg"))
      _ = try await client.post("/audit", aligned)
      let text = try await client.execute(uri: "/metrics", method: .GET).text
      for line in [
        "upright_requests_total{route=\"normalize\",status=\"200\"} 1",
        "upright_requests_total{route=\"normalize\",status=\"415\"} 1",
        "upright_photos_total{status=\"normalized\"} 1",
        "upright_photos_total{status=\"failed\"} 1",
        "upright_photos_total{status=\"planned\"} 1", "upright_work_seconds_count 3",
        "upright_working 0", "upright_waiting 0", "upright_body_bytes 0",
      ] {
        #expect(text.split(separator: "\n").contains(line[...]), "\(line)")
      }
    }
  }
}
