package dev.holdfast.codec;

import org.apache.lucene.codecs.KnnVectorsFormat;
import org.apache.lucene.codecs.PostingsFormat;
import org.jspecify.annotations.Nullable;

/// What a mapping says about how fields are written. Segments know themselves how they were
/// written, so an answer may change for new ones.
public interface FieldFormats {
  /// Fields that are all written the usual way.
  FieldFormats USUAL =
      new FieldFormats() {
        @Override
        public @Nullable KnnVectorsFormat vectors(String field) {
          return null;
        }

        @Override
        public @Nullable PostingsFormat postings(String field) {
          return null;
        }

        @Override
        public boolean areCompact() {
          return false;
        }
      };

  /// How the vectors of a field are written; null for the usual way.
  @Nullable KnnVectorsFormat vectors(String field);

  /// How the terms of a field are written; null for the usual way.
  @Nullable PostingsFormat postings(String field);

  /// Whether bytes count more than the time of a single look-up: columns are packed, and ids that
  /// the server made have no filter.
  boolean areCompact();
}
