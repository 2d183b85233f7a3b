package dev.holdfast.codec.vector;

import java.io.IOException;
import org.apache.lucene.codecs.KnnVectorsFormat;
import org.apache.lucene.codecs.KnnVectorsReader;
import org.apache.lucene.codecs.KnnVectorsWriter;
import org.apache.lucene.codecs.hnsw.FlatVectorsFormat;
import org.apache.lucene.codecs.lucene99.Lucene99FlatVectorsFormat;
import org.apache.lucene.codecs.lucene99.Lucene99HnswVectorsFormat;
import org.apache.lucene.codecs.lucene99.Lucene99HnswVectorsReader;
import org.apache.lucene.codecs.lucene99.Lucene99HnswVectorsWriter;
import org.apache.lucene.index.SegmentReadState;
import org.apache.lucene.index.SegmentWriteState;

/// Vectors of bits, eight a byte, in Lucene's graph, compared by how many bits are the same.
public final class BitVectorsFormat extends KnnVectorsFormat {
  private static final String NAME = "HoldfastBits1";

  private final FlatVectorsFormat flat = new Lucene99FlatVectorsFormat(new HammingScorer());
  private final int links;
  private final int beam;
  private final int graphFrom;

  /// For Lucene's look-up by name, which reads segments with it.
  public BitVectorsFormat() {
    this(
        Lucene99HnswVectorsFormat.DEFAULT_MAX_CONN,
        Lucene99HnswVectorsFormat.DEFAULT_BEAM_WIDTH,
        Lucene99HnswVectorsFormat.HNSW_GRAPH_THRESHOLD);
  }

  /// @param graphFrom smaller segments have no graph
  BitVectorsFormat(int links, int beam, int graphFrom) {
    super(NAME);
    this.links = links;
    this.beam = beam;
    this.graphFrom = graphFrom;
  }

  @Override
  @SuppressWarnings("NullAway") // no executor: one worker merges
  public KnnVectorsWriter fieldsWriter(SegmentWriteState state) throws IOException {
    return new Lucene99HnswVectorsWriter(
        state, links, beam, flat, flat.fieldsWriter(state), 1, null, graphFrom);
  }

  @Override
  public KnnVectorsReader fieldsReader(SegmentReadState state) throws IOException {
    return new Lucene99HnswVectorsReader(state, flat.fieldsReader(state));
  }

  @Override
  public int getMaxDimensions(String field) {
    return VectorLayout.DIMENSIONS_MAX;
  }
}
