package dev.holdfast.world;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.StreamWriteConstraints;
import com.fasterxml.jackson.core.io.JsonEOFException;
import com.fasterxml.jackson.core.io.JsonStringEncoder;
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
/// outside, and has names of any length, since those of an address or of several objects become one
/// there: all that is written can be read again.
public final class Json {
  /// The deepest nesting accepted in any request.
  public static final int DEPTH_MAX = 500;

  /// The deepest nesting in what nodes write themselves.
  static final int OWN_DEPTH_MAX = 2 * DEPTH_MAX;

  /// The longest name of a member accepted in any request, in characters.
  static final int NAME_LENGTH_MAX = 50_000;

  /// For what nodes have written, and for writing.
  public static final JsonMapper MAPPER = mapper(OWN_DEPTH_MAX, Integer.MAX_VALUE);

  /// For what comes from outside.
  public static final JsonMapper REQUESTS = mapper(DEPTH_MAX, NAME_LENGTH_MAX);

  private static JsonMapper mapper(int depthMax, int nameLengthMax) {
    JsonFactoryBuilder factory =
        new JsonFactoryBuilder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(StreamReadFeature.USE_FAST_DOUBLE_PARSER)
            .disable(StreamReadFeature.AUTO_CLOSE_SOURCE)
            .enable(JsonReadFeature.ALLOW_JAVA_COMMENTS)
            .streamReadConstraints(
                StreamReadConstraints.builder()
                    .maxNestingDepth(depthMax)
                    .maxNameLength(nameLengthMax)
                    .maxStringLength(512 << 20)
                    .build())
            .streamWriteConstraints(
                StreamWriteConstraints.builder().maxNestingDepth(OWN_DEPTH_MAX).build())
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES);
    return JsonMapper.builder(new NamesOfShortTexts(factory))
        .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
        .nodeFactory(new MemberLocation.SmallObjects())
        .build();
  }

  /// Parsers that remember the names of members from text to text, so that those that come again
  /// are not made again. What they remember is never given back while there are a few thousand, and
  /// copied by each text with a new one: only short texts, whose names are short, share it.
  private static final class NamesOfShortTexts extends JsonFactory {
    private static final long serialVersionUID = 1;

    /// Bytes or characters of a short text.
    private static final int LENGTH_MAX = 4 << 10;

    NamesOfShortTexts(JsonFactoryBuilder settings) {
      super(settings);
    }

    private NamesOfShortTexts(JsonFactory from) {
      super(from, null);
    }

    @Override
    public JsonFactory copy() {
      return new NamesOfShortTexts(this);
    }

    @Override
    public JsonParser createParser(byte[] text) throws IOException {
      return createParser(text, 0, text.length);
    }

    @Override
    public JsonParser createParser(byte[] text, int offset, int length) throws IOException {
      return length <= LENGTH_MAX
          ? super.createParser(text, offset, length)
          : new OfOneText(this).createParser(text, offset, length);
    }

    @Override
    public JsonParser createParser(String text) throws IOException {
      return text.length() <= LENGTH_MAX
          ? super.createParser(text)
          : new OfOneText(this).createParser(text);
    }
  }

  /// The same, whose names nobody sees again.
  private static final class OfOneText extends JsonFactory {
    private static final long serialVersionUID = 1;

    OfOneText(JsonFactory from) {
      super(from, from.getCodec());
    }
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

  /// A text as it stands between the quotes of a text of JSON.
  public static String escaped(String text) {
    return new String(JsonStringEncoder.getInstance().quoteAsString(text));
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
