package dev.holdfast.api.document;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.NodeFixture;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Requests about documents that Elasticsearch refuses, and what it says.
final class StrictParametersTest {
  @Test
  void refusesWhatCannotBeMeant(@TempDir Path folder) throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      node.ok("PUT", "/books/_doc/1?routing=", "{\"n\":1}");

      assertThat(node.json("/books/_doc/1").has("_routing")).isFalse();
      refused(node, "PUT", "/books/_doc/1?wait_for_active_shards=x", "{}", "ActiveShardCount[x]");
      refused(node, "PUT", "/books/_doc/1?wait_for_active_shards=-1", "{}", "negative");
      refused(node, "PUT", "/books/_doc/1?include_source_on_error=x", "{}", "[true] or [false]");
      refused(node, "GET", "/books/_doc/1?version_type=force", "", "No version type match");
      refused(node, "GET", "/books/_doc/1?preference=_near", "", "no Preference for [_near]");
      refused(node, "GET", "/_all/_doc/1", "", "multiple indices");
      refused(node, "GET", "/books/_doc/1?_source_include=n", "", "[_source_includes");
      refused(node, "GET", "/books/_source/1?_source=false", "", "source can not be disabled");
      refused(node, "DELETE", "/books/_doc/1?require_alias=true", "", "unrecognized parameter");
      refused(node, "POST", "/books/_update/1", "", "script or doc is missing");
      refused(node, "POST", "/books/_update/1?version=1", "{\"doc\":{}}", "internal versioning");
      refused(node, "POST", "/books/_mget", "{\"ids\":[{}]}", "should only contain ids");
      refused(node, "POST", "/books/_mget", "{\"ids\":\"1\"}", "[START_ARRAY]");
      refused(
          node,
          "POST",
          "/books/_mget",
          "{\"docs\":[{\"_id\":\"1\",\"x\":1}]}",
          "unknown field [x]");
      refused(node, "PUT", "/books/_mapping", "{\"_doc\":{}}", "Types cannot be provided");
      refused(
          node,
          "PUT",
          "/books/_mapping",
          "{\"properties\":{\"_id\":{\"type\":\"long\"}}}",
          "[_id] is defined more than once");
      refused(node, "PUT", "/books/_alias/b", "{\"routing\":\"1,2\"}", "several index routing");
      assertThat(node.call("PUT", "/no*/_mapping", "{\"properties\":{}}").statusCode())
          .isEqualTo(404);
      assertThat(node.call("PUT", "/books/_doc/2?require_data_stream=true", "{}").statusCode())
          .isEqualTo(404);
    }
  }

  /// Each has a progress of its own before anything is looked for: two thousand million would end
  /// the node.
  @Test
  void noMoreSlicesThanAScrollMayHave(@TempDir Path folder) throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      node.ok("PUT", "/books/_doc/1?refresh=true", "{\"n\":1}");
      String query = "{\"query\":{\"match_all\":{}}}";

      for (String slices : new String[] {"2000000000", "1025"}) {
        refused(node, "POST", "/books/_delete_by_query?slices=" + slices, query, "too large");
        refused(node, "POST", "/none*/_delete_by_query?slices=2000000000", query, "too large");
      }
      JsonNode done = node.ok("POST", "/books/_delete_by_query?slices=40", query);

      assertThat(done.path("deleted").asInt()).isEqualTo(1);
      assertThat(done.path("slices")).hasSize(40);
    }
  }

  @Test
  void requireAliasIsNothingForDeletes(@TempDir Path folder) throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      node.ok("PUT", "/books/_doc/1", "{\"n\":1}");

      JsonNode bulk =
          node.ok(
              "POST",
              "/books/_bulk?require_alias=true",
              "{\"index\":{\"_id\":\"2\"}}\n{}\n{\"delete\":{\"_id\":\"1\"}}\n");
      HttpResponse<String> created =
          node.call("POST", "/books/_update/3", "{\"doc\":{},\"doc_as_upsert\":true}");

      assertThat(bulk.at("/items/0/index/status").asInt()).isEqualTo(404);
      assertThat(bulk.at("/items/1/delete/result").asText()).isEqualTo("deleted");
      assertThat(created.headers().firstValue("Location")).hasValue("/books/_doc/3");
    }
  }

  @Test
  void everyItemOfABulkMayRequireAnAlias(@TempDir Path folder) throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      // given
      node.ok("PUT", "/books", "{\"aliases\":{\"library\":{}}}");

      // when
      JsonNode bulk =
          node.ok(
              "POST",
              "/_bulk",
              """
              {"index":{"_index":"books","_id":"1"}}
              {}
              {"index":{"_index":"books","_id":"2","require_alias":true}}
              {}
              {"index":{"_index":"library","_id":"3","require_alias":true}}
              {}
              {"index":{"_index":"library","_id":"4"}}
              {}
              {"update":{"_index":"books","_id":"1","require_alias":true}}
              {"doc":{"n":1}}
              """);

      // then
      assertThat(bulk.at("/items/0/index/status").asInt()).isEqualTo(201);
      assertThat(bulk.at("/items/1/index/error/reason").asText())
          .isEqualTo(
              "no such index [books] and [require_alias] request flag is [true] and [books] is not"
                  + " an alias");
      assertThat(bulk.at("/items/2/index/status").asInt()).isEqualTo(201);
      assertThat(bulk.at("/items/3/index/status").asInt()).isEqualTo(201);
      assertThat(bulk.at("/items/4/update/status").asInt()).isEqualTo(404);
    }
  }

  @Test
  void anItemOfABulkMayListItsPipelines(@TempDir Path folder) throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      JsonNode _ = node.ok("PUT", "/_ingest/pipeline/p", "{\"processors\":[]}");
      String item = "{\"index\":{\"pipeline\":\"p\"%s}}\n{\"n\":1}\n";
      String listed = item.formatted(",\"list_executed_pipelines\":true");

      JsonNode answer = node.ok("POST", "/books/_bulk", listed + item.formatted(""));
      JsonNode _ =
          node.refused(
              400,
              "POST",
              "/books/_bulk",
              item.formatted(",\"list_executed_pipelines\":\"banana\""));

      assertThat(answer.at("/items/0/index/executed_pipelines")).hasToString("[\"p\"]");
      assertThat(answer.at("/items/1/index").has("executed_pipelines")).isFalse();
    }
  }

  @Test
  void vectorsWhoseLengthIsNoNumberAreRefused(@TempDir Path folder) throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      JsonNode _ =
          node.ok(
              "PUT",
              "/books",
              """
              {"mappings":{"properties":{"v":{"type":"dense_vector","dims":2,"similarity":"cosine"}}}}
              """);

      JsonNode document = node.refused(400, "PUT", "/books/_doc/1", "{\"v\":[1e30,1]}");
      JsonNode query =
          node.refused(
              400,
              "POST",
              "/books/_search",
              "{\"knn\":{\"field\":\"v\",\"query_vector\":[1e30,1]}}");

      assertThat(document.toString()).contains("magnitude of the vector is infinite");
      assertThat(query.toString()).contains("magnitude of the vector is infinite");
    }
  }

  @Test
  void aGetOfSeveralKnowsTheKindsOfVersions(@TempDir Path folder) throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      JsonNode _ = node.ok("PUT", "/books/_doc/1", "{\"n\":1}");

      JsonNode refused =
          node.refused(
              400,
              "POST",
              "/books/_mget",
              "{\"docs\":[{\"_id\":\"1\",\"version_type\":\"banana\"}]}");
      JsonNode empty = node.ok("POST", "/books/_mget", "{\"ids\":[\"1\",\"\"]}");

      assertThat(refused.at("/error/reason").asText()).isEqualTo("No version type match [banana]");
      assertThat(empty.at("/docs/0/found").asBoolean()).isTrue();
      assertThat(empty.at("/docs/1/error/reason").asText()).isEqualTo("Ids can't be empty");
    }
  }

  private static void refused(
      NodeFixture node, String method, String target, String body, String why) throws Exception {
    assertThat(node.refused(400, method, target, body).at("/error/reason").asText()).contains(why);
  }
}
