internal import ImageOrientation
internal import Upright
internal import XMPPacket

/// The check of numbers in XMP that follow the image; what is expected is calculated apart from the rewriter.
extension XMPComparison {
  /// A number that follows the image.
  enum Motion {
    /// The x of a point, as a fraction of the image or in pixels, counted from its edges.
    case x(isInPixels: Bool)
    /// The y of a point.
    case y(isInPixels: Bool)
    /// The x or the y of a difference between two places.
    case offset(isAlongY: Bool)
    /// A clockwise angle in degrees.
    case angle
    /// DJI's calibration of a lens.
    case calibration
  }

  /// Returns how a number follows the image; nil for other properties.
  static func motion(_ property: XMPProperty) -> Motion? {
    switch (property.namespace, property.name) {
    case ("http://ns.apple.com/faceinfo/1.0/", "AngleInfoRoll"): .angle
    case ("http://ns.google.com/photos/1.0/focus/", "FocalPointX"): .x(isInPixels: false)
    case ("http://ns.google.com/photos/1.0/focus/", "FocalPointY"): .y(isInPixels: false)
    case ("http://www.dji.com/drone-dji/1.0/", "CalibratedOpticalCenterX"): .x(isInPixels: true)
    case ("http://www.dji.com/drone-dji/1.0/", "CalibratedOpticalCenterY"): .y(isInPixels: true)
    case ("http://www.dji.com/drone-dji/1.0/", "RelativeOpticalCenterX"): .offset(isAlongY: false)
    case ("http://www.dji.com/drone-dji/1.0/", "RelativeOpticalCenterY"): .offset(isAlongY: true)
    case ("http://www.dji.com/drone-dji/1.0/", "DewarpData"): .calibration
    default: nil
    }
  }

  /// Returns a note on a number that was kept, and a finding on one that changed to another than the expected value.
  func check(
    _ a: XMPProperty,
    _ b: XMPProperty,
    _ partner: XMPProperty?,
    following motion: Motion,
    _ angles: OrientationTransform
  ) -> [Observation] {
    let isExpected =
      switch motion {
      case .x(let isInPixels): isPoint(a, b, partner, isAlongY: false, isInPixels: isInPixels)
      case .y(let isInPixels): isPoint(a, b, partner, isAlongY: true, isInPixels: isInPixels)
      case .offset(let isAlongY): isOffset(a, b, partner, isAlongY: isAlongY)
      case .angle: isAngle(a.value, b.value, angles)
      case .calibration: isCalibration(a.value, b.value)
      }
    if isExpected { return [] }
    return change(a, b).map { [$0] } ?? kept(b)
  }

  /// Returns the note on a number that was kept although the image was transformed.
  func kept(_ property: XMPProperty) -> [Observation] {
    let text = "\(property.label) in XMP is unchanged and describes the image as it was stored"
    let offset = place(property, in: new).lowerBound
    return [
      .note(.regionKept, text, result: offset), .kept("\(property.label) in XMP", at: offset),
    ]
  }

  private func isOffset(
    _ a: XMPProperty,
    _ b: XMPProperty,
    _ partner: XMPProperty?,
    isAlongY: Bool
  ) -> Bool {
    guard let mine = Double(a.value), let found = Double(b.value),
      let other = partner.flatMap({ Double($0.value) })
    else { return a.value == b.value }
    let matrix = transform.matrix(of: ImageSize<Double>(width: 0, height: 0))
    let (x, y) = isAlongY ? (other, mine) : (mine, other)
    return found == (isAlongY ? matrix.b * x + matrix.d * y : matrix.a * x + matrix.c * y)
  }

  private func isPoint(
    _ a: XMPProperty,
    _ b: XMPProperty,
    _ partner: XMPProperty?,
    isAlongY: Bool,
    isInPixels: Bool
  ) -> Bool {
    guard let mine = Double(a.value), let found = Double(b.value),
      let other = partner.flatMap({ Double($0.value) })
    else { return a.value == b.value }
    let unit = isInPixels ? PixelSize(width: 1, height: 1) : sizes.old
    let before = (Double(unit.width), Double(unit.height))
    let (x, y) =
      isAlongY ? (other * before.0, mine * before.1) : (mine * before.0, other * before.1)
    let (width, height) = (Double(sizes.new.width), Double(sizes.new.height))
    let expected: Double =
      switch (isAlongY, transform) {
      case (false, .none), (false, .flipVertical): x
      case (false, .flipHorizontal), (false, .rotate180): width - x
      case (false, .transpose), (false, .rotate270): y
      case (false, .transverse), (false, .rotate90): width - y
      case (true, .none), (true, .flipHorizontal): y
      case (true, .flipVertical), (true, .rotate180): height - y
      case (true, .transpose), (true, .rotate90): x
      case (true, .transverse), (true, .rotate270): height - x
      }
    let extent = isInPixels ? 1 : isAlongY ? height : width
    return abs(found - expected / extent) < 0.0001
  }

  private func isAngle(_ a: String, _ b: String, _ transform: OrientationTransform) -> Bool {
    guard let before = Double(a), let after = Double(b), abs(before) < 1e6, abs(after) < 1e6 else {
      return a == b
    }
    let expected: Double =
      switch transform {
      case .none: before
      case .rotate90: before + 90
      case .rotate180: before + 180
      case .rotate270: before + 270
      case .flipHorizontal: 360 - before
      case .flipVertical: 180 - before
      case .transpose: 270 - before
      case .transverse: 90 - before
      }
    return abs((after - expected).remainder(dividingBy: 360)) < 0.001
  }

  private func isCalibration(_ a: String, _ b: String) -> Bool {
    func parts(_ text: String) -> (head: String, numbers: [Double])? {
      let halves = text.split(separator: ";", omittingEmptySubsequences: false)
      guard let list = halves.last else { return nil }
      let numbers = list.split(separator: ",").compactMap { Double($0) }
      return numbers.count == 9 ? (halves.dropLast().joined(separator: ";"), numbers) : nil
    }
    guard let old = parts(a), let new = parts(b), old.head == new.head else { return a == b }
    let matrix = transform.matrix(of: ImageSize<Double>(width: 0, height: 0))
    func moved(_ x: Double, _ y: Double) -> [Double] {
      [matrix.a * x + matrix.c * y, matrix.b * x + matrix.d * y]
    }
    let n = old.numbers
    let tangential = moved(n[7], n[6])
    let expected =
      (transform.transposes ? [n[1], n[0]] : [n[0], n[1]]) + moved(n[2], n[3])
      + [n[4], n[5], tangential[1], tangential[0], n[8]]
    return expected == new.numbers
  }
}
