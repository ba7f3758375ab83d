"""The columns of the table: the fields of `upright/2`, which docs/output.md describes.

A test compares them with the schema and with the output of `upright`.
"""

VERSION = "upright/2"

PARTITION = "status"
"""The column by which the table is partitioned: a query for one status reads only its files."""

COLUMNS = """
  schema STRING,
  path STRING,
  pathBytes STRING,
  output STRING,
  status STRING,
  transform STRING,
  edges STRING,
  trimmed STRUCT<columns: BIGINT, rows: BIGINT>,
  keptComponents ARRAY<BIGINT>,
  redraw STRUCT<
    psnr: DOUBLE, largestError: BIGINT, exceptions: BIGINT, exceptionBytes: BIGINT,
    sizeBefore: BIGINT, sizeAfter: BIGINT>,
  reason STRUCT<id: STRING, text: STRING, evidence: ARRAY<STRUCT<id: STRING, text: STRING>>>,
  error STRUCT<id: STRING, text: STRING, offset: BIGINT>,
  expectedName STRING,
  width BIGINT,
  height BIGINT,
  sampling STRING,
  coding STRING,
  contradictions ARRAY<STRUCT<id: STRING, text: STRING>>,
  orientation BIGINT,
  size BIGINT,
  embeddedImages ARRAY<STRUCT<
    role: STRING, offset: BIGINT, length: BIGINT, width: BIGINT, height: BIGINT, disposition: STRING>>,
  regions ARRAY<STRUCT<kind: STRING, disposition: STRING, frame: STRING, evidence: STRING>>,
  registeredData ARRAY<STRUCT<kind: STRING, effect: STRING, offset: BIGINT>>,
  changes ARRAY<STRUCT<
    field: STRING, offset: BIGINT, oldLength: BIGINT, newLength: BIGINT, old: STRING,
    new: STRING>>,
  notes ARRAY<STRING>,
  verification STRING,
  restorable BOOLEAN,
  sidecar STRING,
  facts STRUCT<
    size: BIGINT, format: STRING, formatOrientation: BIGINT, orientationsAgree: BOOLEAN,
    exifOrientation: BIGINT, xmpOrientation: BIGINT,
    trimming: STRUCT<columns: BIGINT, rows: BIGINT>, conflicts: ARRAY<STRUCT<id: STRING, text: STRING>>,
    camera: STRING,
    captured: STRING, gps: BOOLEAN, thumbnail: BOOLEAN, gainMap: BOOLEAN, motionPhoto: BOOLEAN,
    thumbnailTransform: STRING, trailingBytes: BIGINT, contentCredentials: BOOLEAN, regions: BOOLEAN,
    subjectArea: BOOLEAN, undoData: BOOLEAN>,
  warnings ARRAY<STRING>
"""
