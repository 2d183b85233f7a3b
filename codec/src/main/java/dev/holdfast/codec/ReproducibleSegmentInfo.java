package dev.holdfast.codec;

import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.lucene.codecs.SegmentInfoFormat;
import org.apache.lucene.index.IndexFileNames;
import org.apache.lucene.index.SegmentInfo;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;

/// Segment infos that say what a segment is, not when and on which machine it was written: Lucene
/// adds the time, the operating system and the Java release to each, in an order that differs
/// between processes, and names the files in the order in which some hash table yielded them.
/// Without that the same operations make the same bytes.
final class ReproducibleSegmentInfo extends SegmentInfoFormat {
  /// Flush, merge or addition: the only diagnostic that is kept.
  private static final String SOURCE = "source";

  private static final String EXTENSION = "si";

  private final SegmentInfoFormat format;

  ReproducibleSegmentInfo(SegmentInfoFormat format) {
    this.format = format;
  }

  @Override
  public SegmentInfo read(Directory directory, String name, byte[] id, IOContext context)
      throws IOException {
    return format.read(directory, name, id, context);
  }

  @Override
  public void write(Directory directory, SegmentInfo info, IOContext context) throws IOException {
    String source = info.getDiagnostics().get(SOURCE);
    SegmentInfo written =
        new SegmentInfo(
            info.dir,
            info.getVersion(),
            info.getMinVersion(),
            info.name,
            info.maxDoc(),
            info.getUseCompoundFile(),
            info.getHasBlocks(),
            info.getCodec(),
            source == null ? Map.of() : Map.of(SOURCE, source),
            info.getId(),
            Map.of(),
            info.getIndexSort());
    new TreeMap<>(info.getAttributes()).forEach(written::putAttribute);
    written.setFiles(new TreeSet<>(info.files()));
    info.addFile(IndexFileNames.segmentFileName(info.name, "", EXTENSION));
    format.write(directory, written, context);
  }
}
