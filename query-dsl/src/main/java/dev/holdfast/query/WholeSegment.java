package dev.holdfast.query;

import java.io.IOException;
import org.apache.lucene.search.LeafCollector;

/// A collector of one segment that may know what all its documents amount to without seeing each.
public interface WholeSegment extends LeafCollector {
  /// Takes every document of the segment at once; asked before any other call, and only when all of
  /// them match and none is deleted.
  ///
  /// @return false when the documents must come by the other calls
  boolean collectWhole() throws IOException;
}
