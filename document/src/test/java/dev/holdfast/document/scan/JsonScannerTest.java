package dev.holdfast.document.scan;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.holdfast.world.Json;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class JsonScannerTest {
  private static final JsonMapper JACKSON =
      JsonMapper.builder(
              JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build())
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private final JsonScanner scanner = new JsonScanner();
  private final NameSet names = new NameSet();
  private long objects;

  /// The tree that the scanner walks, or null when it refuses.
  private @Nullable JsonNode scan(byte[] bytes) {
    // Odd offsets and bytes behind the end must not matter.
    byte[] padded = new byte[bytes.length + 12];
    Arrays.fill(padded, (byte) '"');
    System.arraycopy(bytes, 0, padded, 3, bytes.length);
    scanner.open(padded, 3, bytes.length);
    names.clear();
    try {
      JsonNode tree = value();
      scanner.finish();
      return tree;
    } catch (MalformedJson e) {
      assertThat(e.line()).isPositive();
      assertThat(e.column()).isPositive();
      return null;
    }
  }

  private JsonNode value() {
    return switch (scanner.next()) {
      case NULL -> NullNode.instance;
      case TRUE -> BooleanNode.TRUE;
      case FALSE -> BooleanNode.FALSE;
      case STRING -> TextNode.valueOf(scanner.text());
      case NUMBER ->
          scanner.isLong()
              ? LongNode.valueOf(scanner.longValue())
              : DoubleNode.valueOf(scanner.doubleValue());
      case ARRAY -> {
        ArrayNode array = Json.MAPPER.createArrayNode();
        for (boolean isFirst = true; scanner.nextElement(isFirst); isFirst = false) {
          array.add(value());
        }
        yield array;
      }
      case OBJECT -> {
        ObjectNode object = Json.object();
        long self = ++objects;
        for (boolean isFirst = true; scanner.nextMember(isFirst); isFirst = false) {
          if (!names.add(self, scanner.name(), scanner.nameOffset(), scanner.nameLength())) {
            throw scanner.duplicate(scanner.nameText());
          }
          String name = scanner.nameText();
          object.set(name, value());
        }
        yield object;
      }
    };
  }

  /// Jackson's tree with numbers as ours: longs or doubles; null when it refuses.
  private static @Nullable JsonNode jackson(byte[] bytes) {
    try {
      JsonNode tree = JACKSON.readTree(bytes);
      return tree.isMissingNode() ? null : plain(tree);
    } catch (IOException e) {
      return null;
    }
  }

  private static JsonNode plain(JsonNode node) {
    if (node.isIntegralNumber() && node.canConvertToLong()) {
      return LongNode.valueOf(node.longValue());
    }
    if (node.isNumber()) {
      return DoubleNode.valueOf(node.doubleValue());
    }
    if (node.isTextual()) {
      // A lone surrogate has no UTF-8.
      return TextNode.valueOf(new BytesRef(node.textValue()).utf8ToString());
    }
    if (node.isArray()) {
      ArrayNode array = Json.MAPPER.createArrayNode();
      node.forEach(e -> array.add(plain(e)));
      return array;
    }
    if (node.isObject()) {
      ObjectNode object = Json.object();
      node.properties().forEach(p -> object.set(p.getKey(), plain(p.getValue())));
      return object;
    }
    return node;
  }

  private static boolean isUtf8(byte[] bytes) {
    try {
      StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
      return true;
    } catch (CharacterCodingException e) {
      return false;
    }
  }

  private void checkLikeJackson(byte[] bytes, String origin) {
    JsonNode ours = scan(bytes);
    JsonNode theirs = isUtf8(bytes) ? jackson(bytes) : null;
    assertThat(ours)
        .as("%s: %s", origin, new String(bytes, StandardCharsets.ISO_8859_1))
        .isEqualTo(theirs);
  }

  @Test
  void readsRandomJsonAsJacksonDoes() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    for (int i = 0; i < 3000; i++) {
      StringBuilder json = new StringBuilder();
      RandomJson.value(random, json, 0);
      byte[] bytes = json.toString().getBytes(StandardCharsets.UTF_8);
      checkLikeJackson(bytes, "seed " + seed);
    }
  }

  @Test
  void refusesMutatedJsonAsJacksonDoes() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    for (int i = 0; i < 20_000; i++) {
      StringBuilder json = new StringBuilder();
      RandomJson.value(random, json, 0);
      byte[] bytes = json.toString().getBytes(StandardCharsets.UTF_8);
      checkLikeJackson(RandomJson.mutate(random, bytes), "seed " + seed);
    }
  }

  @Test
  void readsNumbersCorrectlyRounded() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    for (int i = 0; i < 20_000; i++) {
      double number = Double.longBitsToDouble(random.nextLong());
      if (Double.isFinite(number)) {
        checkLikeJackson(Double.toString(number).getBytes(StandardCharsets.UTF_8), "seed " + seed);
      }
      String decimal =
          random.nextInt(1_000_000)
              + "."
              + Long.toString(random.nextLong() >>> 20)
              + "e"
              + (random.nextInt(60) - 30);
      checkLikeJackson(decimal.getBytes(StandardCharsets.UTF_8), "seed " + seed);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "0",
        "-0",
        "-",
        "01",
        "1.",
        ".5",
        "1e",
        "1e+",
        "1E5",
        "-1.5e-3",
        "+1",
        "NaN",
        "9223372036854775807",
        "9223372036854775808",
        "-9223372036854775808",
        "-9223372036854775809",
        "123456789012345678",
        "1234567890123456789",
        "12345678901234567890",
        "000",
        "0.000000000000000000000000000001",
        "1e400",
        "1e-400",
        "nul",
        "nulL",
        "truee",
        "true",
        "tru",
        "\"",
        "\"a",
        "\"\\",
        "\"\\x\"",
        "\"\\u12\"",
        "\"\\u00e9\"",
        "\"\\ud83d\\ude00\"",
        "\"\\ud83d\"",
        "\"\\ud83dx\"",
        "\"\\ude00\"",
        "\"\\ud83d\\u0041\"",
        "\"\\ud83d\\ud83d\\ude00\"",
        "\"a\tb\"",
        "\"a\u007fb\"",
        "[",
        "[1",
        "[1,",
        "[1,]",
        "[,1]",
        "[1 2]",
        "{",
        "{\"a\"",
        "{\"a\":",
        "{\"a\":1",
        "{\"a\":1,",
        "{\"a\":1,}",
        "{a:1}",
        "{\"a\" : 1 , \"b\":[ ] }",
        "{\"a\":1 \"b\":2}",
        "{\"a\":1,\"a\":2}",
        "{\"a\":{\"a\":1},\"b\":{\"a\":1}}",
        "{\"\\u0061\":1,\"a\":2}",
        "1 1",
        "[] x",
        "{}}",
        "\"日本語のとても長い文字列です\"",
        "\"naïve 🦀 \\n text\"",
        "/**/1",
        "'a'",
        "\u00a01"
      })
  void treatsEdgesAsJacksonDoes(String json) {
    checkLikeJackson(json.getBytes(StandardCharsets.UTF_8), "edge");
  }

  @Test
  void refusesMalformedUtf8() {
    int[][] sequences = {
      {0x80},
      {0xC0, 0x80},
      {0xC1, 0xBF},
      {0xE0, 0x80, 0x80},
      {0xED, 0xA0, 0x80},
      {0xF0, 0x80, 0x80, 0x80},
      {0xF4, 0x90, 0x80, 0x80},
      {0xF8, 0x88, 0x80, 0x80, 0x80},
      {0xE2, 0x82},
      {0xFF}
    };
    for (int[] sequence : sequences) {
      byte[] bytes = new byte[sequence.length + 4];
      bytes[0] = '"';
      bytes[1] = 'a';
      for (int i = 0; i < sequence.length; i++) {
        bytes[i + 2] = (byte) sequence[i];
      }
      bytes[bytes.length - 2] = 'z';
      bytes[bytes.length - 1] = '"';
      assertThat(scan(bytes)).as("%x", sequence[0]).isNull();
    }
  }

  @Test
  void refusesDeepNesting() {
    String deep = "[".repeat(Json.DEPTH_MAX) + "]".repeat(Json.DEPTH_MAX);
    assertThat(scan(deep.getBytes(StandardCharsets.UTF_8))).isNotNull();
    assertThat(scan(("[" + deep + "]").getBytes(StandardCharsets.UTF_8))).isNull();
  }

  /// Else there are documents that nobody can show or change.
  @ParameterizedTest
  @ValueSource(strings = {"%s", "-%s", "%s.5", "-%s.5e7", "%se-11", "[{\"a\":%s}]"})
  void refusesNumbersThatNoTreeCanHold(String form) {
    for (int digits : new int[] {900, 998, 999, 1_000, 1_001, 20_000}) {
      String json = form.formatted("7".repeat(digits));

      checkLikeJackson(json.getBytes(StandardCharsets.UTF_8), digits + " digits");
    }
    assertThat(scan(form.formatted("7".repeat(990)).getBytes(StandardCharsets.UTF_8))).isNotNull();
    assertThat(scan(form.formatted("7".repeat(1_001)).getBytes(StandardCharsets.UTF_8))).isNull();
  }

  @Test
  void acceptsAForeseenNameOnlyWhenItIsThere() {
    byte[] json = "{\"ab\":1,\"abc\":2}".getBytes(StandardCharsets.UTF_8);
    scanner.open(json, 0, json.length);
    assertThat(scanner.next()).isEqualTo(Token.OBJECT);
    assertThat(scanner.toMember(true)).isTrue();
    assertThat(scanner.acceptName("\"abc\":".getBytes(StandardCharsets.UTF_8))).isFalse();
    assertThat(scanner.acceptName("\"ab\":".getBytes(StandardCharsets.UTF_8))).isTrue();
    assertThat(scanner.nameText()).isEqualTo("ab");
    assertThat(scanner.next()).isEqualTo(Token.NUMBER);
    assertThat(scanner.toMember(false)).isTrue();
    assertThat(scanner.acceptName("\"ab\":".getBytes(StandardCharsets.UTF_8))).isFalse();
    scanner.readName();
    assertThat(scanner.nameText()).isEqualTo("abc");
  }
}
