package dev.holdfast.document.runtime;

import java.io.IOException;
import org.apache.lucene.index.LeafReader;

/// The scores that documents of a search have, for scripts of its values.
public interface SegmentScores {
  /// No search: everything scores 0.
  SegmentScores NONE = (_, _) -> 0;

  /// @param segment without runtime fields
  /// @return 0 for a document that does not match
  float of(LeafReader segment, int doc) throws IOException;
}
