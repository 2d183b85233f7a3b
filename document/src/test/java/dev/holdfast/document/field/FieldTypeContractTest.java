package dev.holdfast.document.field;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.document.FieldType;
import dev.holdfast.document.FieldType.Range;
import dev.holdfast.document.MappedTestIndex;
import dev.holdfast.document.ValueFormat;
import dev.holdfast.document.ValuesKind;
import dev.holdfast.document.mapping.StandardMappings;
import dev.holdfast.world.Json;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.lucene.document.LatLonPoint;
import org.apache.lucene.index.MultiDocValues;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.index.SortedSetDocValues;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What every kind of field keeps: its values are found by term, range and existence, are read back
/// from doc values, and its mapping survives being shown.
final class FieldTypeContractTest {
  /// @param mapping of the field, without `type`
  /// @param values of `f` in documents 0, 1, 2, ascending
  /// @param shown their doc values as text
  record Sample(String type, String mapping, List<String> values, List<String> shown) {
    @Override
    public String toString() {
      return type + mapping;
    }
  }

  private static Sample sample(String type, String mapping, List<String> values, String... shown) {
    return new Sample(type, mapping, values, List.of(shown));
  }

  static Stream<Sample> samples() {
    List<Sample> samples = new ArrayList<>();
    List<String> whole = List.of("-3", "\"7\"", "100");
    for (String type : List.of("long", "integer", "short", "byte")) {
      samples.add(sample(type, "", whole, "-3", "7", "100"));
      samples.add(sample(type, ",\"index\":false", whole, "-3", "7", "100"));
      samples.add(sample(type, ",\"doc_values\":false", whole));
    }
    List<String> fractions = List.of("-1.5", "\"0.25\"", "8");
    for (String type : List.of("double", "float", "half_float")) {
      samples.add(sample(type, "", fractions, "-1.5", "0.25", "8.0"));
      samples.add(sample(type, ",\"index\":false", fractions, "-1.5", "0.25", "8.0"));
    }
    samples.add(
        sample("scaled_float", ",\"scaling_factor\":100", fractions, "-1.5", "0.25", "8.0"));
    samples.add(
        sample(
            "unsigned_long",
            "",
            List.of("0", "9223372036854775807", "18446744073709551615"),
            "0",
            "9223372036854775807",
            "18446744073709551615"));
    samples.add(sample("keyword", "", List.of("\"a\"", "\"b c\"", "\"ü\""), "a", "b c", "ü"));
    samples.add(
        sample("keyword", ",\"index\":false", List.of("\"a\"", "true", "\"ü\""), "a", "true", "ü"));
    samples.add(sample("keyword", ",\"doc_values\":false", List.of("1.5", "\"b\"", "\"ü\"")));
    samples.add(sample("text", "", List.of("\"alpha\"", "\"beta\"", "\"gamma\"")));
    samples.add(sample("text", ",\"norms\":false", List.of("\"alpha\"", "\"beta\"", "\"gamma\"")));
    samples.add(sample("match_only_text", "", List.of("\"alpha\"", "\"beta\"", "\"gamma\"")));
    samples.add(
        sample(
            "date",
            "",
            List.of("\"2020-01-01\"", "\"2020-02-01T10:00:00Z\"", "1600000000000"),
            "2020-01-01T00:00:00.000Z",
            "2020-02-01T10:00:00.000Z",
            "2020-09-13T12:26:40.000Z"));
    samples.add(
        sample(
            "date_nanos",
            "",
            List.of(
                "\"2020-01-01T00:00:00.000000001Z\"",
                "\"2020-01-01T00:00:00.000000002Z\"",
                "\"2021-01-01T00:00:00.123456789Z\""),
            "2020-01-01T00:00:00.000000001Z",
            "2020-01-01T00:00:00.000000002Z",
            "2021-01-01T00:00:00.123456789Z"));
    samples.add(
        sample(
            "ip",
            "",
            List.of("\"10.0.0.1\"", "\"192.168.1.9\"", "\"2001:db8::1\""),
            "10.0.0.1",
            "192.168.1.9",
            "2001:db8::1"));
    samples.add(
        sample(
            "ip",
            ",\"index\":false",
            List.of("\"10.0.0.1\"", "\"192.168.1.9\"", "\"ff::\""),
            "10.0.0.1",
            "192.168.1.9",
            "ff::"));
    return samples.stream();
  }

  private static MappedTestIndex filled(Sample sample) throws IOException {
    MappedTestIndex index =
        new MappedTestIndex(
            "{\"properties\":{\"f\":{\"type\":\"" + sample.type + "\"" + sample.mapping + "}}}");
    for (String value : sample.values) {
      index.with("{\"f\":" + value + "}");
    }
    return index.with("{\"f\":null}", "{}", "{\"f\":[]}");
  }

