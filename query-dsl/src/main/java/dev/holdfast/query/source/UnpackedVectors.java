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

  /// The same array when there are none, which is found out without writing anything: most
  /// documents have their vectors as numbers, hundreds of them.
  static byte[] of(byte[] source, Map<String, PackedVector> vectors) throws IOException {
    return hasAny(source, vectors) ? rewritten(source, vectors) : source;
  }

  private static boolean hasAny(byte[] source, Map<String, PackedVector> vectors)
      throws IOException {
    try (JsonParser parser = Json.MAPPER.createParser(source)) {
      for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
        if (token == JsonToken.VALUE_STRING && numbers(parser, vectors) != null) {
          return true;
        }
      }
    }
    return false;
  }

  private static byte[] rewritten(byte[] source, Map<String, PackedVector> vectors)
      throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(source.length);
    try (JsonParser parser = Json.MAPPER.createParser(source);
        JsonGenerator out = Json.MAPPER.createGenerator(bytes)) {
      for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
        ArrayNode numbers = token == JsonToken.VALUE_STRING ? numbers(parser, vectors) : null;
        if (numbers == null) {
          out.copyCurrentEventExact(parser);
        } else {
          out.writeTree(numbers);
        }
      }
    }
    return bytes.toByteArray();
  }

  private static @Nullable ArrayNode numbers(JsonParser parser, Map<String, PackedVector> vectors)
      throws IOException {
    for (Map.Entry<String, PackedVector> vector : vectors.entrySet()) {
      if (isAt(parser.getParsingContext(), vector.getKey())) {
        return vector.getValue().numbers(parser.getText());
      }
    }
    return null;
  }

  /// Whether a value is a member of that path. Asked for each text of a source, so nothing is made.
  private static boolean isAt(JsonStreamContext place, String path) {
    int end = place.inObject() ? path.length() : -1;
    for (JsonStreamContext at = place; at != null; at = at.getParent()) {
      if (at.inObject()) {
        String name = at.getCurrentName();
        int start = end - name.length();
        if (start < 0
            || !path.startsWith(name, start)
            || (start > 0 && path.charAt(start - 1) != '.')) {
          return false;
        }
        end = start - 1;
      }
    }
    return end < 0;
  }
}
