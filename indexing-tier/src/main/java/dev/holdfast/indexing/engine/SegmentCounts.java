package dev.holdfast.indexing.engine;

import java.io.IOException;
import org.apache.lucene.index.IndexCommit;
import org.apache.lucene.index.SegmentCommitInfo;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.store.Directory;

/// What a Lucene commit consists of.
///
/// @param documents live ones
/// @param deleted documents that are not merged away
public record SegmentCounts(long documents, long deleted, int segments) {
  static final SegmentCounts NONE = new SegmentCounts(0, 0, 0);

  static SegmentCounts of(IndexCommit commit) throws IOException {
    return of(commit.getDirectory(), commit.getSegmentsFileName());
  }

  /// @param segmentsFile names the commit
  public static SegmentCounts of(Directory directory, String segmentsFile) throws IOException {
    SegmentInfos segments = SegmentInfos.readCommit(directory, segmentsFile);
    long documents = 0;
    long deleted = 0;
    for (SegmentCommitInfo segment : segments) {
      documents += segment.info.maxDoc() - segment.getDelCount();
      deleted += segment.getDelCount();
    }
    return new SegmentCounts(documents, deleted, segments.size());
  }
}
