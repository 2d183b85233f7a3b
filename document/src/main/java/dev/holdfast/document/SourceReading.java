package dev.holdfast.document;

import java.io.IOException;
import org.apache.lucene.index.LeafReader;
import org.jspecify.annotations.Nullable;

/// How the `_source` of a document is told from what Lucene has of it.
public interface SourceReading {
  /// What is stored is what is shown.
  SourceReading STORED = (leaf, doc, stored) -> stored;

  /// The source of a document.
  ///
  /// @param doc its number in `leaf`
  /// @param stored the value of [MetadataFields#SOURCE]; null when it has none
  /// @return null when the index keeps no source
  byte @Nullable [] read(LeafReader leaf, int doc, byte @Nullable [] stored) throws IOException;
}
