package dev.holdfast.document.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.document.BatchBuilder.Outcome;
import dev.holdfast.document.MappedTestIndex;
import dev.holdfast.document.Mapping;
import dev.holdfast.document.mapping.StandardMappings;
import dev.holdfast.world.Json;
import java.io.IOException;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// How runtime fields come into mappings, and what is refused.
final class RuntimeMappingTest {
  private static Mapping mapping(String json) {
    return new StandardMappings().create(Json.parseObject(json), new TreeMap<>());
  }

  @Test
  void newFieldsBecomeRuntimeFieldsByTheirValues() throws IOException {
    try (MappedTestIndex index =
        new MappedTestIndex(
            "{\"dynamic\":\"runtime\",\"properties\":{\"m\":{\"type\":\"long\"}}}")) {
      index.with(
          """
          {"m": 1, "s": "x", "d": "2024-01-01", "d2": "2024/01/01", "l": 5, "f": 1.5, "b": true,
           "mixed": [1, "a"], "o": {"in": 1, "deep": {"s": "y"}}, "a.b": 1, "n": null, "e": [],
           "oo": [{"c": 1}, {"c": 2}], "none": {}}\
          """);
      assertThat(index.mapping().toJson())
          .isEqualTo(
              Json.parse(
                  """
                  {"dynamic": "runtime",
                   "runtime": {"a.b": {"type": "long"}, "b": {"type": "boolean"},
                     "d": {"type": "date"},
                     "d2": {"type": "date",
                       "format": "yyyy/MM/dd HH:mm:ss||yyyy/MM/dd||epoch_millis"},
                     "f": {"type": "double"}, "l": {"type": "long"},
                     "mixed": {"type": "keyword"}, "o.deep.s": {"type": "keyword"},
                     "o.in": {"type": "long"}, "oo.c": {"type": "long"},
                     "s": {"type": "keyword"}},
                   "properties": {"m": {"type": "long"}}}
                  """));
    }
  }

  /// Else each document would be read as a tree to find out that nothing is new.
  @Test
  void knownRuntimeFieldsAskForNoUpdate() throws IOException {
    try (MappedTestIndex index = new MappedTestIndex("{\"dynamic\":\"runtime\"}")) {
      String document = "{\"o\":{\"in\":[1,2],\"s\":\"x\"},\"a.b\":1}";
      index.with(document);
      Mapping known = index.mapping();
      assertThat(index.add(document)).isInstanceOf(Outcome.Added.class);
      assertThat(index.add("{\"o\":[{\"in\":\"text\"},{\"s\":null}],\"a\":{\"b\":[]}}"))
          .isInstanceOf(Outcome.Added.class);
      assertThat(index.mapping()).isSameAs(known);
      assertThat(index.add("{\"o\":{\"other\":1}}")).isInstanceOf(Outcome.Added.class);
      assertThat(index.mapping().runtime()).containsOnlyKeys("o.in", "o.s", "a.b", "o.other");
    }
  }

  @Test
  void aRuntimeFieldKeepsDocumentsFromMappingItsPath() throws IOException {
    try (MappedTestIndex index = new MappedTestIndex("{\"runtime\":{\"r\":{\"type\":\"ip\"}}}")) {
      index.with("{\"r\":\"no address\",\"s\":1}");
      assertThat(index.mapping().toJson().get("properties"))
          .isEqualTo(Json.parse("{\"s\":{\"type\":\"long\"}}"));
      Mapping strict = index.mapping().merge(Json.parseObject("{\"dynamic\":\"strict\"}"));
      assertThat(strict.runtime()).containsOnlyKeys("r");
    }
  }

  @Test
  void templatesMakeRuntimeFields() throws IOException {
    String templates =
        """
        {"dynamic_templates": [
          {"addresses": {"match": "ip_*", "match_mapping_type": "string",
            "runtime": {"type": "ip"}}},
          {"same": {"match": "r_*", "runtime": {}}},
          {"named": {"match": "t_*", "runtime": {"type": "{dynamic_type}"}}}]}
        """;
    try (MappedTestIndex index = new MappedTestIndex(templates)) {
      index.with("{\"ip_a\":\"::1\",\"ip_n\":1,\"r_s\":\"x\",\"r_o\":{\"r_l\":2},\"t_s\":\"x\"}");
      assertThat(index.mapping().toJson().get("runtime"))
          .isEqualTo(
              Json.parse(
                  """
                  {"ip_a": {"type": "ip"}, "r_o.r_l": {"type": "long"},
                   "r_s": {"type": "keyword"}, "t_s": {"type": "keyword"}}
                  """));
      assertThat(index.mapping().field("ip_n").type().isRuntime()).isFalse();
      assertThat(index.mapping().isObject("r_o")).isTrue();
    }
  }

