package dev.holdfast.query.source;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonStreamContext;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.holdfast.document.field.vector.PackedVector;
import dev.holdfast.world.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The source of a document with numbers in the place of vectors that it has as texts.
final class UnpackedVectors {
  private UnpackedVectors() {}

  /// In one pass over the bytes; the same array when there are none.
  static byte[] of(byte[] source, Map<String, PackedVector> vectors) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(source.length);
    boolean isChanged = false;
    try (JsonParser parser = Json.MAPPER.createParser(source);
        JsonGenerator out = Json.MAPPER.createGenerator(bytes)) {
      for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
        ArrayNode numbers =
            token == JsonToken.VALUE_STRING
                ? numbers(parser.getText(), parser.getParsingContext(), vectors)
                : null;
        if (numbers == null) {
          out.copyCurrentEventExact(parser);
        } else {
          isChanged = true;
          out.writeTree(numbers);
        }
      }
    }
    return isChanged ? bytes.toByteArray() : source;
  }

  private static @Nullable ArrayNode numbers(
      String text, JsonStreamContext place, Map<String, PackedVector> vectors) {
    PackedVector vector = vectors.get(path(place));
    return vector == null ? null : vector.numbers(text);
  }

  /// Names of the objects around a value and its own, with dots between.
  private static String path(JsonStreamContext place) {
    StringBuilder path = new StringBuilder();
    for (JsonStreamContext at = place; at != null; at = at.getParent()) {
      String name = at.getCurrentName();
      if (at.inObject() && name != null) {
        path.insert(0, path.isEmpty() ? name : name + ".");
      }
    }
    return path.toString();
  }
}
