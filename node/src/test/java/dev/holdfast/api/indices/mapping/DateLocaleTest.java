package dev.holdfast.api.indices.mapping;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.RunningNode;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The `locale` of dates: the language in which their format names months and days.
final class DateLocaleTest {
  @RegisterExtension static final RunningNode node = RunningNode.alone();

  @BeforeAll
  static void writes() throws Exception {
    JsonNode _ =
        node.ok(
            "PUT",
            "/dates",
            """
            {"mappings": {"runtime": {"r": {"type": "date", "format": "MMMM uuuu", "locale": "fr",
                "script": "emit(doc['d'].value.toInstant().toEpochMilli())"}},
              "properties": {"d": {"type": "date", "format": "d. MMMM uuuu", "locale": "de_DE"},
                "e": {"type": "date_range", "format": "d. MMMM uuuu", "locale": "de"}}}}
            """);
    JsonNode _ =
        node.ok(
            "PUT",
            "/dates/_doc/1?refresh",
            """
            {"d": "5. Mai 2020", "e": {"gte": "1. Mai 2020", "lt": "1. Oktober 2020"}}
            """);
  }

  private static JsonNode search(String body) throws Exception {
    return node.ok("POST", "/dates/_search", body);
  }

  @Test
  void isThatOfWhatIsReadAndShown() throws Exception {
    JsonNode found =
        search(
            """
            {"query": {"bool": {"filter": [{"range": {"d": {"gte": "1. März 2020"}}},
                {"term": {"e": "30. September 2020"}}]}},
             "docvalue_fields": ["d", "r"],
             "aggs": {"m": {"date_histogram": {"field": "d", "calendar_interval": "month"}}}}
            """);

    JsonNode named =
        search("{\"docvalue_fields\": [{\"field\": \"d\", \"format\": \"EEEE\"}]}")
            .at("/hits/hits/0/fields");

    JsonNode fields = found.at("/hits/hits/0/fields");
    assertThat(fields.at("/d/0").asText()).isEqualTo("5. Mai 2020");
    assertThat(named.at("/d/0").asText()).isEqualTo("Dienstag");
    assertThat(fields.at("/r/0").asText()).isEqualTo("mai 2020");
    assertThat(found.at("/aggregations/m/buckets/0/key_as_string").asText())
        .isEqualTo("1. Mai 2020");
  }

  @Test
  void isShownAndStays() throws Exception {
    assertThat(
            node.ok("GET", "/dates/_mapping", "")
                .at("/dates/mappings/properties/d/locale")
                .asText())
        .isEqualTo("de_DE");
    assertThat(
            node.refused(
                    400,
                    "PUT",
                    "/dates/_mapping",
                    "{\"properties\":{\"d\":{\"type\":\"date\",\"format\":\"d. MMMM uuuu\"}}}")
                .at("/error/reason")
                .asText())
        .contains("Cannot update parameter [locale] from [de_DE] to [en]");
  }

  @ParameterizedTest
  @ValueSource(strings = {"en", "en-US", "ROOT", "root", "pt_BR", "zh-Hant-TW"})
  void everyLanguageIsTaken(String locale) throws Exception {
    node.ok(
        "PUT",
        "/taken",
        "{\"mappings\":{\"properties\":{\"d\":{\"type\":\"date\",\"locale\":\""
            + locale
            + "\"}}}}");
    node.ok("DELETE", "/taken", "");
  }
}