  @Test
  void updatesAddReplaceAndTakeAway() {
    Mapping before = mapping("{\"runtime\":{\"a\":{\"type\":\"long\"},\"b\":{\"type\":\"ip\"}}}");
    Mapping after =
        before.merge(
            Json.parseObject(
                "{\"runtime\":{\"a\":null,\"b\":{\"type\":\"keyword\"},\"c\":{\"type\":\"date\"},"
                    + "\"gone\":null}}"));
    assertThat(after.toJson())
        .isEqualTo(
            Json.parse("{\"runtime\":{\"b\":{\"type\":\"keyword\"},\"c\":{\"type\":\"date\"}}}"));
    assertThat(after.merge(Json.parseObject("{\"runtime\":{\"b\":null,\"c\":null}}")).toJson())
        .isEqualTo(Json.parse("{}"));
    assertThat(after.merge(Json.parseObject("{\"runtime\":{\"zz\":null}}"))).isSameAs(after);
  }

  @Test
  void fieldsCountAgainstTheLimit() {
    TreeMap<String, Object> settings = new TreeMap<>();
    settings.put("index.mapping.total_fields.limit", 1);
    assertThatThrownBy(() ->
            new StandardMappings()
                .create(
                    Json.parseObject(
                        "{\"runtime\":{\"a\":{\"type\":\"long\"},\"b\":{\"type\":\"long\"}}}"),
                    settings)
                .merge(Json.object()))
        .hasMessageContaining("Limit of total fields [1] has been exceeded");
  }

  @Test
  void fieldsBeyondTheLimitAreLeftOutWhereTheIndexIgnoresThose() throws IOException {
    TreeMap<String, Object> settings = new TreeMap<>();
    settings.put("index.mapping.total_fields.limit", 2);
    settings.put("index.mapping.total_fields.ignore_dynamic_beyond_limit", true);
    try (MappedTestIndex index = new MappedTestIndex("{\"dynamic\":\"runtime\"}", settings)) {
      index.with("{\"a\":1,\"b\":2,\"c\":3}");
      assertThat(index.mapping().runtime()).containsOnlyKeys("a", "b");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {}                                                | No type specified for runtime field [f]
          {"type":"text"}                                   | The mapper type [text] declared on runtime field [f] does not exist
          {"type":"keyword","script":{"source":"emit(1)"}}  | compile error
          {"type":"keyword","script":{"id":"kept"}}         | stored scripts are not supported on scripted field [f]
          {"type":"long","script":"emit(1)","on_script_error":"no"} | Unknown value [no] for field [on_script_error] - accepted values are [fail, continue]
          {"type":"composite","script":"emit('a',1)"}       | composite runtime field [f] must declare its [fields]
          {"type":"composite","script":"emit('a',1)","fields":{"a":{"type":"long","script":"emit(1)"}}} | Cannot use [script] parameter on sub-field [a] of composite runtime field [f]
          {"type":"keyword","ignore_above":3}               | unknown parameter [ignore_above] on runtime field [f] of type [keyword]
          {"type":"long","format":"x"}                      | unknown parameter [format] on runtime field [f] of type [long]
          {"type":"composite","fields":{}}                  | composite runtime field [f] must declare a [script]
          {"type":"lookup"}                                 | [target_index] parameter must be specified
          {"type":"long","on_script_error":"fail"}          | Field [on_script_error] requires field [script]
          7                                                 | Expected map for runtime field [f] definition but got a java.lang.Integer
          """)
  void whatCannotBeReadIsRefused(String field, String reason) {
    String runtime = "{\"f\":" + field + "}";
    assertThatThrownBy(() -> mapping("{\"runtime\":" + runtime + "}"))
        .hasMessageContaining("Failed to parse mapping: " + reason);
    Mapping empty = mapping("{}");
    assertThatThrownBy(() -> empty.withRuntime(Json.parseObject(runtime)))
        .hasMessageStartingWith(reason);
  }

  @Test
  void aRequestTakesNoFieldAway() {
    Mapping mapping = mapping("{\"runtime\":{\"f\":{\"type\":\"long\"}}}");
    assertThatThrownBy(() -> mapping.withRuntime(Json.parseObject("{\"f\":null}")))
        .hasMessage(
            "Runtime field [f] was set to null but its removal is not supported in this context");
  }
}
