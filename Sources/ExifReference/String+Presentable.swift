extension String {
  /// The text without surrounding white space, and with every character that would control a terminal or reorder a
  /// line written as `\u{1B}`.
  var presentable: String {
    var shown = ""
    for scalar in trimmed.unicodeScalars {
      if scalar.steersDisplay {
        shown += "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
      } else {
        shown.unicodeScalars.append(scalar)
      }
    }
    return shown
  }

  private var trimmed: Substring {
    let start = drop { $0.isWhitespace }
    guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
    return start[...last]
  }
}

extension Unicode.Scalar {
  fileprivate var steersDisplay: Bool {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: properties.isBidiControl
    }
  }
}