  @ParameterizedTest
  @MethodSource("samples")
  void eachValueIsFoundByItself(Sample sample) throws IOException {
    try (MappedTestIndex index = filled(sample)) {
      FieldType type = index.type("f");
      for (int i = 0; i < sample.values.size(); i++) {
        JsonNode value = Json.parse(sample.values.get(i));
        assertThat(index.find(type.termQuery("f", value, 0))).containsExactly(i);
        assertThat(index.find(type.termsQuery("f", List.of(value), 0))).containsExactly(i);
      }
      List<JsonNode> all = sample.values.stream().map(Json::parse).toList();
      assertThat(index.find(type.termsQuery("f", all, 0))).containsExactly(0, 1, 2);
      assertThat(index.find(type.termsQuery("f", List.of(), 0))).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("samples")
  void rangesIncludeOrExcludeTheirEnds(Sample sample) throws IOException {
    try (MappedTestIndex index = filled(sample)) {
      FieldType type = index.type("f");
      JsonNode first = Json.parse(sample.values.get(0));
      JsonNode last = Json.parse(sample.values.get(2));
      assertThat(index.find(type.rangeQuery("f", range(first, true, last, true), 0)))
          .containsExactly(0, 1, 2);
      assertThat(index.find(type.rangeQuery("f", range(null, true, null, true), 0)))
          .containsExactly(0, 1, 2);
      assertThat(index.find(type.rangeQuery("f", range(first, false, last, false), 0)))
          .containsExactly(1);
      assertThat(index.find(type.rangeQuery("f", range(first, false, null, true), 0)))
          .containsExactly(1, 2);
      assertThat(index.find(type.rangeQuery("f", range(null, true, last, false), 0)))
          .containsExactly(0, 1);
    }
  }

  private static Range range(
      @Nullable JsonNode from, boolean isFrom, @Nullable JsonNode to, boolean isTo) {
    return new Range(from, isFrom, to, isTo, null, null);
  }

  @ParameterizedTest
  @MethodSource("samples")
  void existsFindsDocumentsWithAValue(Sample sample) throws IOException {
    try (MappedTestIndex index = filled(sample)) {
      assertThat(index.find(index.type("f").existsQuery("f"))).containsExactly(0, 1, 2);
    }
  }

  @ParameterizedTest
  @MethodSource("samples")
  void docValuesReadBack(Sample sample) throws IOException {
    try (MappedTestIndex index = filled(sample)) {
      FieldType type = index.type("f");
      assertThat(type.values() == ValuesKind.NONE).isEqualTo(sample.shown.isEmpty());
      ValueFormat format = type.format(null, null);
      for (int doc = 0; doc < sample.shown.size(); doc++) {
        String shown;
        if (type.values().isNumeric()) {
          SortedNumericDocValues values =
              MultiDocValues.getSortedNumericValues(index.reader(), "f");
          assertThat(values.advanceExact(doc)).isTrue();
          long value = values.nextValue();
          shown = format.toText(value);
          assertThat(format.toDocValue(Json.parse("\"" + shown + "\""), false, 0)).isEqualTo(value);
        } else {
          SortedSetDocValues values = MultiDocValues.getSortedSetValues(index.reader(), "f");
          assertThat(values.advanceExact(doc)).isTrue();
          shown = format.toText(values.lookupOrd(values.nextOrd()));
        }
        assertThat(shown).isEqualTo(sample.shown.get(doc));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("samples")
  void mappingSurvivesBeingShown(Sample sample) throws IOException {
    try (MappedTestIndex index = filled(sample)) {
      var shown = index.mapping().toJson();
      assertThat(new StandardMappings().create(shown, new TreeMap<>()).toJson()).isEqualTo(shown);
      assertThat(shown.at("/properties/f/type").asText()).isEqualTo(sample.type);
      assertThat(index.mapping().merge(shown)).isSameAs(index.mapping());
    }
  }

  @ParameterizedTest
  @MethodSource("samples")
  void severalValuesOfADocumentAreAllFound(Sample sample) throws IOException {
    try (MappedTestIndex index = filled(sample)) {
      index.with("{\"f\":[" + String.join(",", sample.values) + ",null]}");
      for (int i = 0; i < sample.values.size(); i++) {
        assertThat(index.term("f", sample.values.get(i))).containsExactly(i, 6);
      }
    }
  }

  @Test
  void booleansAreFound() throws IOException {
    for (String mapping : List.of("", ",\"index\":false", ",\"doc_values\":false")) {
      try (MappedTestIndex index =
          new MappedTestIndex("{\"properties\":{\"f\":{\"type\":\"boolean\"" + mapping + "}}}")
              .with("{\"f\":true}", "{\"f\":\"false\"}", "{\"f\":\"\"}", "{}")) {
        FieldType type = index.type("f");
        assertThat(index.term("f", "true")).containsExactly(0);
        assertThat(index.term("f", "\"false\"")).containsExactly(1, 2);
        assertThat(index.find(type.existsQuery("f"))).containsExactly(0, 1, 2);
        assertThat(index.find(type.rangeQuery("f", range(Json.parse("true"), true, null, true), 0)))
            .containsExactly(0);
        assertThat(index.find(type.termsQuery("f", List.of(Json.parse("true")), 0)))
            .containsExactly(0);
      }
    }
  }

  @Test
  void geoPointsComeInManyForms() throws IOException {
    try (MappedTestIndex index =
        new MappedTestIndex("{\"properties\":{\"f\":{\"type\":\"geo_point\"}}}")
            .with(
                "{\"f\":{\"lat\":41.12,\"lon\":-71.34}}",
                "{\"f\":[-71.34,41.12]}",
                "{\"f\":\"41.12,-71.34\"}",
                "{\"f\":\"POINT (-71.34 41.12)\"}",
                "{\"f\":\"drm3btev3e86\"}",
                "{\"f\":{\"type\":\"Point\",\"coordinates\":[-71.34,41.12]}}",
                "{\"f\":[[0,0],[-71.34,41.12]]}",
                "{\"f\":[{\"lat\":1,\"lon\":1},\"41.12,-71.34\"]}",
                "{}")) {
      assertThat(index.find(LatLonPoint.newDistanceQuery("f", 41.12, -71.34, 1000)))
          .containsExactly(0, 1, 2, 3, 4, 5, 6, 7);
      assertThat(index.find(index.type("f").existsQuery("f"))).hasSize(8);
      SortedNumericDocValues values = MultiDocValues.getSortedNumericValues(index.reader(), "f");
      assertThat(values.advanceExact(0)).isTrue();
      assertThat(index.type("f").format(null, null).toText(values.nextValue()))
          .startsWith("41.1199")
          .contains(",-71.3400");
    }
  }
}
