package dev.holdfast.codec.vector;

import java.io.IOException;
import org.apache.lucene.codecs.KnnVectorsFormat;
import org.apache.lucene.codecs.KnnVectorsReader;
import org.apache.lucene.codecs.KnnVectorsWriter;
import org.apache.lucene.index.SegmentReadState;
import org.apache.lucene.index.SegmentWriteState;

/// Another vectors format for more dimensions than Lucene allows by itself. What is written is the
/// other format's.
final class WideVectors extends KnnVectorsFormat {
  private final KnnVectorsFormat format;

  WideVectors(KnnVectorsFormat format) {
    super(format.getName());
    this.format = format;
  }

  @Override
  public KnnVectorsWriter fieldsWriter(SegmentWriteState state) throws IOException {
    return format.fieldsWriter(state);
  }

  @Override
  public KnnVectorsReader fieldsReader(SegmentReadState state) throws IOException {
    return format.fieldsReader(state);
  }

  @Override
  public int getMaxDimensions(String field) {
    return VectorLayout.DIMENSIONS_MAX;
  }

  @Override
  public String toString() {
    return format.toString();
  }
}
