package dev.holdfast.codec.stored;

import org.apache.lucene.codecs.StoredFieldsFormat;
import org.apache.lucene.codecs.lucene90.Lucene90StoredFieldsFormat;
import org.apache.lucene.codecs.lucene90.compressing.Lucene90CompressingStoredFieldsFormat;

/// How stored fields are compressed; the name is what a segment remembers, so it must not change.
public enum StoredFieldsMode {
  /// zstd level 1 in blocks small enough that one random fetch costs some 20 µs.
  DEFAULT(
      new Lucene90CompressingStoredFieldsFormat(
          "HoldfastStoredFieldsZstd1", new ZstdMode(1), 28 * 1024, 512, 10)),
  /// zstd level 3 in large blocks: for streams that are read in bulk, if at all.
  BEST_COMPRESSION(
      new Lucene90CompressingStoredFieldsFormat(
          "HoldfastStoredFieldsZstd3", new ZstdMode(3), 240 * 1024, 2048, 10)),
  /// Lucene's own default: the fastest random fetch, the largest files.
  LZ4(
      new Lucene90CompressingStoredFieldsFormat(
          "HoldfastStoredFieldsLz4",
          Lucene90StoredFieldsFormat.BEST_SPEED_MODE,
          80 * 1024,
          1024,
          10));

  @SuppressWarnings("ImmutableEnumChecker") // Lucene's formats do not change, nor say so
  private final StoredFieldsFormat format;

  StoredFieldsMode(StoredFieldsFormat format) {
    this.format = format;
  }

  StoredFieldsFormat format() {
    return format;
  }
}
