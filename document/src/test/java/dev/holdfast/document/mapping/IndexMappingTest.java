package dev.holdfast.document.mapping;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.document.MappedField;
import dev.holdfast.document.MappedTestIndex;
import dev.holdfast.document.Mapping;
import dev.holdfast.document.mapping.tree.DocumentMapping;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class IndexMappingTest {
  private static Mapping mapping(String json, String... settings) {
    SortedMap<String, Object> map = new TreeMap<>();
    for (int i = 0; i < settings.length; i += 2) {
      map.put(settings[i], settings[i + 1]);
    }
    return new StandardMappings().create(Json.parseObject(json), map);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      textBlock =
          """
          "hello"                ~ {"type":"text","fields":{"keyword":{"type":"keyword","ignore_above":256}}}
          "2015-09-02"           ~ {"type":"date"}
          "2015-09-02T10:00:00Z" ~ {"type":"date"}
          "2015/09/02 10:00:00"  ~ {"type":"date","format":"yyyy/MM/dd HH:mm:ss||yyyy/MM/dd||epoch_millis"}
          "2015"                 ~ {"type":"text","fields":{"keyword":{"type":"keyword","ignore_above":256}}}
          "-1"                   ~ {"type":"text","fields":{"keyword":{"type":"keyword","ignore_above":256}}}
          "-1.5"                 ~ {"type":"text","fields":{"keyword":{"type":"keyword","ignore_above":256}}}
          12                     ~ {"type":"long"}
          1.5                    ~ {"type":"float"}
          true                   ~ {"type":"boolean"}
          [3,"a"]                ~ {"type":"long"}
          [[null,1.5]]           ~ {"type":"float"}
          {}                     ~ {"type":"object"}
          {"a":1}                ~ {"properties":{"a":{"type":"long"}}}
          [{"a":1},{"b":true}]   ~ {"properties":{"a":{"type":"long"},"b":{"type":"boolean"}}}
          """)
  void newFieldsAreMappedByTheirValues(String value, String mapped) throws Exception {
    try (MappedTestIndex index = new MappedTestIndex("{}")) {
      // "[3, "a"]" is mapped by its first element and refused for its second.
      var outcome = index.add("{\"f\":" + value + "}");
      assertThat(outcome).isNotNull();
      assertThat(index.mapping().toJson().at("/properties/f")).isEqualTo(Json.parse(mapped));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      textBlock =
          """
          {"dynamic_date_formats":["dd.MM.yyyy"]} ~ "01.02.2024" ~ {"type":"date","format":"dd.MM.yyyy"}
          {"dynamic_date_formats":["yyyyMMdd"]}   ~ "20240201"   ~ {"type":"text","fields":{"keyword":{"type":"keyword","ignore_above":256}}}
          {"numeric_detection":true}              ~ "-2024"      ~ {"type":"long"}
          {"dynamic_templates":[{"d":{"match_mapping_type":"date","mapping":{"type":"{dynamic_type}"}}}]} ~ "2024/02/01" ~ {"type":"date","format":"yyyy/MM/dd HH:mm:ss||yyyy/MM/dd||epoch_millis"}
          {"dynamic_templates":[{"d":{"match":"f","mapping":{"type":"date_nanos"}}}]} ~ "2024/02/01" ~ {"type":"date_nanos","format":"yyyy/MM/dd HH:mm:ss||yyyy/MM/dd||epoch_millis"}
          {"dynamic_templates":[{"d":{"match_mapping_type":"date","mapping":{"format":"yyyy/MM/dd"}}}]} ~ "2024/02/01" ~ {"type":"date","format":"yyyy/MM/dd"}
          {"dynamic_templates":[{"d":{"match_mapping_type":"date","mapping":{"type":"keyword"}}}]} ~ "2024/02/01" ~ {"type":"keyword"}
          """)
  void datesAreDetectedByTheFormatsOfTheMapping(String mapping, String value, String mapped)
      throws Exception {
    try (MappedTestIndex index = new MappedTestIndex(mapping)) {
      index.with("{\"f\":" + value + "}");
      assertThat(index.mapping().toJson().at("/properties/f")).isEqualTo(Json.parse(mapped));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"null", "[]", "[null]", "[[],[null]]"})
  void nothingMapsNothing(String value) throws Exception {
    try (MappedTestIndex index = new MappedTestIndex("{}").with("{\"f\":" + value + "}")) {
      assertThat(index.mapping().toJson()).isEmpty();
      assertThat(index.reader().numDocs()).isEqualTo(1);
    }
  }

  @Test
  void dynamicTemplatesShapeNewFields() throws Exception {
    String json =
        """
        {"dynamic_templates": [
          {"ints": {"match_mapping_type": "long", "match": "n_*", "unmatch": "*_text",
                    "mapping": {"type": "integer"}}},
          {"names": {"path_match": "name.*", "mapping": {"type": "keyword", "meta": {"of": "{name}"}}}},
          {"rest": {"match_mapping_type": "*", "match": "any_*",
                    "mapping": {"type": "{dynamic_type}", "doc_values": false}}},
          {"strings": {"match_mapping_type": "string", "mapping": {"type": "keyword"}}}]}
        """;
    try (MappedTestIndex index = new MappedTestIndex(json)) {
      index.with("{\"n_a\":1,\"n_text\":2,\"name\":{\"first\":\"x\"},\"any_d\":1.5,\"s\":\"t\"}");
      ObjectNode properties = (ObjectNode) index.mapping().toJson().get("properties");
      assertThat(properties.at("/n_a/type").asText()).isEqualTo("integer");
      assertThat(properties.at("/n_text/type").asText()).isEqualTo("long");
      assertThat(properties.at("/name/properties/first/type").asText()).isEqualTo("keyword");
      assertThat(properties.at("/name/properties/first/meta/of").asText()).isEqualTo("first");
      assertThat(properties.get("any_d"))
          .isEqualTo(Json.parse("{\"type\":\"double\",\"doc_values\":false}"));
      assertThat(properties.at("/s/type").asText()).isEqualTo("keyword");
    }
  }

  @Test
  void dynamicIsInherited() throws Exception {
    String json =
        """
        {"properties": {
          "shut": {"dynamic": false, "properties": {"deep": {"properties": {}}}},
          "open": {"type": "object"}, "off": {"type": "object", "enabled": false},
          "run": {"dynamic": "runtime", "properties": {}}}}
        """;
    try (MappedTestIndex index = new MappedTestIndex(json)) {
      ObjectNode before = index.mapping().toJson();
      index.with(
          "{\"shut\":{\"a\":1,\"deep\":{\"b\":2}},\"off\":[1,{\"x\":\"y\"}],\"run\":{\"c\":1}}");
      before.set("runtime", Json.parse("{\"run.c\":{\"type\":\"long\"}}"));
      assertThat(index.mapping().toJson()).isEqualTo(before);
      index.with("{\"open.x.y\":1,\"shut.z\":1}");
      assertThat(index.mapping().field("open.x.y")).isNotNull();
      assertThat(index.mapping().field("shut.z")).isNull();
    }
  }

  @Test
  void detectionCanBeSwitched() throws Exception {
    try (MappedTestIndex index =
        new MappedTestIndex("{\"date_detection\":false,\"numeric_detection\":true}")) {
      index.with("{\"d\":\"2015-09-02\",\"n\":\"12\",\"f\":\"1.5\"}");
      assertThat(index.type("d").typeName()).isEqualTo("text");
      assertThat(index.type("n").typeName()).isEqualTo("long");
      assertThat(index.type("f").typeName()).isEqualTo("float");
    }
    try (MappedTestIndex index =
        new MappedTestIndex("{\"dynamic_date_formats\":[\"MM/dd/yyyy\"]}")) {
      index.with("{\"d\":\"09/25/2015\",\"e\":\"2015-09-25\"}");
      assertThat(index.mapping().toJson().at("/properties/d/format").asText())
          .isEqualTo("MM/dd/yyyy");
      assertThat(index.type("e").typeName()).isEqualTo("text");
    }
  }

  @Test
  void mappingsAreShownSortedAndRead() {
    String json =
        """
        {"dynamic": "strict", "_meta": {"x": 1}, "_source": {"excludes": ["a.*"]},
         "_routing": {"required": true},
         "properties": {"z": {"type": "keyword", "ignore_above": 10, "doc_values": true},
           "a.b": {"type": "text", "analyzer": "english",
             "fields": {"raw": {"type": "keyword"}}},
           "a": {"properties": {"c": {"type": "long"}}}}}
        """;
    Mapping mapping = mapping(json);
    assertThat(mapping.toJson().toString())
        .isEqualTo(
            "{\"dynamic\":\"strict\",\"_meta\":{\"x\":1},\"_routing\":{\"required\":true},"
                + "\"_source\":{\"excludes\":[\"a.*\"]},\"properties\":{\"a\":{\"properties\":{"
                + "\"b\":{\"type\":\"text\",\"analyzer\":\"english\",\"fields\":{\"raw\":{\"type\":\"keyword\"}}},"
                + "\"c\":{\"type\":\"long\"}}},\"z\":{\"type\":\"keyword\",\"ignore_above\":10}}}");
    assertThat(mapping(mapping.toJson().toString()).toJson()).isEqualTo(mapping.toJson());
    assertThat(mapping.isRoutingRequired()).isTrue();
    assertThat(mapping.isObject("a")).isTrue();
    assertThat(mapping.isObject("a.b")).isFalse();
    assertThat(mapping.fields().stream().map(MappedField::path))
        .containsExactly("a.b", "a.b.raw", "a.c", "z");
    assertThat(mapping.matching("a.*")).containsExactly("a.b", "a.b.raw", "a.c");
    assertThat(mapping.matching("*")).hasSize(4);
    assertThat(mapping.matching("nope")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"l":{"type":"keyword"}}  | mapper [l] cannot be changed from type [long] to [keyword]
          {"l":{"properties":{}}}   | mapper [l] cannot be changed from type [long] to [ObjectMapper]
          {"o":{"type":"long"}}     | can't merge a non object mapping [o] with an object mapping
          {"t":{"type":"text","analyzer":"english"}} | Mapper for [t] conflicts with existing mapper:\\n\\tCannot update parameter [analyzer] from [whitespace] to [english]
          {"t":{"type":"text"}}     | Mapper for [t] conflicts with existing mapper:\\n\\tCannot update parameter [analyzer] from [whitespace] to [default]
          {"l":{"type":"long","index":false}} | Mapper for [l] conflicts with existing mapper:\\n\\tCannot update parameter [index] from [true] to [false]
          {"t":{"type":"text","analyzer":"whitespace","norms":false}} | Mapper for [t] conflicts with existing mapper:\\n\\tCannot update parameter [norms] from [true] to [false]
          {"t":{"type":"text","analyzer":"whitespace","similarity":"boolean"}} | Mapper for [t] conflicts with existing mapper:\\n\\tCannot update parameter [similarity] from [null] to [boolean]
          {"o":{"properties":{"k":{"type":"keyword","store":true}}}} | Mapper for [o.k] conflicts with existing mapper:\\n\\tCannot update parameter [store] from [false] to [true]
          {"o":{"properties":{"k":{"type":"text"}}}} | mapper [o.k] cannot be changed from type [keyword] to [text]
          """)
  void conflictsAreRefused(String properties, String reason) {
    Mapping mapping =
        mapping(
            """
            {"properties": {"l": {"type": "long"}, "t": {"type": "text", "analyzer": "whitespace"},
              "o": {"properties": {"k": {"type": "keyword"}}}}}
            """);
    assertThatThrownBy(() -> mapping.merge(Json.parseObject("{\"properties\":" + properties + "}")))
        .isInstanceOf(Refusal.class)
        .hasMessage(reason.replace("\\n", "\n").replace("\\t", "\t"));
  }

  /// It may be as large as a request: an index with a hundred thousand objects in it has them once.
  @Test
  void whatUsersKeepInAMappingIsHeldOnce() {
    Mapping mapping = mapping("{\"_meta\": {\"a\": [{}]}, \"properties\": {}}");

    JsonNode meta = mapping.toJson().get("_meta");

    assertThat(mapping.toJson().get("_meta")).isSameAs(meta);
    Mapping more = mapping.merge(Json.parseObject("{\"date_detection\": false}"));
    assertThat(more.toJson().get("_meta")).isSameAs(meta);
  }

  @Test
  void updatesAddAndChangeWhatMayChange() {
    Mapping mapping =
        mapping("{\"properties\":{\"k\":{\"type\":\"keyword\"},\"t\":{\"type\":\"text\"}}}");
    Mapping merged =
        mapping.merge(
            Json.parseObject(
                """
                {"dynamic": false, "_meta": {"v": 2}, "properties": {
                  "k": {"type": "keyword", "ignore_above": 5, "fields": {"x": {"type": "text"}}},
                  "t": {"type": "text", "search_analyzer": "simple"}, "n": {"type": "ip"}}}
                """));
    assertThat(merged.toJson())
        .isEqualTo(
            Json.parse(
                """
                {"dynamic": "false", "_meta": {"v": 2}, "properties": {
                  "k": {"type": "keyword", "ignore_above": 5, "fields": {"x": {"type": "text"}}},
                  "n": {"type": "ip"}, "t": {"type": "text", "search_analyzer": "simple"}}}
                """));
    assertThat(mapping.field("n")).isNull();
    assertThat(merged.merge(merged.toJson())).isSameAs(merged);
    assertThat(merged.merge(Json.object())).isSameAs(merged);
  }

  /// As Elasticsearch 9.5 answered when it was asked.
  @ParameterizedTest
  @CsvSource({
    "hnsw,      hnsw int8_hnsw int4_hnsw bbq_hnsw",
    "int8_hnsw, int8_hnsw int4_hnsw bbq_hnsw",
    "int4_hnsw, int4_hnsw bbq_hnsw",
    "bbq_hnsw,  bbq_hnsw",
    "flat,      hnsw int8_hnsw int4_hnsw bbq_hnsw flat int8_flat int4_flat bbq_flat",
    "int8_flat, hnsw int8_hnsw int4_hnsw bbq_hnsw int8_flat int4_flat bbq_flat",
    "int4_flat, hnsw int8_hnsw int4_hnsw bbq_hnsw int4_flat bbq_flat",
    "bbq_flat,  bbq_hnsw bbq_flat",
  })
  void vectorsAreQuantizedMoreNeverLess(String before, String after) {
    Mapping mapping = mapping(vectors("\"type\":\"" + before + "\""));

    List<String> taken =
        Stream.of(
                "hnsw",
                "int8_hnsw",
                "int4_hnsw",
                "bbq_hnsw",
                "flat",
                "int8_flat",
                "int4_flat",
                "bbq_flat")
            .filter(type -> isTaken(mapping, vectors("\"type\":\"" + type + "\"")))
            .toList();

    assertThat(taken).containsExactly(after.split(" "));
  }

  @Test
  void aGraphKeepsItsLinks() {
    Mapping mapping = mapping(vectors("\"type\":\"hnsw\",\"m\":24"));

    assertThat(isTaken(mapping, vectors("\"type\":\"int8_hnsw\",\"m\":24"))).isTrue();
    assertThat(isTaken(mapping, vectors("\"type\":\"int8_hnsw\",\"m\":23"))).isFalse();
    assertThat(isTaken(mapping, vectors("\"type\":\"hnsw\",\"m\":24,\"ef_construction\":9")))
        .isTrue();
  }

  private static String vectors(String options) {
    return "{\"properties\":{\"v\":{\"type\":\"dense_vector\",\"dims\":64,\"index_options\":{"
        + options
        + "}}}}";
  }

  private static boolean isTaken(Mapping mapping, String update) {
    try {
      Mapping _ = mapping.merge(Json.parseObject(update));
      return true;
    } catch (Refusal e) {
      assertThat(e).hasMessageContaining("Cannot update parameter [index_options] from [{");
      return false;
    }
  }

  @Test
  void dynamicTemplatesReplaceThoseThatWereThere() {
    Mapping mapping =
        mapping(
            """
            {"dynamic_templates":[{"a":{"match":"x*","mapping":{"type":"ip"}}},
                                  {"b":{"match":"y*","mapping":{"type":"ip"}}}]}
            """);
    String fewer =
        "{\"dynamic_templates\":[{\"b\":{\"match\":\"z*\",\"mapping\":{\"type\":\"ip\"}}}]}";

    assertThat(mapping.merge(Json.parseObject(fewer)).toJson()).isEqualTo(Json.parse(fewer));
    assertThat(mapping.merge(Json.parseObject("{\"dynamic_templates\":[]}")).toJson())
        .isEqualTo(Json.parse("{\"dynamic_templates\":[]}"));
    assertThat(mapping.merge(Json.parseObject("{\"dynamic\":false}")).toJson())
        .isEqualTo(mapping.toJson().put("dynamic", "false"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"properties":{"x":{"type":"keyword","foo":1}}} | unknown parameter [foo] on mapper [x] of type [keyword]
          {"properties":{"x":{"type":"nope"}}} | The mapper type [nope] declared on field [x] does not exist. It might have been created within a future version or requires a plugin which is not installed. Check the documentation.
          {"properties":{"x":{}}} | No type specified for field [x]
          {"foo":1} | Root mapping definition has unsupported parameters:  [foo : 1]
          {"properties":{"x":{"type":"text","analyzer":"nope"}}} | analyzer [nope] has not been configured in mappings
          {"properties":{"x":{"type":"scaled_float"}}} | Field [scaling_factor] is required
          {"properties":{"":{"type":"long"}}} | field name cannot be an empty string
          {"properties":{"x":{"type":"long","index":"maybe"}}} | Failed to parse value [maybe] as only [true] or [false] are allowed.
          """)
  void unreadableMappingsAreRefused(String json, String reason) {
    assertThatThrownBy(() -> mapping(json))
        .isInstanceOf(Refusal.class)
        .hasMessage("Failed to parse mapping: " + reason);
  }

  @Test
  void limitsAreKept() {
    assertThatThrownBy(() ->
            mapping(
                    "{\"properties\":{\"a\":{\"type\":\"long\"},\"b\":{\"type\":\"long\"}}}",
                    "index.mapping.total_fields.limit",
                    "1")
                .merge(Json.object()))
        .hasMessage("Limit of total fields [1] has been exceeded");
    assertThatThrownBy(() ->
            mapping(
                    "{\"properties\":{\"a.b.c\":{\"type\":\"long\"}}}",
                    "index.mapping.depth.limit",
                    "2")
                .merge(Json.object()))
        .hasMessage("Limit of mapping depth [2] has been exceeded due to object field [a.b]");
    assertThatThrownBy(() ->
            mapping(
                    "{\"properties\":{\"abcdef\":{\"type\":\"long\"}}}",
                    "index.mapping.field_name_length.limit",
                    "5")
                .merge(Json.object()))
        .hasMessage("Field name [abcdef] is longer than the limit of [5] characters");
  }

  @ParameterizedTest
  @ValueSource(strings = {"true", "runtime"})
  void namesOfThousandsOfDotsAreRefusedBeforeTheStackEnds(String dynamic) throws Exception {
    DocumentMapping mapping =
        (DocumentMapping) mapping("{\"dynamic\":\"" + dynamic + "\",\"properties\":{}}");
    ObjectNode document = Json.object().put("a" + ".a".repeat(100_000), 1);

    assertThatThrownBy(() -> mapping.infer(document, Map.of(), new ArrayList<>()))
        .isInstanceOf(Refusal.class)
        .hasMessageStartingWith("Limit of mapping depth [")
        .hasMessageContaining("has been exceeded due to object field [a.a.a");
    assertThat(
            mapping
                .infer(Json.object().put("a" + ".a".repeat(18), 1), Map.of(), new ArrayList<>())
                .isEmpty())
        .isFalse();
  }
}
