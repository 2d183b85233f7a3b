package dev.holdfast.document.field.vector;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.document.PackedFloats;
import dev.holdfast.world.Refusal;
import java.util.Locale;
import org.apache.lucene.index.VectorEncoding;

/// What the elements of a `dense_vector` are.
enum VectorElements {
  FLOAT(VectorEncoding.FLOAT32),
  BYTE(VectorEncoding.BYTE),
  /// Eight a byte.
  BIT(VectorEncoding.BYTE);

  final VectorEncoding encoding;

  VectorElements(VectorEncoding encoding) {
    this.encoding = encoding;
  }

  String shown() {
    return name().toLowerCase(Locale.ROOT);
  }

  /// Bytes or floats of a vector of so many dimensions.
  int length(int dimensions) {
    return this == BIT ? dimensions / Byte.SIZE : dimensions;
  }

  /// Dimensions of a vector as clients give it.
  int dimensions(JsonNode vector) {
    if (!vector.isTextual()) {
      return dimensions(vector.size());
    }
    return this == FLOAT
        ? PackedFloats.read(vector.asText(), 0).length
        : dimensions(bytes(vector, 0));
  }

  /// Dimensions of a vector as it is kept.
  int dimensions(byte[] vector) {
    return dimensions(vector.length);
  }

  private int dimensions(int length) {
    return this == BIT ? length * Byte.SIZE : length;
  }

  /// @param dimensions of the field, for numbers that are packed in a text
  static float[] floats(JsonNode vector, int dimensions) {
    float[] floats =
        vector.isTextual()
            ? PackedFloats.read(vector.asText(), dimensions)
            : new float[vector.size()];
    for (int i = 0; i < floats.length; i++) {
      if (!vector.isTextual()) {
        JsonNode element = vector.get(i);
        if (!element.isNumber()) {
          throw Refusal.badArgument("dense_vector element is no number: [" + element + "]");
        }
        floats[i] = element.floatValue();
      }
      if (!Float.isFinite(floats[i])) {
        throw Refusal.badArgument(
            "element_type [float] vectors only support finite values but found ["
                + floats[i]
                + "] at dim ["
                + i
                + "]");
      }
    }
    return floats;
  }

  /// @param dimensions of the field, 0 when it does not know them yet
  byte[] bytes(JsonNode vector, int dimensions) {
    if (vector.isTextual()) {
      return PackedVector.bytes(vector.asText(), length(dimensions));
    }
    byte[] bytes = new byte[vector.size()];
    for (int i = 0; i < bytes.length; i++) {
      JsonNode element = vector.get(i);
      double number = element.doubleValue();
      if (number != Math.rint(number)) {
        throw fault("non-decimal values but found decimal value", element, i);
      }
      if (!element.isNumber() || number < Byte.MIN_VALUE || number > Byte.MAX_VALUE) {
        throw fault("integers between [-128, 127] but found", element, i);
      }
      bytes[i] = (byte) number;
    }
    return bytes;
  }

  private Refusal fault(String rule, JsonNode element, int dimension) {
    return Refusal.badArgument(
        "element_type ["
            + shown()
            + "] vectors only support "
            + rule
            + " ["
            + element.asText()
            + "] at dim ["
            + dimension
            + "];");
  }
}
