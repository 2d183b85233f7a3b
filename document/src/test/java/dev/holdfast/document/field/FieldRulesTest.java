package dev.holdfast.document.field;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.document.BatchBuilder.Outcome;
import dev.holdfast.document.FieldType;
import dev.holdfast.document.FieldType.Range;
import dev.holdfast.document.MappedTestIndex;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Rules of single kinds: what they refuse and in which words, what they ignore, how queries round.
final class FieldRulesTest {
  private static MappedTestIndex index(String field) throws IOException {
    return new MappedTestIndex("{\"properties\":{\"f\":" + field + "}}");
  }

  private static @Nullable JsonNode json(@Nullable String text) {
    return text == null ? null : Json.parse(text);
  }

  private static Refusal causeOf(Outcome outcome) {
    assertThat(outcome).isInstanceOf(Outcome.Refused.class);
    return (Refusal) Objects.requireNonNull(((Outcome.Refused) outcome).refusal().getCause());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      textBlock =
          """
          byte          ~ 128                    ~ Value [128] is out of range for a byte
          short         ~ 40000                  ~ Value [40000] is out of range for a short
          integer       ~ 3000000000             ~ Value [3000000000] is out of range for an integer
          long          ~ 9223372036854775808    ~ Value [9223372036854775808] is out of range for a long
          long          ~ 1e99                   ~ Value [1e99] is out of range for a long
          unsigned_long ~ -1                     ~ Value [-1] is out of range for an unsigned long
          integer       ~ "abc"                  ~ For input string: "abc"
          integer       ~ "१"                    ~ For input string: "१"
          short         ~ "NaN"                  ~ For input string: "NaN"
          double        ~ "abc"                  ~ For input string: "abc"
          half_float    ~ 70000                  ~ [half_float] supports only finite values, but got [Infinity]
          float         ~ 1e300                  ~ [float] supports only finite values, but got [Infinity]
          long          ~ true                   ~ Current token (VALUE_TRUE) not numeric, can not use numeric value accessors
          boolean       ~ 1                      ~ Failed to parse value [1] as only [true] or [false] are allowed.
          date          ~ "abc"                  ~ failed to parse date field [abc] with format [strict_date_optional_time||epoch_millis]
          ip            ~ "1.2.3"                ~ '1.2.3' is not an IP string literal.
          geo_point     ~ {"lat": 91, "lon": 0}  ~ illegal latitude value [91.0] for f
          """)
  void refusesBadValues(String type, String value, String reason) throws IOException {
    try (MappedTestIndex index = index("{\"type\":\"" + type + "\"}")) {
      assertThat(causeOf(index.add("{\"f\":" + value + "}")).reason()).isEqualTo(reason);
    }
    try (MappedTestIndex index = index("{\"type\":\"" + type + "\",\"ignore_malformed\":true}")) {
      index.with("{\"f\":" + value + "}");
      assertThat(index.find(index.type("f").existsQuery("f"))).isEmpty();
      assertThat(index.term("_ignored", "\"f\"")).containsExactly(0);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      textBlock =
          """
          integer ~ " 7\\t"        ~ 7
          byte    ~ "7f"           ~ 7
          ip      ~ "fe80::1%eth0" ~ "fe80::1"
          ip      ~ "10.0.0.1%a%b" ~ "10.0.0.1"
          """)
  void valuesAreFoundByWhatTheyMean(String type, String value, String meant) throws IOException {
    try (MappedTestIndex index = index("{\"type\":\"" + type + "\"}")) {
      index.with("{\"f\":" + value + "}");
      assertThat(index.term("f", meant)).containsExactly(0);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "3.5, true, , true, 4 5 6",
    "3, false, , true, 4 5 6",
    ", true, 4.5, true, 1 2 3 4",
    ", true, 4, false, 1 2 3",
    "\"2\", true, \"3\", true, 2 3",
    "-1e30, true, 1e30, true, 1 2 3 4 5 6",
    "7, true, , true, ''",
    "1e30, true, , true, ''",
  })
  void rangesOfWholeNumbersRoundInward(
      @Nullable String from, boolean isFrom, @Nullable String to, boolean isTo, String found)
      throws IOException {
    for (String type : List.of("long", "integer", "byte")) {
      try (MappedTestIndex index = index("{\"type\":\"" + type + "\"}").with("{\"f\":0}")) {
        index.with("{\"f\":1}", "{\"f\":2}", "{\"f\":3}", "{\"f\":4}", "{\"f\":5}", "{\"f\":6}");
        Range range = new Range(json(from), isFrom, json(to), isTo, null, null);
        List<Integer> ids = new ArrayList<>(index.find(index.type("f").rangeQuery("f", range, 0)));
        ids.remove(Integer.valueOf(0));
        assertThat(String.join(" ", ids.stream().map(String::valueOf).toList())).isEqualTo(found);
      }
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      textBlock =
          """
          geo_point ~ [1, 2, 3]
          geo_point ~ [[1, 2], [3, 4, 5]]
          geo_point ~ {"lat": 1, "lon": 2, "z": 3}
          geo_point ~ {"type": "Point", "coordinates": [1, 2, 3]}
          geo_point ~ "1, 2, 3"
          geo_point ~ "POINT (1.5 2 -3e1)"
          geo_shape ~ "POINT (1 2 3)"
          geo_shape ~ {"type": "LineString", "coordinates": [[0, 0], [1, 1, 5]]}
          """)
  void heightsAreRefusedWhereTheyAreNotIgnored(String type, String value) throws IOException {
    String field = "{\"type\":\"" + type + "\",\"ignore_z_value\":";
    try (MappedTestIndex index = index(field + "false}")) {
      assertThat(causeOf(index.add("{\"f\":" + value + "}")).reason())
          .contains("but [ignore_z_value] parameter is [false]");
    }
    try (MappedTestIndex index = index(field + "true}")) {
      assertThat(index.add("{\"f\":" + value + "}")).isInstanceOf(Outcome.Added.class);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      textBlock =
          """
          geo_point ~ [1, 2]
          geo_point ~ [[1, 2], [3, 4], [5, 6]]
          geo_point ~ ["1,2", "3,4", "5,6"]
          geo_point ~ "u0vf"
          geo_shape ~ "LINESTRING (1 2, 3 4, 5 6)"
          geo_shape ~ {"type": "MultiPoint", "coordinates": [[0, 0], [1, 1], [2, 2]]}
          """)
  void placesWithoutHeightsAreTaken(String type, String value) throws IOException {
    try (MappedTestIndex index = index("{\"type\":\"" + type + "\",\"ignore_z_value\":false}")) {
      assertThat(index.add("{\"f\":" + value + "}")).isInstanceOf(Outcome.Added.class);
    }
  }

  @Test
  void ringsThatCrossThemselvesAreRefused() throws IOException {
    String crossing =
        "{\"f\":{\"type\":\"Polygon\",\"coordinates\":[[[0,0],[9,9],[9,0],[0,9],[0,0]]]}}";
    try (MappedTestIndex index = index("{\"type\":\"geo_shape\"}")) {
      assertThat(causeOf(index.add(crossing)).reason()).startsWith("Polygon self-intersection at");
    }
    try (MappedTestIndex index = index("{\"type\":\"geo_shape\",\"ignore_malformed\":true}")) {
      assertThat(index.add(crossing)).isInstanceOf(Outcome.Added.class);
    }
  }

  @Test
  void nullOfAFeatureIsWhatTheMappingSays() throws IOException {
    for (String type : List.of("rank_feature\",\"null_value\":\"0.5", "rank_feature")) {
      try (MappedTestIndex index = index("{\"type\":\"" + type + "\"}")) {
        index.with("{\"f\":null}", "{\"f\":7}", "{}");
        assertThat(index.find(index.type("f").existsQuery("f")))
            .as(type)
            .isEqualTo(type.contains("null_value") ? List.of(0, 1) : List.of(1));
      }
    }
  }

  @Test
  void fractionsMatchNoWholeNumber() throws IOException {
    try (MappedTestIndex index = index("{\"type\":\"long\"}").with("{\"f\":3}")) {
      FieldType type = index.type("f");
      assertThat(type.termQuery("f", Json.parse("3.5"), 0)).isInstanceOf(MatchNoDocsQuery.class);
      assertThat(index.term("f", "3.0")).containsExactly(0);
      assertThat(type.termQuery("f", Json.parse("1e40"), 0)).isInstanceOf(MatchNoDocsQuery.class);
      assertThatThrownBy(() -> type.termQuery("f", Json.parse("\"abc\""), 0))
          .isInstanceOf(Refusal.class)
          .hasMessage("failed to create query: For input string: \"abc\"")
          .cause()
          .hasMessage("For input string: \"abc\"");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "2020-01-02, true, , true, 2 3 4",
    "2020-01-02, false, , true, 4",
    ", true, 2020-01-02, true, 0 1 2 3",
    ", true, 2020-01-02, false, 0 1",
    "2020-01-02||/M, true, , true, 0 1 2 3 4",
    "2020-01-02||/d, false, , true, 4",
    "now-1d/d, true, now/d, false, 2 3",
  })
  void rangesOfDatesRoundTheirEnds(
      @Nullable String from, boolean isFrom, @Nullable String to, boolean isTo, String found)
      throws IOException {
    for (String type : List.of("date", "date_nanos")) {
      try (MappedTestIndex index = index("{\"type\":\"" + type + "\"}")) {
        index.with(
            "{\"f\":\"2020-01-01T00:00:00Z\"}",
            "{\"f\":\"2020-01-01T23:59:59.999Z\"}",
            "{\"f\":\"2020-01-02T00:00:00Z\"}",
            "{\"f\":\"2020-01-02T23:59:59.999Z\"}",
            "{\"f\":\"2020-01-03T00:00:00Z\"}");
        Range range =
            new Range(
                from == null ? null : Json.parse("\"" + from + "\""),
                isFrom,
                to == null ? null : Json.parse("\"" + to + "\""),
                isTo,
                null,
                null);
        long now = Instant.parse("2020-01-03T12:00:00Z").toEpochMilli();
        List<Integer> ids = index.find(index.type("f").rangeQuery("f", range, now));
        assertThat(String.join(" ", ids.stream().map(String::valueOf).toList())).isEqualTo(found);
      }
    }
  }

  @Test
  void networksAreRangesOfAddresses() throws IOException {
    try (MappedTestIndex index =
        index("{\"type\":\"ip\"}")
            .with("{\"f\":\"10.1.2.3\"}", "{\"f\":\"10.2.0.0\"}", "{\"f\":\"2001:db8::5\"}")) {
      assertThat(index.term("f", "\"10.1.0.0/16\"")).containsExactly(0);
      assertThat(index.term("f", "\"0.0.0.0/0\"")).containsExactly(0, 1);
      assertThat(index.term("f", "\"2001:db8::/32\"")).containsExactly(2);
      assertThat(
              index.find(
                  index
                      .type("f")
                      .termsQuery(
                          "f",
                          List.of(Json.parse("\"10.2.0.0/31\""), Json.parse("\"2001:db8::5\"")),
                          0)))
          .containsExactly(1, 2);
      assertThatThrownBy(() -> index.term("f", "\"10.0.0.0/40\""))
          .hasMessageContaining("Illegal prefix length");
    }
  }

  @Test
  void longKeywordsAreIgnoredAndImmenseOnesRefused() throws IOException {
    try (MappedTestIndex index = index("{\"type\":\"keyword\",\"ignore_above\":3}")) {
      index.with("{\"f\":\"abcd\"}", "{\"f\":\"海藻藻\"}", "{\"f\":\"海藻藻藻\"}");
      assertThat(index.find(index.type("f").existsQuery("f"))).containsExactly(1);
      assertThat(index.term("_ignored", "\"f\"")).containsExactly(0, 2);
    }
    try (MappedTestIndex index = index("{\"type\":\"keyword\"}")) {
      assertThat(causeOf(index.add("{\"f\":\"" + "x".repeat(32767) + "\"}")).reason())
          .startsWith("Document contains at least one immense term in field=\"f\"");
      assertThat(index.add("{\"f\":\"" + "x".repeat(32766) + "\"}"))
          .isInstanceOf(Outcome.Added.class);
    }
  }

  @Test
  void nullValuesStandForNull() throws IOException {
    String[][] kinds = {
      {"keyword", "\"none\""},
      {"long", "5"},
      {"boolean", "true"},
      {"ip", "\"1.1.1.1\""},
      {"date", "\"2020-01-01\""},
      {"double", "0.5"}
    };
    for (String[] kind : kinds) {
      String mapping = "{\"type\":\"%s\",\"null_value\":%s}".formatted(kind[0], kind[1]);
      try (MappedTestIndex index = index(mapping).with("{\"f\":null}", "{\"f\":[null]}", "{}")) {
        assertThat(index.term("f", kind[1])).as(kind[0]).containsExactly(0, 1);
      }
    }
  }

  @Test
  void normalizersApplyToValuesAndQueries() throws IOException {
    try (MappedTestIndex index =
        index("{\"type\":\"keyword\",\"normalizer\":\"lowercase\"}").with("{\"f\":\"MiNa\"}")) {
      assertThat(index.term("f", "\"mina\"")).containsExactly(0);
      assertThat(index.term("f", "\"MINA\"")).containsExactly(0);
    }
  }

  @Test
  void constantKeywordLearnsItsValue() throws IOException {
    try (MappedTestIndex index = index("{\"type\":\"constant_keyword\"}")) {
      index.with("{\"f\":\"prod\"}", "{}");
      assertThat(index.mapping().toJson().at("/properties/f/value").asText()).isEqualTo("prod");
      assertThat(index.term("f", "\"prod\"")).containsExactly(0, 1);
      assertThat(causeOf(index.add("{\"f\":\"dev\"}")).reason())
          .contains("only accepts values that are equal to the value defined in the mappings");
    }
  }

  @Test
  void aliasesAnswerForTheirField() throws IOException {
    try (MappedTestIndex index =
        new MappedTestIndex(
                "{\"properties\":{\"f\":{\"type\":\"long\"},\"a\":{\"type\":\"alias\",\"path\":\"f\"}}}")
            .with("{\"f\":4}")) {
      assertThat(index.mapping().field("a")).isEqualTo(index.mapping().field("f"));
      assertThat(causeOf(index.add("{\"a\":4}")).reason())
          .isEqualTo("Cannot write to a field alias [a].");
    }
  }

  @Test
  void binaryIsKeptAsBytes() throws IOException {
    try (MappedTestIndex index =
        index("{\"type\":\"binary\",\"doc_values\":true}").with("{\"f\":\"aGk=\"}")) {
      assertThat(index.find(index.type("f").existsQuery("f"))).containsExactly(0);
      assertThat(causeOf(index.add("{\"f\":\"*\"}")).reason()).startsWith("Illegal base64");
    }
  }

  @Test
  void metadataFieldsAnswerQueries() throws IOException {
    TreeMap<String, Object> settings = new TreeMap<>();
    settings.put("index.provided_name", "logs");
    try (MappedTestIndex index =
        new MappedTestIndex("{}", settings).with("{\"a\":1}", "{\"a\":2}")) {
      assertThat(index.term("_id", "\"1\"")).containsExactly(1);
      assertThat(index.find(index.type("_id").existsQuery("_id"))).containsExactly(0, 1);
      assertThat(index.term("_index", "\"logs\"")).containsExactly(0, 1);
      assertThat(index.term("_index", "\"other\"")).isEmpty();
      assertThat(index.term("_seq_no", "1")).containsExactly(1);
      assertThat(index.find(index.type("_routing").existsQuery("_routing"))).isEmpty();
    }
  }

  @Test
  void fieldsWithoutIndexAndDocValuesCantBeSearched() throws IOException {
    for (String type : List.of("long", "keyword", "date", "ip", "boolean")) {
      try (MappedTestIndex index =
          index("{\"type\":\"" + type + "\",\"index\":false,\"doc_values\":false}")
              .with("{\"f\":null}")) {
        assertThat(index.type("f").isSearchable()).isFalse();
        String value = type.equals("ip") ? "\"::1\"" : type.equals("boolean") ? "true" : "1";
        assertThatThrownBy(() -> index.term("f", value))
            .hasMessageContaining("since it is not indexed");
      }
    }
  }
}
