package dev.holdfast.document.field.vector;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.document.FieldColumns;
import dev.holdfast.document.column.BytesColumn;
import dev.holdfast.document.column.BytesRows;
import dev.holdfast.document.column.ColumnTypes;
import dev.holdfast.document.column.LongRows;
import dev.holdfast.document.column.VectorsColumn;
import dev.holdfast.document.scan.JsonValue;
import dev.holdfast.world.Refusal;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.document.column.Column;
import org.apache.lucene.util.VectorUtil;

/// Columns of a `dense_vector`: Lucene vectors, or their bytes as doc values when it is not
/// indexed.
final class VectorColumns implements FieldColumns {
  private static final float UNIT_TOLERANCE = 1e-3f;
  private static final int SHOWN_MAX = 5;

  private final String field;
  private final dev.holdfast.document.FieldType.Vectors vectors;
  private final VectorElements elements;
  private final FieldType type = new FieldType();
  private final LongRows rows = new LongRows();
  private final List<float[]> floats = new ArrayList<>();
  private final List<byte[]> bytes = new ArrayList<>();
  private final BytesRows values = new BytesRows();
  private int lastRow = -1;

  VectorColumns(
      String field, dev.holdfast.document.FieldType.Vectors vectors, VectorElements elements) {
    this.field = field;
    this.vectors = vectors;
    this.elements = elements;
    type.setVectorAttributes(
        Math.max(1, elements.length(vectors.dimensions())),
        elements.encoding,
        vectors.similarity());
    type.freeze();
  }

  @Override
  public boolean add(int row, JsonValue value) {
    boolean isText = value.kind() == JsonValue.Kind.STRING;
    if (value.kind() != JsonValue.Kind.ARRAY && !isText) {
      throw Refusal.badArgument("expected an array of numbers for field [" + field + "]");
    }
    JsonNode vector =
        isText ? com.fasterxml.jackson.databind.node.TextNode.valueOf(value.text()) : value.tree();
    if (lastRow == row && rows.count() > 0) {
      throw Refusal.badArgument(
          "Field ["
              + field
              + "] of type [dense_vector] doesn't support indexing multiple values for the same"
              + " field in the same document");
    }
    boolean isFloat = elements == VectorElements.FLOAT;
    float[] numbers =
        isFloat && isText ? VectorElements.floats(vector, vectors.dimensions()) : null;
    byte[] given = isText && !isFloat ? elements.bytes(vector, vectors.dimensions()) : null;
    int dimensions =
        numbers != null
            ? numbers.length
            : given == null ? elements.dimensions(vector) : elements.dimensions(given);
    if (dimensions != vectors.dimensions()) {
      throw Refusal.badArgument(
          "The [dense_vector] field ["
              + field
              + "] has a different number of dimensions ["
              + dimensions
              + "] than defined in the mapping ["
              + vectors.dimensions()
              + "]");
    }
    if (elements == VectorElements.FLOAT) {
      float[] read = numbers == null ? VectorElements.floats(vector, dimensions) : numbers;
      checkMagnitude(VectorLength.squared(read), Arrays.toString(cut(read)));
      rows.add(row, floats.size());
      floats.add(read);
    } else {
      byte[] read = given == null ? elements.bytes(vector, vectors.dimensions()) : given;
      if (elements == VectorElements.BYTE) {
        int squared = VectorUtil.dotProduct(read, read);
        if (squared == 0) {
          checkMagnitude(0, vector.toString());
        }
      }
      rows.add(row, bytes.size());
      bytes.add(read);
    }
    lastRow = row;
    return true;
  }

  private static float[] cut(float[] vector) {
    return Arrays.copyOf(vector, Math.min(SHOWN_MAX, vector.length));
  }

  private void checkMagnitude(float squared, String preview) {
    if (!Float.isFinite(squared)) {
      throw Refusal.badArgument(
          "the magnitude of the vector is infinite: its numbers are too large for floats. Preview of"
              + " invalid vector: "
              + preview);
    }
    String fault =
        switch (vectors.similarity()) {
          case COSINE ->
              squared == 0
                  ? "The [cosine] similarity does not support vectors with zero magnitude."
                  : null;
          case DOT_PRODUCT ->
              elements == VectorElements.FLOAT && Math.abs(squared - 1) > UNIT_TOLERANCE
                  ? "The [dot_product] similarity can only be used with unit-length vectors."
                  : null;
          case EUCLIDEAN, MAXIMUM_INNER_PRODUCT -> null;
        };
    if (fault != null && vectors.isIndexed()) {
      throw Refusal.badArgument(fault + " Preview of invalid vector: " + preview);
    }
  }

  @Override
  public void truncate(int row) {
    rows.truncate(row);
    // Places grow with the rows: what was added last goes first.
    List<?> kept = elements == VectorElements.FLOAT ? floats : bytes;
    while (kept.size() > rows.count()) {
      kept.removeLast();
    }
    lastRow = -1;
  }

  @Override
  public void finish(int batchRows, Consumer<Column> columns) {
    if (rows.count() == 0) {
      return;
    }
    if (!vectors.isIndexed()) {
      finishValues(batchRows, columns);
    } else if (elements == VectorElements.FLOAT) {
      columns.accept(new VectorsColumn<>(field, type, rows, floats));
    } else {
      columns.accept(new VectorsColumn<>(field, type, rows, bytes));
    }
  }

  private void finishValues(int batchRows, Consumer<Column> columns) {
    values.clear();
    for (int i = 0; i < rows.count(); i++) {
      byte[] packed = elements == VectorElements.FLOAT ? packed(floats.get(i)) : bytes.get(i);
      values.add(rows.row(i), packed, 0, packed.length);
    }
    columns.accept(new BytesColumn(field, ColumnTypes.binary(), values, batchRows));
  }

  private static byte[] packed(float[] vector) {
    ByteBuffer packed =
        ByteBuffer.allocate(Float.BYTES * vector.length).order(ByteOrder.LITTLE_ENDIAN);
    packed.asFloatBuffer().put(vector);
    return packed.array();
  }

  @Override
  public void clear() {
    rows.clear();
    floats.clear();
    bytes.clear();
    values.clear();
    lastRow = -1;
  }
}
