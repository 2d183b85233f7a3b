package dev.holdfast.search.copy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.lucene.index.FilterLeafReader;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.SegmentCommitInfo;
import org.apache.lucene.index.SegmentReader;

/// A segment of the commit being searched.
///
/// @param name `_0`, …
/// @param generation the number in the name
/// @param version of the Lucene that wrote it
public record SegmentFigures(
    String name,
    long generation,
    int documents,
    int deleted,
    long bytes,
    String version,
    boolean isCompound) {

  public static Map<String, Long> fileBytes(IndexReader reader) throws IOException {
    Map<String, Long> bytes = new TreeMap<>();
    for (LeafReaderContext leaf : reader.leaves()) {
      if (FilterLeafReader.unwrap(leaf.reader()) instanceof SegmentReader segment) {
        for (String file : segment.getSegmentInfo().files()) {
          String suffix = file.substring(file.lastIndexOf('.') + 1);
          bytes.merge(suffix, segment.directory().fileLength(file), Long::sum);
        }
      }
    }
    return bytes;
  }

  public static List<SegmentFigures> of(IndexReader reader) throws IOException {
    List<SegmentFigures> segments = new ArrayList<>();
    for (LeafReaderContext leaf : reader.leaves()) {
      if (FilterLeafReader.unwrap(leaf.reader()) instanceof SegmentReader segment) {
        SegmentCommitInfo info = segment.getSegmentInfo();
        segments.add(
            new SegmentFigures(
                info.info.name,
                Long.parseLong(info.info.name.substring(1), Character.MAX_RADIX),
                segment.numDocs(),
                segment.numDeletedDocs(),
                info.sizeInBytes(),
                info.info.getVersion().toString(),
                info.info.getUseCompoundFile()));
      }
    }
    return segments;
  }
}
