import Fixtures
import ImageOrientation
import JPEGCore
import Testing
import TurboTransform

struct CoefficientReaderTests {
  @Test func `Every sampling that is said to be readable is, and no other`() throws {
    let pixels = try Tool.djpeg(try Fixture.bytes("orientation/aligned-1.jpg"))
    var (readable, unreadable) = (0, 0)
    for luma in ["1x1", "2x1", "1x2", "2x2", "3x1", "4x1", "1x4", "4x2", "2x4", "1x3"] {
      for chroma in [
        "1x1,1x1", "2x1,2x1", "1x2,1x2", "2x2,2x2", "4x1,4x1", "1x1,2x1", "2x1,1x1",
      ] {
        let samples = "\(luma),\(chroma)"
        let jpeg = try Tool.run("cjpeg", ["-sample", samples], input: pixels)
        // Too many blocks in an MCU, or fractions.
        guard jpeg.status == 0, !jpeg.output.isEmpty else { continue }
        let picture = try Picture(jpeg.output)
        let isReadable = (try? picture.coefficients()) != nil
        #expect(
          CoefficientReader.canRead(picture.frame, isInterleaved: true) == isReadable,
          "\(picture.frame.factors)"
        )
        if isReadable { readable += 1 } else { unreadable += 1 }
      }
    }
    #expect(readable > 5 && unreadable > 5)
  }
}
