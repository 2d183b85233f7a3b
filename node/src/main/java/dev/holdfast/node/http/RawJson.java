package dev.holdfast.node.http;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.SerializableString;
import dev.holdfast.world.Json;
import java.io.IOException;

/// Raw JSON text replayed as events, for generators that cannot take it as it is.
final class RawJson {
  private RawJson() {}

  static void copy(String json, JsonGenerator to) throws IOException {
    try (JsonParser parser = Json.MAPPER.createParser(json)) {
      copy(parser, to);
    }
  }

  static void copy(SerializableString json, JsonGenerator to) throws IOException {
    try (JsonParser parser = Json.MAPPER.createParser(json.asUnquotedUTF8())) {
      copy(parser, to);
    }
  }

  /// Events one by one and numbers as they were written, so that filters see every name and no
  /// digit is lost.
  private static void copy(JsonParser parser, JsonGenerator to) throws IOException {
    for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
      to.copyCurrentEventExact(parser);
    }
  }
}
