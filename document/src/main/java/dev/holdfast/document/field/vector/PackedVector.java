package dev.holdfast.document.field.vector;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.holdfast.document.FieldType;
import dev.holdfast.document.PackedFloats;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// A vector that a document has as one text, as its numbers, which are what clients are shown.
///
/// @param dimensions of the field, as clients count them; 0 before the first
public record PackedVector(VectorElements elements, int dimensions) {
  public static PackedVector of(FieldType.Vectors vectors) {
    return new PackedVector(elements(vectors.elements()), vectors.dimensions());
  }

  /// @param field a `dense_vector` of a mapping
  public static PackedVector of(JsonNode field) {
    return new PackedVector(
        elements(field.path("element_type").asText("float")), field.path("dims").asInt(0));
  }

  private static VectorElements elements(String name) {
    return VectorElements.valueOf(name.toUpperCase(Locale.ROOT));
  }

  /// The numbers of a text; null for one that is no such vector.
  public @Nullable ArrayNode numbers(String text) {
    ArrayNode numbers = Json.MAPPER.createArrayNode();
    try {
      if (elements == VectorElements.FLOAT) {
        for (float number : PackedFloats.read(text, dimensions)) {
          numbers.add(number);
        }
      } else {
        for (byte number : bytes(text, elements.length(dimensions))) {
          numbers.add(number);
        }
      }
    } catch (Refusal e) {
      return null;
    }
    return numbers;
  }

  /// The bytes of a text: two hexadecimal digits each, or Base64. A text that could be either is
  /// what has the length of the field.
  ///
  /// @param length 0 when it is not known
  /// @throws Refusal `illegal_argument_exception` when it is neither
  static byte[] bytes(String text, int length) {
    byte[] hexadecimal;
    try {
      hexadecimal = HexFormat.of().parseHex(text);
    } catch (IllegalArgumentException notHexadecimal) {
      byte[] decoded = decoded(text);
      if (decoded == null) {
        throw Refusal.badArgument("failed to parse field: [" + notHexadecimal.getMessage() + "]");
      }
      return decoded;
    }
    if (length == 0 || hexadecimal.length == length) {
      return hexadecimal;
    }
    byte[] decoded = decoded(text);
    return decoded != null && decoded.length == length ? decoded : hexadecimal;
  }

  private static byte @Nullable [] decoded(String text) {
    try {
      return Base64.getDecoder().decode(text);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }
}
