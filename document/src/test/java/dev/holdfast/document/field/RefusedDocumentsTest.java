package dev.holdfast.document.field;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.document.BatchBuilder.Outcome;
import dev.holdfast.document.MappedTestIndex;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Values that earlier builds took and Elasticsearch refuses: a new document with one is refused, a
/// logged one is indexed again.
final class RefusedDocumentsTest {
  private static MappedTestIndex index(String field, boolean isLenient) throws IOException {
    SortedMap<String, Object> settings = new TreeMap<>();
    if (isLenient) {
      settings.put(FieldContext.LENIENT, "true");
    }
    return new MappedTestIndex("{\"properties\":{\"f\":{" + field + "}}}", settings);
  }

  private static String reason(Outcome outcome) {
    assertThat(outcome).isInstanceOf(Outcome.Refused.class);
    Refusal refusal = ((Outcome.Refused) outcome).refusal();
    return refusal.getCause() instanceof Refusal cause ? cause.reason() : refusal.reason();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      textBlock =
          """
          "type":"binary","doc_values":true ~ "aGk"                 ~ Illegal base64: padding [=] is missing at the end
          "type":"binary","store":true      ~ "aGk"                 ~ Illegal base64: padding [=] is missing at the end
          "type":"binary","doc_values":true ~ 1234                  ~ Current token (VALUE_NUMBER) is no string, can not access as binary
          "type":"binary","doc_values":true ~ true                  ~ Current token (VALUE_TRUE) is no string, can not access as binary
          "type":"ip_range"                 ~ "10.0.0.7"            ~ Expected [ip/prefix] but was [10.0.0.7]
          "type":"geo_point"                ~ "U0vF"                ~ unsupported symbol [U] in geohash [U0vF]
          "type":"geo_point"                ~ ["u0vf","u0vF"]       ~ unsupported symbol [F] in geohash [u0vF]
          "type":"geo_point"                ~ {"geohash":"U0vf"}    ~ unsupported symbol [U] in geohash [U0vf]
          """)
  void newOnesAreRefusedAndLoggedOnesIndexed(String field, String value, String reason)
      throws IOException {
    try (MappedTestIndex index = index(field, false)) {
      assertThat(reason(index.add("{\"f\":" + value + "}"))).startsWith(reason);
    }
    try (MappedTestIndex index = index(field, true)) {
      index.with("{\"f\":" + value + "}", "{}");
      assertThat(index.find(index.type("f").existsQuery("f"))).containsExactly(0);
      assertThat(index.term("_ignored", "\"f\"")).isEmpty();
    }
  }

  @Test
  void binariesThatNobodyReadsAreNotLookedAt() throws IOException {
    try (MappedTestIndex index = index("\"type\":\"binary\"", false)) {
      assertThat(index.add("{\"f\":\"aGk\"}")).isInstanceOf(Outcome.Added.class);
    }
  }
}
