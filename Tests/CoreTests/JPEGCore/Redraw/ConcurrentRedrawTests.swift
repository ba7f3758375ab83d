import Dispatch
import ImageOrientation
import JPEGCore
import Synchronization
import Testing

/// A redraw on several threads.
struct ConcurrentRedrawTests {
  /// How pieces of work are run: on threads, or in an unusual order.
  static let threads: [WorkLimit.Threads] = [
    { DispatchQueue.concurrentPerform(iterations: $0, execute: $1) },
    { count, work in for number in (0..<count).reversed() { work(number) } },
  ]

  private func subject(_ sampling: [UInt8]) throws -> RedrawSubject {
    var subject = try RedrawSubject(width: 203, height: 197, sampling) { UInt16(4 + $0) }
    var random = RedrawRandom(state: 5)
    subject.fill { $0 % 64 < 20 ? Int16.random(in: -9...9, using: &random) : 0 }
    return subject
  }

  @Test(arguments: RedrawSubject.samplings, [OrientationTransform.rotate180, .rotate90])
  func `The result is the same on several threads, with its exceptions, distortion and restoration`(
    sampling: [UInt8],
    transform: OrientationTransform
  ) throws {
    let subject = try subject(sampling)
    let image = SparseImage(subject.image)
    let redraw = subject.redraw(transform, .standard)
    let color: Distortion.Color = sampling.count == 3 ? .yCbCr : .components
    let expected = redraw.redraw(image, exceptions: true, distortion: color)
    let exceptions = try #require(expected.exceptions)
    for threads in Self.threads {
      let (result, restored) = try WorkLimit.observing(for: nil, on: threads) {
        let result = redraw.redraw(image, exceptions: true, distortion: color)
        return (result, try redraw.restored(result.image, exceptions))
      }.get()
      #expect(
        CoefficientImage(result.image).coefficients == CoefficientImage(expected.image).coefficients
      )
      #expect(result.exceptions == exceptions)
      #expect(result.distortion == expected.distortion)
      #expect(CoefficientImage(restored).coefficients == subject.image.coefficients)
    }
  }

  @Test func `Work stops between rows if its task is cancelled`() async throws {
    let subject = try subject([0x22, 0x11, 0x11])
    let image = SparseImage(subject.image)
    let redraw = subject.redraw(.rotate180, .standard)
    let pieces = Mutex(0)
    let count = await Task {
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      _ = WorkLimit.observing(
        for: nil,
        on: { count, work in
          pieces.withLock { $0 += count }
          Self.threads[0](count, work)
        },
        { redraw.redraw(image) }
      )
      return pieces.withLock { $0 }
    }.value
    // The limit is checked once, before the first row.
    #expect(count <= 3)
  }
}
