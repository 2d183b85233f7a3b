package dev.holdfast.codec.vector;

import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.lucene.codecs.KnnVectorsFormat;
import org.apache.lucene.codecs.lucene104.Lucene104HnswScalarQuantizedVectorsFormat;
import org.apache.lucene.codecs.lucene99.Lucene99HnswVectorsFormat;
import org.apache.lucene.util.quantization.QuantizedByteVectorValues.ScalarEncoding;

/// How vectors are searched: by a graph or one by one, over themselves or over what they are
/// quantized to.
///
/// @param links of a node of the graph
/// @param beam how many candidates are looked at while the graph is built
public record VectorLayout(Quantization quantization, boolean hasGraph, int links, int beam) {
  /// Dimensions that Elasticsearch allows.
  public static final int DIMENSIONS_MAX = 4096;

  private static final SortedMap<Quantization, ScalarEncoding> ENCODINGS =
      new TreeMap<>(
          Map.of(
              Quantization.INT8, ScalarEncoding.SEVEN_BIT,
              Quantization.INT4, ScalarEncoding.PACKED_NIBBLE,
              Quantization.BBQ, ScalarEncoding.SINGLE_BIT_QUERY_NIBBLE));

  /// What vectors are quantized to while searching; the whole vectors are kept too.
  public enum Quantization {
    NONE,
    INT8,
    INT4,
    /// One bit a dimension, with corrections.
    BBQ,
    /// The vectors are bits themselves, compared by Hamming distance.
    BITS;

    public String shown() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /// Whether a field with this layout may get another: what is quantized is quantized more, and a
  /// graph stays one, with as many links at least.
  public boolean mayBecome(VectorLayout next) {
    if (hasGraph) {
      return next.hasGraph && coarseness() <= next.coarseness() && links <= next.links;
    }
    return coarseness() <= next.coarseness() || (next.hasGraph && quantization != Quantization.BBQ);
  }

  private int coarseness() {
    return switch (quantization) {
      case NONE, BITS -> 0;
      case INT8 -> 1;
      case INT4 -> 2;
      case BBQ -> 3;
    };
  }

  /// Lucene's format. Segments without graph are those too small for one: all are, when there is to
  /// be none.
  public KnnVectorsFormat format() {
    int graphFrom = hasGraph ? Lucene99HnswVectorsFormat.HNSW_GRAPH_THRESHOLD : Integer.MAX_VALUE;
    ScalarEncoding encoding = ENCODINGS.get(quantization);
    if (quantization == Quantization.BITS) {
      return new BitVectorsFormat(links, beam, graphFrom);
    }
    return new WideVectors(
        encoding == null
            ? new Lucene99HnswVectorsFormat(links, beam, 1, null, graphFrom)
            : new Lucene104HnswScalarQuantizedVectorsFormat(
                encoding, links, beam, 1, null, graphFrom));
  }
}
