package dev.holdfast.document.runtime;

import dev.holdfast.document.FieldType;
import dev.holdfast.script.value.VectorOfField;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;
import org.apache.lucene.index.BinaryDocValues;
import org.apache.lucene.index.ByteVectorValues;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.FloatVectorValues;
import org.apache.lucene.index.KnnVectorValues;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/// The vectors of a field in one segment for scripts, in any order of documents.
final class SegmentVectors {
  private SegmentVectors() {}

  static VectorOfField of(LeafReader segment, String path, FieldType type) throws IOException {
    FieldType.Vectors vectors = Objects.requireNonNull(type.vectors());
    VectorOfField.Elements elements =
        switch (vectors.elements()) {
          case "float" -> VectorOfField.Elements.FLOAT;
          case "byte" -> VectorOfField.Elements.BYTE;
          default -> VectorOfField.Elements.BIT;
        };
    boolean isFloat = elements == VectorOfField.Elements.FLOAT;
    if (!vectors.isIndexed()) {
      return new VectorOfField(values(segment, path, isFloat), elements);
    }
    return new VectorOfField(isFloat ? floats(segment, path) : bytes(segment, path), elements);
  }

  /// Iterators only go forward: one that is beyond a document is made anew.
  private static final class Position {
    private KnnVectorValues.@Nullable DocIndexIterator at;

    /// The ordinal of the vector of a document; -1 for none.
    int of(KnnVectorValues values, int doc) throws IOException {
      if (at == null || at.docID() > doc) {
        at = values.iterator();
      }
      int found = at.docID() < doc ? at.advance(doc) : at.docID();
      return found == doc && found != DocIdSetIterator.NO_MORE_DOCS ? at.index() : -1;
    }
  }

  private static VectorOfField.Source floats(LeafReader segment, String path) throws IOException {
    FloatVectorValues values = segment.getFloatVectorValues(path);
    Position position = new Position();
    return doc -> {
      int ordinal = values == null ? -1 : position.of(values, doc);
      return ordinal < 0 || values == null ? null : values.vectorValue(ordinal);
    };
  }

  private static VectorOfField.Source bytes(LeafReader segment, String path) throws IOException {
    ByteVectorValues values = segment.getByteVectorValues(path);
    Position position = new Position();
    return doc -> {
      int ordinal = values == null ? -1 : position.of(values, doc);
      return ordinal < 0 || values == null
          ? null
          : widened(new BytesRef(values.vectorValue(ordinal)));
    };
  }

  private static VectorOfField.Source values(LeafReader segment, String path, boolean isFloat)
      throws IOException {
    BinaryDocValues values = DocValues.getBinary(segment, path);
    return doc -> {
      if (!values.advanceExact(doc)) {
        return null;
      }
      BytesRef packed = values.binaryValue();
      if (!isFloat) {
        return widened(packed);
      }
      float[] floats = new float[packed.length / Float.BYTES];
      ByteBuffer.wrap(packed.bytes, packed.offset, packed.length)
          .order(ByteOrder.LITTLE_ENDIAN)
          .asFloatBuffer()
          .get(floats);
      return floats;
    };
  }

  private static float[] widened(BytesRef bytes) {
    float[] floats = new float[bytes.length];
    for (int i = 0; i < floats.length; i++) {
      floats[i] = bytes.bytes[bytes.offset + i];
    }
    return floats;
  }
}
