package dev.holdfast.oracle;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamWriteConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/// What a server answered.
///
/// @param contentType empty when the answer says none
@SuppressWarnings("ArrayRecordComponent")
record OracleAnswer(int status, String contentType, byte[] body) {
  /// Deeper than anything that a fuzzer nests.
  private static final int DEPTH_MAX = 20_000;

  static final ObjectMapper JSON =
      new ObjectMapper(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder()
                          .maxStringLength(Integer.MAX_VALUE)
                          .maxNestingDepth(DEPTH_MAX)
                          .build())
                  .streamWriteConstraints(
                      StreamWriteConstraints.builder().maxNestingDepth(DEPTH_MAX).build())
                  .build())
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .enable(DeserializationFeature.USE_BIG_INTEGER_FOR_INTS)
          .configure(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES, false);

  /// What a server answers; status 0 when nothing came in time, or no HTTP.
  static OracleAnswer of(Server server, OracleRequest request) {
    try {
      return server.send(request);
    } catch (IOException noAnswer) {
      return new OracleAnswer(0, "", noAnswer.toString().getBytes(StandardCharsets.UTF_8));
    }
  }

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
