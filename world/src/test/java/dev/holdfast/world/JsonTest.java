package dev.holdfast.world;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/// Names of members.
final class JsonTest {
  private static byte[] bytes(String name) {
    return ("{\"" + name + "\":1}").getBytes(StandardCharsets.UTF_8);
  }

  private static String name(JsonMapper mapper, byte[] text) throws IOException {
    return mapper.readTree(text).fieldNames().next();
  }

  private static String nameOfText(JsonMapper mapper, String text) throws IOException {
    try (JsonParser parser = mapper.createParser(text)) {
      JsonNode read = mapper.readTree(parser);
      return read.fieldNames().next();
    }
  }

  /// An address of 64 KiB becomes the name of a pipeline.
  @Test
  void namesThatNodesWriteAreReadHoweverLongTheyAre() {
    ObjectNode written = Json.object().put("n".repeat(1 << 20), 1);

    assertThat(Json.parse(Json.bytes(written))).isEqualTo(written);
  }

  @Test
  void namesOfRequestsHaveABound() {
    byte[] longest = bytes("n".repeat(Json.NAME_LENGTH_MAX));
    byte[] longer = bytes("n".repeat(Json.NAME_LENGTH_MAX + 10));

    assertThat(Json.parseGiven(longest, 0, longest.length)).hasSize(1);
    assertThatThrownBy(() -> Json.parseGiven(longer, 0, longer.length)).isInstanceOf(Refusal.class);
  }

  /// Else some bodies of long names fill the heap for good.
  @Test
  void onlyNamesOfShortTextsAreRemembered() throws IOException {
    for (JsonMapper mapper : new JsonMapper[] {Json.MAPPER, Json.REQUESTS}) {
      byte[] small = bytes("small");
      byte[] large = bytes("n".repeat(10_000));
      String text = new String(large, StandardCharsets.UTF_8);

      assertThat(name(mapper, small)).isSameAs(name(mapper, small));
      assertThat(name(mapper, large)).isEqualTo(name(mapper, large));
      assertThat(name(mapper, large)).isNotSameAs(name(mapper, large));
      assertThat(nameOfText(mapper, text)).isNotSameAs(nameOfText(mapper, text));
    }
  }

  @Test
  void longTextsMayHaveCommentsAndNoNameTwice() {
    String filler = "x".repeat(10_000);

    assertThat(Json.parse("/* c */{\"a\":\"" + filler + "\"}")).hasSize(1);
    assertThatThrownBy(() -> Json.parse("{\"a\":\"" + filler + "\",\"a\":1}"))
        .isInstanceOf(Refusal.class);
    assertThatThrownBy(() -> Json.parse("{\"a\":\"" + filler + "\"} 1"))
        .isInstanceOf(Refusal.class);
  }
}
