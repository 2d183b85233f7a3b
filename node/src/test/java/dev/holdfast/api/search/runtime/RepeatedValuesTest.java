package dev.holdfast.api.search.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.RunningNode;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// A runtime field has a value as often as its document or script says; an index has each once.
final class RepeatedValuesTest {
  @RegisterExtension static final RunningNode node = RunningNode.alone();

  @BeforeAll
  static void fill() throws Exception {
    JsonNode _ =
        node.ok(
            "PUT",
            "/words",
            """
            {"mappings": {"dynamic": false,
               "runtime": {"w": {"type": "keyword"}, "a": {"type": "ip"},
                 "made": {"type": "keyword", "script": "emit('y'); emit('x'); emit('y')"}},
               "properties": {"k": {"type": "keyword"}}}}\
            """);
    JsonNode _ =
        node.ok(
            "PUT",
            "/words/_doc/1?refresh=true",
            """
            {"w": ["b", "a", "b"], "k": ["b", "a", "b"], "a": ["::1", "10.0.0.1", "::1"]}\
            """);
    JsonNode _ = node.ok("PUT", "/words/_doc/2?refresh=true", "{\"w\": \"b\", \"k\": \"b\"}");
  }

  private static JsonNode search(String body) throws Exception {
    return node.ok("POST", "/words/_search", body);
  }

  @Test
  void hitsShowEachValue() throws Exception {
    JsonNode hit =
        search(
                """
                {"query": {"ids": {"values": ["1"]}}, "_source": false,
                 "fields": ["w", "a", "made"], "docvalue_fields": ["k"],
                 "script_fields": {
                   "w-count": {"script": "doc['w'].size()"},
                   "k-count": {"script": "doc['k'].size()"}}}\
                """)
            .at("/hits/hits/0/fields");

    assertThat(hit.path("w")).hasToString("[\"a\",\"b\",\"b\"]");
    assertThat(hit.path("a")).hasToString("[\"::1\",\"::1\",\"10.0.0.1\"]");
    assertThat(hit.path("made")).hasToString("[\"x\",\"y\",\"y\"]");
    assertThat(hit.path("k")).hasToString("[\"a\",\"b\"]");
    assertThat(hit.path("w-count")).hasToString("[3]");
    assertThat(hit.path("k-count")).hasToString("[2]");
  }

  @Test
  void valuesAreCountedAndDocumentsAreNot() throws Exception {
    JsonNode counted =
        search(
                """
                {"size": 0, "aggs": {
                   "values": {"value_count": {"field": "w"}},
                   "indexed": {"value_count": {"field": "k"}},
                   "scripted": {"value_count": {"field": "k", "script": "'same'"}},
                   "words": {"terms": {"field": "w"}}}}\
                """)
            .path("aggregations");

    assertThat(counted.at("/values/value").asInt()).isEqualTo(4);
    assertThat(counted.at("/indexed/value").asInt()).isEqualTo(3);
    assertThat(counted.at("/scripted/value").asInt()).isEqualTo(3);
    assertThat(counted.at("/words/buckets"))
        .hasToString("[{\"key\":\"b\",\"doc_count\":2},{\"key\":\"a\",\"doc_count\":1}]");
  }
}
