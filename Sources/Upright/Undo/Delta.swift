internal import FileBytes
internal import ImageOrientation
internal import JPEGCore

/// The steps that make the original's skeleton from the result.
///
/// The skeleton is the original without the entropy-coded data of the scans that were encoded again.
struct Delta: Hashable, Sendable {
  /// A step, in the order of both files.
  enum Step: Hashable, Sendable {
    /// Copies bytes of the result.
    case copy(Int)
    /// Skips bytes of the result.
    case skip(Int)
    /// Inserts bytes of the original.
    case literal([UInt8])
    /// Transforms pixels of three bytes back; the size is that of the original.
    case pixels(width: Int, height: Int, transform: OrientationTransform)
    /// Transposes a quantization table of 64 elements of one or two bytes back.
    case table(elementSize: Int)
  }

  private(set) var steps: [Step] = []

  init() {}

  /// Creates the steps that undo changes, which are in file order.
  init(_ changes: [Change], _ original: [UInt8]) {
    var position = 0
    for change in changes {
      append(.copy(change.range.lowerBound - position))
      position = change.range.upperBound
      let (old, count) = (original[change.range], change.replacement.count)
      switch change.content {
      case .literal
      where [64, 128].contains(count) && old.count == count
        && Self.transposed(change.replacement) == Array(old):
        append(.table(elementSize: count / 64))
      case .literal:
        append(.skip(count))
        append(.literal(Array(old)))
      case .entropyCodedData: append(.skip(count))
      case .pixels(let width, let height, let transform):
        append(.pixels(width: width, height: height, transform: transform))
      }
    }
    append(.copy(original.count - position))
  }

  mutating func append(_ step: Step) {
    switch step {
    case .copy(0), .skip(0), .literal([]): break
    default: steps.append(step)
    }
  }

  /// Returns the original's skeleton, or nil if the delta was not made for this result.
  func skeleton(of result: [UInt8]) -> [UInt8]? {
    var skeleton: [UInt8] = []
    var position = 0
    for step in steps {
      let count = step.countOfResult
      guard count <= result.count - position else { return nil }
      let part = result[position..<position + count]
      position += count
      switch step {
      case .copy: skeleton += part
      case .skip: break
      case .literal(let bytes): skeleton += bytes
      case .pixels(let width, let height, let transform):
        let stored = PixelSize(width: width, height: height).transformed(by: transform)
        skeleton += PixelTransform.transformed(part, stored, by: transform.inverse)
      case .table: skeleton += Self.transposed(part)
      }
    }
    return position == result.count ? skeleton : nil
  }

  /// Returns the 64 elements of a quantization table with rows and columns swapped, in zigzag order.
  private static func transposed(_ table: ArraySlice<UInt8>) -> [UInt8] {
    let size = table.count / 64
    return Zigzag.transposed.flatMap {
      table[table.startIndex + $0 * size..<table.startIndex + ($0 + 1) * size]
    }
  }
}

extension Delta.Step {
  /// The number of bytes of the result that the step takes.
  var countOfResult: Int {
    switch self {
    case .copy(let count), .skip(let count): count
    case .literal: 0
    case .pixels(let width, let height, _): width * height * 3
    case .table(let elementSize): 64 * elementSize
    }
  }
}

extension Delta {
  func write(to writer: inout CompactWriter) {
    writer.write(steps.count)
    for step in steps {
      let numbers =
        switch step {
        case .copy(let count): [0, count]
        case .skip(let count): [1, count]
        case .literal: [2]
        case .pixels(let width, let height, let transform): [3, width, height, transform.number]
        case .table(let elementSize): [4, elementSize]
        }
      for number in numbers { writer.write(number) }
      if case .literal(let bytes) = step { writer.write(bytes) }
    }
  }

  init(from reader: inout CompactReader) throws(CompactReader.Failure) {
    for _ in 0..<(try reader.number(in: 0...1 << 20)) {
      switch try reader.number(in: 0...4) {
      case 0: steps.append(.copy(try reader.number()))
      case 1: steps.append(.skip(try reader.number()))
      case 2: steps.append(.literal(try reader.content()))
      case 4: steps.append(.table(elementSize: try reader.number(in: 1...2)))
      default:
        let width = try reader.number(in: 1...65_535)
        let height = try reader.number(in: 1...65_535)
        steps.append(
          .pixels(width: width, height: height, transform: try OrientationTransform(from: &reader))
        )
      }
    }
  }
}

extension OrientationTransform {
  /// The number of the transform in records: the Exif orientation that it normalizes.
  var number: Int { Orientation(uprightBy: self).rawValue }

  init(from reader: inout CompactReader) throws(CompactReader.Failure) {
    let number = try reader.number(in: 1...8)
    self = Orientation(rawValue: number)?.transform ?? .none
  }
}
