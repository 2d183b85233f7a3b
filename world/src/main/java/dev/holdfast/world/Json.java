package dev.holdfast.world;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.StreamWriteConstraints;
import com.fasterxml.jackson.core.io.JsonEOFException;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;

/// JSON for everything outside the ingest path: one mapper with limits, strict about duplicates and
/// trailing bytes.
public final class Json {
  /// The deepest nesting accepted in any request.
  public static final int DEPTH_MAX = 500;

  public static final JsonMapper MAPPER =
      JsonMapper.builder(
              com.fasterxml.jackson.core.JsonFactory.builder()
                  .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                  .streamReadConstraints(
                      StreamReadConstraints.builder()
                          .maxNestingDepth(DEPTH_MAX)
                          .maxStringLength(512 << 20)
                          .build())
                  .streamWriteConstraints(
                      StreamWriteConstraints.builder().maxNestingDepth(2 * DEPTH_MAX).build())
                  .disable(com.fasterxml.jackson.core.JsonFactory.Feature.INTERN_FIELD_NAMES)
                  .build())
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(JsonReadFeature.ALLOW_LEADING_DECIMAL_POINT_FOR_NUMBERS.mappedFeature())
          .disable(JsonParser.Feature.AUTO_CLOSE_SOURCE)
          .build();

  private Json() {}

  public static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }

  /// Parses one JSON value.
  ///
  /// @throws Refusal `parsing_exception`-like `x_content_parse_exception` (400) with line and
  ///   column
  public static JsonNode parse(byte[] bytes, int offset, int length) {
    try {
      return MAPPER.readTree(bytes, offset, length);
    } catch (JsonProcessingException e) {
      throw malformed(e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static JsonNode parse(byte[] bytes) {
    return parse(bytes, 0, bytes.length);
  }

  public static JsonNode parse(String text) {
    return parse(text.getBytes(java.nio.charset.StandardCharsets.UTF_8));
  }

  /// Parses one JSON object; anything else is refused.
  public static ObjectNode parseObject(byte[] bytes, int offset, int length) {
    if (parse(bytes, offset, length) instanceof ObjectNode object) {
      return object;
    }
    throw new Refusal(ErrorType.PARSING, "expected a JSON object");
  }

  public static ObjectNode parseObject(String text) {
    byte[] bytes = text.getBytes(java.nio.charset.StandardCharsets.UTF_8);
    return parseObject(bytes, 0, bytes.length);
  }

  public static byte[] bytes(JsonNode node) {
    try {
      return MAPPER.writeValueAsBytes(node);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Refusal malformed(JsonProcessingException e) {
    Refusal cause = new Refusal(ErrorType.JSON_PARSE, message(e));
    Refusal refusal = new Refusal(ErrorType.X_CONTENT_PARSE, position(e) + message(e), cause);
    if (e.getLocation() != null) {
      refusal.with("line", e.getLocation().getLineNr()).with("col", e.getLocation().getColumnNr());
    }
    return refusal;
  }

  /// What is wrong with a text that is not JSON, in words about the text.
  public static String message(JsonProcessingException e) {
    return e instanceof JsonEOFException
        ? "Unexpected end of file: an object, array or string is not closed"
        : e.getOriginalMessage();
  }

  private static String position(JsonProcessingException e) {
    return e.getLocation() == null
        ? ""
        : "[" + e.getLocation().getLineNr() + ":" + e.getLocation().getColumnNr() + "] ";
  }
}
