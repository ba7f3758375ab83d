internal import FileSystem
internal import PhotoFiles
internal import SystemPackage
internal import Upright

/// The progress line on a terminal: files done, speed, remaining time, and what became of them.
struct Progress: Sendable {
  private let start = ContinuousClock.now
  private let files: WalkAhead
  private var done = 0
  private var shown: ContinuousClock.Instant?

  init(of files: WalkAhead) { self.files = files }

  /// Counts files, and updates the line if its last update is long enough ago.
  mutating func advance(by count: Int, _ tally: Tally) {
    done += count
    let now = ContinuousClock.now
    if let shown, now - shown < .milliseconds(200) { return }
    // Short runs show no line.
    guard now - start > .milliseconds(500) else { return }
    shown = now
    // A line that is longer than the terminal is wide could not be removed.
    write("\r\(text(now, tally).prefix(79))\u{1B}[K")
  }

  /// Removes the line, and prints how long the work took and how the size of the files changed.
  mutating func finish(_ tally: Tally) {
    clear()
    let time = ContinuousClock.now - start
    guard time > .seconds(1) else { return }
    var text = "\(done) files in \(Self.time(time / .seconds(1)))"
    if let bytes = tally.bytes { text += ", \(ByteCount.text(bytes.before, bytes.after))" }
    write(text + "\n")
  }

  /// Removes the line.
  mutating func clear() {
    guard shown != nil else { return }
    shown = nil
    write("\r\u{1B}[K")
  }

  private func text(_ now: ContinuousClock.Instant, _ tally: Tally) -> String {
    let seconds = max((now - start) / .seconds(1), 0.001)
    let rate = Double(done) / seconds
    let total = files.count
    var text = "\(done)"
    if let total, total >= done { text += " of \(total)" }
    text += " files, \(rate < 10 ? "\((rate * 10).rounded() / 10)" : "\(Int(rate))")/s"
    if let total, total > done, rate > 0 {
      text += ", \(Self.time(Double(total - done) / rate)) remaining"
    }
    return text + (tally.briefly.isEmpty ? "" : ": \(tally.briefly)")
  }

  /// Returns a duration as text: `12 s`, `3 min`, `2 h 5 min`.
  static func time(_ seconds: Double) -> String {
    guard seconds < 1e8 else { return "a long time" }
    let whole = Int(seconds.rounded(.up))
    if whole < 60 { return "\(whole) s" }
    if whole < 3600 { return "\((whole + 59) / 60) min" }
    return "\(whole / 3600) h \(whole % 3600 / 60) min"
  }

  private func write(_ text: String) {
    try? StandardStreams.write(Array(text.utf8), to: .standardError)
  }
}
