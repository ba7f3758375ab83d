// The fixtures that most tests of files use.

/// A photo that is to be rotated, losslessly.
package let rotatedFixture = "orientation/aligned-6.jpg"

/// A photo that is upright.
package let uprightFixture = "orientation/aligned-1.jpg"

/// A photo that is to be rotated, with partial MCUs.
package let unalignedFixture = "orientation/unaligned-6.jpg"

/// A photo that is skipped: its Orientation has no meaning.
package let skippedFixture = "exif/orientation-9.jpg"

/// A photo whose scan is cut off.
package let damagedFixture = "bad/cut-in-scan.jpg"
