package dev.holdfast.api.search.template;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.http.RequestMemory;
import dev.holdfast.world.CircuitBreaker;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Templates of a few bytes that want all memory or time there is.
class MustacheTextTest {
  private static final String EIGHT = "{\"a\":[1,2,3,4,5,6,7,8]}";

  private static JsonNode params(String json) throws Exception {
    return Json.parseObject(json);
  }

  private static String nested(int times, String inner) {
    return "{{#a}}".repeat(times) + inner + "{{/a}}".repeat(times);
  }

  @Test
  void aTextThatGrowsAsksForMemory() throws Exception {
    JsonNode params = params(EIGHT);
    String template = nested(7, "x");
    CircuitBreaker little = new CircuitBreaker("request", 1 << 20);
    CircuitBreaker much = new CircuitBreaker("request", 64 << 20);

    Refusal refusal =
        catchThrowableOfType(
            Refusal.class,
            () ->
                RequestMemory.during(little, "<test>", () -> MustacheText.fill(template, params)));

    assertThat(refusal.type()).isEqualTo(ErrorType.CIRCUIT_BREAKING);
    assertThat(
            RequestMemory.<String, RuntimeException>during(
                much, "<test>", () -> MustacheText.fill(template, params)))
        .hasSize(1 << 21);
    assertThat(much.bytes()).isZero();
  }

  @Test
  void aTextThatIsTooLongIsRefusedWhileItGrows() throws Exception {
    JsonNode params = params(EIGHT);

    Refusal refusal =
        catchThrowableOfType(
            Refusal.class, () -> MustacheText.fill(nested(7, "0123456789"), params));

    assertThat(refusal.status()).isEqualTo(400);
    assertThat(refusal.reason()).contains("longer than [16777216] characters");
  }

  /// For each of which it calls itself.
  @Test
  void sectionsNestToADepth() throws Exception {
    JsonNode params = params("{\"a\":{\"b\":\"x\"}}");
    assertThat(MustacheText.fill(nested(99, "{{b}}") + nested(99, ""), params)).isEqualTo("x");

    for (String template :
        List.of(nested(100_000, ""), "{{^a}}".repeat(100), "{{=< >=}}" + "<#a>".repeat(100_000))) {
      Refusal refusal =
          catchThrowableOfType(Refusal.class, () -> MustacheText.fill(template, params));
      assertThat(refusal.status()).isEqualTo(400);
      assertThat(refusal.reason()).contains("nest deeper than [99]");
    }
  }

  /// Which Mustache would read from this machine.
  @Test
  void thereAreNoPartials(@TempDir Path folder) throws Exception {
    Path secret = Files.writeString(folder.resolve("secret.mustache"), "the secret");
    for (String name :
        List.of(secret.toString(), "pom.xml", "secret", "META-INF/MANIFEST.MF", "*name")) {
      for (String template : List.of("{{>" + name + "}}", "{{<" + name + "}}{{/" + name + "}}")) {
        Refusal refusal =
            catchThrowableOfType(
                Refusal.class, () -> MustacheText.fill(template, params("{\"name\":\"pom.xml\"}")));
        assertThat(refusal).as(template).isNotNull();
        assertThat(refusal.status()).isEqualTo(400);
      }
    }
  }

  @Test
  void roundsThatWriteNothingEnd() throws Exception {
    JsonNode params = params(EIGHT);

    Refusal refusal =
        catchThrowableOfType(Refusal.class, () -> MustacheText.fill(nested(30, ""), params));

    assertThat(refusal.status()).isEqualTo(400);
    assertThat(refusal.reason()).contains("goes through more than [10000000] elements");
  }
}
