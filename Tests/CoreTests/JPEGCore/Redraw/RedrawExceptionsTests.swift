import ImageOrientation
import JPEGCore
import Testing

struct RedrawExceptionsTests {
  /// An image whose redraw has exceptions.
  private func subject() throws -> (RedrawSubject, Redraw) {
    var subject = try RedrawSubject(width: 50, height: 30, [0x21, 0x11, 0x11]) { _ in 2 }
    var random = RedrawRandom(state: 5)
    subject.fill { Int16.random(in: -99...99, using: &random) / Int16($0 % 64 + 1) }
    return (subject, subject.redraw(.rotate180, .standard))
  }

  @Test func `Exceptions are restored from their bytes`() throws {
    let (subject, redraw) = try subject()
    let exceptions = try redraw.reversibleRedraw(subject.image).exceptions
    let copy = try RedrawExceptions(serialized: exceptions.serialized)
    #expect(copy == exceptions)
    #expect(copy.count > 100)
    #expect(copy.serialized == exceptions.serialized)
  }

  @Test func `The count is that of the coefficients that differ`() throws {
    let (subject, redraw) = try subject()
    let (image, exceptions) = try redraw.reversibleRedraw(subject.image)
    let none = RedrawExceptions(components: 3)
    #expect(none.count == 0)
    let estimate = try redraw.restored(image, none)
    let differing = zip(estimate.coefficients, subject.image.coefficients).count { $0 != $1 }
    #expect(exceptions.count == differing)
  }

  @Test func `An image that needs no exceptions has an empty list`() throws {
    var subject = try RedrawSubject(width: 30, height: 30, [0x11]) { _ in 8 }
    subject.fill { $0 % 64 == 0 ? 10 : 0 }
    let exceptions = try subject.redraw(.rotate180, .standard).reversibleRedraw(subject.image)
      .exceptions
    #expect(exceptions.serialized == RedrawExceptions(components: 1).serialized)
  }

  @Test func `Bytes truncated anywhere are an error`() throws {
    let (subject, redraw) = try subject()
    let bytes = try redraw.reversibleRedraw(subject.image).exceptions.serialized
    for count in bytes.indices {
      #expect(throws: RedrawExceptions.Failure.self) {
        try RedrawExceptions(serialized: Array(bytes.prefix(count)))
      }
    }
    #expect(throws: RedrawExceptions.Failure.truncated) { try RedrawExceptions(serialized: []) }
  }

  @Test func `A changed bit anywhere is an error`() throws {
    let (subject, redraw) = try subject()
    let bytes = try redraw.reversibleRedraw(subject.image).exceptions.serialized
    for bit in 0..<8 * bytes.count {
      var damaged = bytes
      damaged[bit / 8] ^= 1 << UInt8(bit % 8)
      #expect(throws: RedrawExceptions.Failure.self) {
        try RedrawExceptions(serialized: damaged)
      }
    }
    #expect(throws: RedrawExceptions.Failure.unknownVersion(9)) {
      try RedrawExceptions(serialized: [9] + bytes.dropFirst())
    }
    #expect(throws: RedrawExceptions.Failure.truncated) {
      // Incomplete numbers, with a valid checksum.
      try RedrawExceptions(serialized: [2, 0xFF, 0xFF, 0xFF, 0xFF] + [0xFF, 0xFF, 0xFF, 0xFF])
    }
  }

  @Test func `Exceptions of another image are detected`() throws {
    let (subject, redraw) = try subject()
    var other = subject
    other.fill { $0 % 64 == 0 ? 10 : 0 }
    let exceptions = try redraw.reversibleRedraw(subject.image).exceptions
    #expect(throws: RedrawExceptions.Failure.otherImage) {
      try redraw.restored(redraw.redraw(other.image), exceptions)
    }
  }
}
