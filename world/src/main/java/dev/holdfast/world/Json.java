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
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;

/// JSON for everything outside the ingest path: mappers with limits, strict about duplicates and
/// trailing bytes.
///
/// What a request holds lies deeper in what the cluster writes of it: a pipeline in a state, a
/// search in a call. So what nodes write themselves may be twice as deep as what comes from
/// outside, and all that is written can be read again.
public final class Json {
  /// The deepest nesting accepted in any request.
  public static final int DEPTH_MAX = 500;

  /// The deepest nesting in what nodes write themselves.
  static final int OWN_DEPTH_MAX = 2 * DEPTH_MAX;

  /// For what nodes have written, and for writing.
  public static final JsonMapper MAPPER = mapper(OWN_DEPTH_MAX);

  /// For what comes from outside.
  public static final JsonMapper REQUESTS = mapper(DEPTH_MAX);

  private static JsonMapper mapper(int depthMax) {
    return JsonMapper.builder(
            com.fasterxml.jackson.core.JsonFactory.builder()
                .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .streamReadConstraints(
                    StreamReadConstraints.builder()
                        .maxNestingDepth(depthMax)
                        .maxStringLength(512 << 20)
                        .build())
                .streamWriteConstraints(
                    StreamWriteConstraints.builder().maxNestingDepth(OWN_DEPTH_MAX).build())
                .disable(com.fasterxml.jackson.core.JsonFactory.Feature.INTERN_FIELD_NAMES)
                .build())
        .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
        .enable(JsonReadFeature.ALLOW_JAVA_COMMENTS.mappedFeature())
        .disable(JsonParser.Feature.AUTO_CLOSE_SOURCE)
        .build();
  }

  private Json() {}

  public static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }

  /// Parses one JSON value that a node has written.
  ///
  /// @throws Refusal `x_content_parse_exception` or `x_content_e_o_f_exception` (400) that begins
  ///   with line and column
  public static JsonNode parse(byte[] bytes, int offset, int length) {
    return parse(MAPPER, bytes, offset, length);
  }

  /// Parses one JSON value that comes from outside.
  ///
  /// @throws Refusal as [#parse]
  public static JsonNode parseGiven(byte[] bytes, int offset, int length) {
    return parse(REQUESTS, bytes, offset, length);
  }

  private static JsonNode parse(JsonMapper mapper, byte[] bytes, int offset, int length) {
    try {
      return mapper.readTree(bytes, offset, length);
    } catch (JsonProcessingException e) {
      throw malformed(e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Parses the object of a request: errors can say where in it they are, see [MemberLocation].
  ///
  /// @throws Refusal when it is malformed or no object
  public static ObjectNode parseRequest(byte[] bytes, int offset, int length) {
    JsonNode parsed;
    try {
      parsed = MemberLocation.parse(bytes, offset, length);
    } catch (JsonProcessingException e) {
      throw malformed(e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    if (parsed instanceof ObjectNode object) {
      return object;
    }
    throw new Refusal(
            ErrorType.PARSING, "Expected [START_OBJECT] but found [" + token(parsed) + "]")
        .with("line", 1)
        .with("col", 1);
  }

  private static String token(JsonNode node) {
    return switch (node.getNodeType()) {
      case ARRAY -> "START_ARRAY";
      case OBJECT, POJO -> "START_OBJECT";
      case MISSING -> "null";
      default -> "VALUE_" + node.getNodeType();
    };
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

  /// The refusal of a text that is not JSON.
  public static Refusal malformed(JsonProcessingException e) {
    boolean isCutOff = e instanceof JsonEOFException;
    Refusal cause =
        new Refusal(
            isCutOff ? ErrorType.JSON_EOF : ErrorType.JSON_PARSE,
            isCutOff ? e.getOriginalMessage() : message(e));
    return new Refusal(
        isCutOff ? ErrorType.X_CONTENT_EOF : ErrorType.X_CONTENT_PARSE,
        position(e) + message(e),
        cause);
  }

  /// What is wrong with a text that is not JSON, in words about the text.
  public static String message(JsonProcessingException e) {
    return switch (e) {
      case JsonEOFException _ -> "Unexpected end of file: an object, array or string is not closed";
      case MismatchedInputException _ -> "there is more after the end of the JSON value";
      default -> e.getOriginalMessage();
    };
  }

  private static String position(JsonProcessingException e) {
    return e.getLocation() == null
        ? ""
        : "[" + e.getLocation().getLineNr() + ":" + e.getLocation().getColumnNr() + "] ";
  }
}
