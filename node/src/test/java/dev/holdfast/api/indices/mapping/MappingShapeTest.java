package dev.holdfast.api.indices.mapping;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.node.RunningNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What says nothing in a request for an index, as Elasticsearch 9.5.3 refuses it.
final class MappingShapeTest {
  @RegisterExtension static final RunningNode node = RunningNode.alone();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'properties':null}                                     | properties must be a map type",
        "{'properties':{'o':{'properties':null}}}                | properties must be a map type",
        "{'properties':{'o':{'type':'nested','properties':null}}}| properties must be a map type",
        "{'runtime':null}                                        | runtime must be a map type",
        "{'_source':null}                                        | [_source] config must be an"
            + " object",
        "{'properties':{'a':{'type':'text','fields':'pear'}}}    | expected map for property"
            + " [fields] on field [a] but got \"pear\"",
        "{'properties':{'a':{'type':'text','fields':null}}}      | expected map for property"
            + " [fields] on field [a] but got null",
        "{'properties':{'a':{'type':'text','analyzer':null}}}    | [analyzer] on mapper [a] of type"
            + " [text] must not have a [null] value",
        "{'properties':{'a':{'type':'keyword','store':7}}}       | Failed to parse value [7] as"
            + " only [true] or [false] are allowed.",
        "{'properties':{'a':{'type':'text','fields':{'k':{'type':'keyword','store':[true]}}}}} |"
            + " Failed to parse value [[true]] as only [true] or [false] are allowed.",
        "{'properties':{'a':{'type':'dense_vector','dims':'3'}}} | Property [dims] on field [a]"
            + " must be an integer but got [3]",
        "{'properties':{'a':{'type':'text','position_increment_gap':-1}}} | [position_increment_gap]"
            + " must be positive, got [-1]",
        "{'properties':{'a':{'type':'keyword','ignore_above':1.5}}} | 1.5 is not an integer value",
        "{'properties':{'a':{'type':'keyword','ignore_above':5000000000}}} | integer overflow",
        "{'properties':{'a':{'type':'text','index_prefixes':7}}} | [index_prefixes] must be an"
            + " object, found [7]",
        "{'properties':{'a':{'type':'text','index_prefixes':{'pear':1}}}} | Mapping definition for"
            + " [a] has unsupported parameters:  [pear : 1]",
        "{'properties':{'a':{'type':'text','index_prefixes':{'min_chars':9}}}} | max_chars [5] must"
            + " be at least min_chars [9] and less than 20",
        "{'properties':{'a':{'type':'text','fielddata_frequency_filter':{'min':true}}}} | [min]: For"
            + " input string: \"true\"",
        "{'properties':{'a':{'type':'text','copy_to':[null]}}} | [copy_to] must hold names of"
            + " fields, found [null]",
        "{'_source':{'mode':'pear'}} | unknown [mode] of [_source]: [pear], known are [stored,"
            + " synthetic, disabled]",
        "{'_source':{'includes':{'a':1}}} | [includes] of [_source] must be a list, found"
            + " [{\"a\":1}]",
        "{'properties':{'a':{'type':'text','copy_to':{'b':1}}}} | [copy_to] must hold names of"
            + " fields, found [{\"b\":1}]",
        "{'properties':{'a':{'type':'completion','max_input_length':1.5}}} | 1.5 is not an integer"
            + " value",
        "{'properties':{'a':{'type':'sparse_vector','index_options':{'type':'hnsw'}}}} | Mapping"
            + " definition for [a] has unsupported parameters:  [type : hnsw]",
        "{'properties':{'a':{'type':'date','locale':'pear'}}} | Unknown language: pear",
        "{'properties':{'a':{'type':'boolean','null_value':[]}}} | Failed to parse value [[]] as only"
            + " [true] or [false] are allowed.",
        "{'properties':{'a':{'type':'rank_feature','null_value':'x'}}} | [null_value]: For input"
            + " string: \"x\"",
        "{'properties':{'a':{'type':'flattened','depth_limit':-1}}} | [depth_limit] must be positive,"
            + " got [-1]",
        "{'properties':{'a':{'type':'flattened','index_options':'positions'}}} | Unknown value"
            + " [positions] for field [index_options] - accepted values are [docs, freqs]",
        "{'properties':{'a':{'type':'dense_vector','dims':4,'index_options':{'type':'hnsw','m':0}}}}"
            + " | [m] must be from 1 to 512, but is [0]",
        "{'properties':{'a':{'type':'dense_vector','dims':4,'index_options':{'type':'hnsw',"
            + "'ef_construction':'x'}}}} | [ef_construction]: For input string: \"x\"",
        "{'properties':{'a':{'type':'dense_vector','dims':4,'index_options':{'type':'int8_hnsw',"
            + "'rescore_vector':{}}}}} | Invalid rescore_vector value. Missing required field"
            + " oversample",
        "{'properties':{'a':{'type':'completion','contexts':[]}}} | expected at least one context"
            + " mapping",
        "{'properties':{'a':{'type':'completion','contexts':{'name':'b','type':'geo','pear':1}}}} |"
            + " Mapping definition for [b] has unsupported parameters:  [pear : 1]",
        "{'properties':{'a':{'type':'completion','contexts':{'name':'b','type':'geo',"
            + "'precision':'near'}}}} | [precision] must be a length or the size of a cell, [5km],"
            + " but is [near]",
        "{'properties':{'a':{'type':'text','fields':{'b':{'type':'text','fields':{}}}}}} | Encountered"
            + " a multi-field [b] which itself contains a multi-field. Defining chained multi-fields"
            + " is not supported.",
        "{'properties':{'a':{'type':'text','fields':{'b':{'type':'keyword','copy_to':'c'}}}}} |"
            + " [copy_to] may not be used to copy from a multi-field: [a.b]",
        "{'properties':{'a':{'type':'flattened','copy_to':'b'}}} | flattened field [a] does not"
            + " support [copy_to]",
        "{'properties':{'a':{'type':'flattened','fields':{'b':{'type':'keyword'}}}}} | flattened field"
            + " [a] does not support [fields]",
        "{'properties':{'b':{'type':'long'},'a':{'type':'alias','path':'b','meta':{}}}} | Mapping"
            + " definition for [a] has unsupported parameters:  [meta : {}]",
        "{'properties':{'a':{'type':'dense_vector','dims':4,'store':false}}} | unknown parameter"
            + " [store] on mapper [a] of type [dense_vector]",
        "{'properties':{'a':{'type':'sparse_vector','index_options':'docs'}}} | index_options should be"
            + " a map",
        "{'properties':{'a':{'type':'nested','synthetic_source_keep':'arrays'}}} | parameter ["
            + " synthetic_source_keep ] can't be set to [arrays] for nested object [a]",
        "{'properties':{'a':{'type':'object','subobjects':'auto'}}} | unknown subobjects value: auto",
        "{'dynamic':'False'} | Could not convert [dynamic.dynamic] to boolean",
        "{'properties':{'a':{'type':'object','dynamic':'TRUE'}}} | Could not convert [dynamic.dynamic]"
            + " to boolean",
      })
  void nullAndValuesOfAnotherKindAreNoMapping(String mapping, String reason) throws Exception {
    String json = mapping.replace('\'', '"');
    node.ok("PUT", "/there", "");
    try {
      assertThat(
              node.refused(400, "PUT", "/shape", "{\"mappings\":" + json + "}")
                  .at("/error/reason")
                  .asText())
          .isEqualTo("Failed to parse mapping: " + reason);
      node.refused(400, "PUT", "/there/_mapping", json);
      node.refused(
          400,
          "PUT",
          "/_index_template/shape",
          "{\"index_patterns\":[\"shape*\"],\"template\":{\"mappings\":" + json + "}}");
    } finally {
      node.ok("DELETE", "/there", "");
    }
  }

  @Test
  void whatMayBeNullIsTaken() throws Exception {
    node.ok(
        "PUT",
        "/nulls",
        "{\"mappings\":{\"properties\":{\"a\":{\"type\":\"keyword\",\"normalizer\":null,"
            + "\"null_value\":null,\"similarity\":null,\"store\":\"true\"},"
            + "\"store\":{\"subobjects\":null,\"dynamic\":\"STRICT\","
            + "\"properties\":{\"fields\":{\"type\":\"long\"}}}}}}");
    assertThat(node.ok("GET", "/nulls", "").at("/nulls/mappings/properties/a/type").asText())
        .isEqualTo("keyword");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"analysis\":null}",
        "{\"analysis\":{\"filter\":{\"f\":\"pear\"}}}",
        "{\"analysis\":{\"filter\":{\"f\":null}}}",
        "{\"analysis\":{\"filter\":[{\"f\":{\"type\":\"stop\"}}]}}",
        "{\"analysis\":{\"filter\":{\"f\":{\"type\":\"stop\",\"stopwords\":[null]}}}}",
        "{\"analysis\":{\"filter\":{\"f\":{\"type\":\"stop\",\"stopwords\":[[\"a\"]]}}}}",
        "{\"banana\":null}",
      })
  void settingsThatMeanNothingAreRefused(String settings) throws Exception {
    node.refused(400, "PUT", "/shape", "{\"settings\":" + settings + "}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"is_write_index\":null}",
        "{\"is_write_index\":\"true\"}",
        "{\"routing\":null}",
        "{\"routing\":1}",
        "{\"filter\":[]}"
      })
  void optionsOfAnAliasAreOfTheirKind(String options) throws Exception {
    node.refused(400, "PUT", "/shape", "{\"aliases\":{\"a\":" + options + "}}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"{\"properties\":{\"b\":{\"nope\":1}}}", "{\"dynamic\":\"x\"}"})
  void anIndexThatIsNotThereIsToldBeforeItsMapping(String mapping) throws Exception {
    assertThat(node.refused(404, "PUT", "/nowhere/_mapping", mapping).at("/error/type").asText())
        .isEqualTo("index_not_found_exception");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", "true", "{}"})
  void aVectorIsNeitherNumberNorNothing(String value) throws Exception {
    node.ok("PUT", "/v", "{\"mappings\":{\"properties\":{\"v\":{\"type\":\"dense_vector\"}}}}");
    try {
      node.refused(400, "PUT", "/v/_doc/1", "{\"v\":" + value + "}");
      assertThat(node.ok("PUT", "/v/_doc/1", "{\"v\":[1,2]}").path("result").asText())
          .isEqualTo("created");
    } finally {
      node.ok("DELETE", "/v", "");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "/_component_template/t | {\"template\":{\"settings\":\"pear\"}}",
        "/_component_template/t | {\"template\":{\"mappings\":null}}",
        "/_component_template/t | {\"template\":{\"aliases\":[]}}",
        "/_component_template/t | {\"template\":{},\"version\":null}",
        "/_index_template/t     | {\"index_patterns\":[\"z\"],\"template\":null}",
        "/_index_template/t     | {\"index_patterns\":[\"z\"],\"template\":{\"settings\":7}}",
        "/_index_template/t     | {\"index_patterns\":[\"z\"],\"priority\":null}",
        "/_template/t           | {\"index_patterns\":[\"z\"],\"settings\":7}",
      })
  void aTemplateHasSectionsOrNone(String path, String body) throws Exception {
    node.refused(400, "PUT", path, body);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "null",
        "\"pear\"",
        "7",
        "true",
        "{\"max_age\":-1}",
        "{\"max_age\":0}",
        "{\"min_age\":-1,\"max_docs\":0}",
        "{\"max_size\":null}"
      })
  void conditionsThatAreNoneDoNotRollOver(String conditions) throws Exception {
    node.ok("PUT", "/roll-000001", "{\"aliases\":{\"roll\":{\"is_write_index\":true}}}");
    try {
      node.refused(400, "POST", "/roll/_rollover", "{\"conditions\":" + conditions + "}");
      assertThat(node.ok("GET", "/roll-*", "").size()).isEqualTo(1);
    } finally {
      node.ok("DELETE", "/roll-000001", "");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"add\":{\"index\":[\"al\"],\"alias\":\"a\"}}",
        "{\"add\":{\"index\":\"al\",\"alias\":true}}",
        "{\"add\":{\"index\":\"al\",\"alias\":\"a\",\"routing\":null}}",
        "[{\"add\":{\"index\":\"al\",\"alias\":\"a\"}}]"
      })
  void actionsNameOneIndexByAText(String action) throws Exception {
    node.ok("PUT", "/al", "");
    try {
      node.refused(400, "POST", "/_aliases", "{\"actions\":[" + action + "]}");
      assertThat(node.ok("GET", "/al/_alias", "").at("/al/aliases").isEmpty()).isTrue();
    } finally {
      node.ok("DELETE", "/al", "");
    }
  }

  @Test
  void theFirstMappingOfAnIndexSaysWhatLaterOnesMayNotChange() throws Exception {
    String[] firsts = {
      "{\"_routing\":{\"required\":true}}",
      "{\"_source\":{\"excludes\":[\"b\"]}}",
      "{\"enabled\":false}",
      "{\"subobjects\":false}"
    };
    for (String first : firsts) {
      node.ok("PUT", "/first", "");
      node.ok("PUT", "/first/_mapping", first);
      assertThat(node.json("/first/_mapping").at("/first/mappings")).hasToString(first);
      node.ok("DELETE", "/first", "");
      node.ok("PUT", "/first", "{\"mappings\":{\"properties\":{\"a\":{\"type\":\"long\"}}}}");
      node.refused(400, "PUT", "/first/_mapping", first);
      node.ok("DELETE", "/first", "");
    }
  }

  @Test
  void theModeOfSourcesIsASetting() throws Exception {
    node.ok("PUT", "/mode", "{\"mappings\":{\"_source\":{\"mode\":\"synthetic\"}}}");

    assertThat(node.json("/mode/_mapping").at("/mode/mappings")).hasToString("{}");
  }

  @Test
  void theDefaultAnalyzerMayBeNamedLater() throws Exception {
    String field = "{\"properties\":{\"t\":{\"type\":\"text\"%s}}}";
    node.ok("PUT", "/named", "{\"mappings\":" + field.formatted("") + "}");
    node.ok("PUT", "/named/_mapping", field.formatted(",\"analyzer\":\"default\""));
    node.ok("PUT", "/named/_mapping", field.formatted(""));

    node.refused(400, "PUT", "/named/_mapping", field.formatted(",\"analyzer\":\"simple\""));
  }
}
