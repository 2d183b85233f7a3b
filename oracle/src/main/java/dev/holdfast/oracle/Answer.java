package dev.holdfast.oracle;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/// What a server answered.
///
/// @param contentType empty when the answer says none
@SuppressWarnings("ArrayRecordComponent")
record Answer(int status, String contentType, byte[] body) {
  static final ObjectMapper JSON =
      new ObjectMapper(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder().maxStringLength(Integer.MAX_VALUE).build())
                  .build())
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .enable(DeserializationFeature.USE_BIG_INTEGER_FOR_INTS)
          .setNodeFactory(JsonNodeFactory.withExactBigDecimals(true));

  /// The body as JSON; missing when it is none.
  JsonNode json() {
    if (!contentType.toLowerCase(Locale.ROOT).contains("json") || body.length == 0) {
      return MissingNode.getInstance();
    }
    try {
      return JSON.readTree(body);
    } catch (IOException notJson) {
      return MissingNode.getInstance();
    }
  }

  boolean isError() {
    return status >= 400;
  }

  /// `error.type`; the error itself when it is a text; empty when there is none.
  static String errorType(JsonNode json) {
    JsonNode error = json.path("error");
    return error.isTextual() ? "(text)" : error.path("type").asText("");
  }

  String text() {
    return new String(body, StandardCharsets.UTF_8);
  }
}
