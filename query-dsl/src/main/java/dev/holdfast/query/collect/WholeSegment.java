package dev.holdfast.query.collect;

import java.io.IOException;
import org.apache.lucene.search.LeafCollector;
import org.apache.lucene.search.Query;

/// A collector of one segment that may know what all its documents amount to without seeing each.
public interface WholeSegment extends LeafCollector {
  /// Takes every document of the segment at once; asked before any other call, and only when all of
  /// them match and none is deleted.
  ///
  /// @return false when the documents must come by the other calls
  boolean collectWhole() throws IOException;

  /// Takes the documents of the segment that a rewritten query matches at once; asked before any
  /// call but [#collectWhole], and only when none is deleted.
  ///
  /// @return how many they are; -1 when they must come by the other calls
  long collectMatching(Query query) throws IOException;
}
