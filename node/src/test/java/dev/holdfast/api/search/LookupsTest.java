package dev.holdfast.api.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.node.RunningNode;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Queries that name other documents, wherever a query may stand.
final class LookupsTest {
  private static final String BY_TERMS =
      "{\"terms\":{\"k\":{\"index\":\"lists\",\"id\":\"1\",\"path\":\"ks\"}}}";

  private static final String BY_SHAPE =
      "{\"geo_shape\":{\"g\":{\"indexed_shape\":{\"index\":\"lists\",\"id\":\"1\",\"path\":\"area\"}}}}";

  @RegisterExtension static final RunningNode node = RunningNode.alone();

  @BeforeEach
  void write() throws Exception {
    node.ok(
        "PUT",
        "/docs",
        "{\"mappings\":{\"properties\":{\"k\":{\"type\":\"keyword\"},\"g\":{\"type\":\"geo_point\"}}}}");
    node.ok(
        "POST",
        "/docs/_bulk?refresh=true",
        """
        {"index":{"_id":"1"}}
        {"k":"a","g":"POINT (1 1)"}
        {"index":{"_id":"2"}}
        {"k":"b","g":"POINT (9 9)"}
        """);
    node.ok(
        "PUT",
        "/lists/_doc/1?refresh=true",
        "{\"ks\":[\"a\",\"z\"],\"area\":{\"type\":\"envelope\",\"coordinates\":[[0,2],[2,0]]}}");
  }

  @org.junit.jupiter.api.AfterEach
  void forget() throws Exception {
    node.ok("DELETE", "/docs,lists", "");
    node.call("DELETE", "/copy", "");
  }

  private static String body(String query) {
    return "{\"query\":" + query + "}";
  }

  @Test
  void aValidationSeesWhatIsLookedUp() throws Exception {
    for (String query : new String[] {BY_TERMS, BY_SHAPE}) {
      var answer = node.ok("POST", "/docs/_validate/query?rewrite=true", body(query));
      assertThat(answer.path("valid").asBoolean()).as(query + answer).isTrue();
    }
    assertThat(
            node.ok("POST", "/docs/_validate/query?rewrite=true", body(BY_TERMS))
                .at("/explanations/0/explanation")
                .asText())
        .contains("k:(a z)");
  }

  @Test
  void documentsOfAnotherVersionAreNotLiked() throws Exception {
    String like =
        "{\"more_like_this\":{\"fields\":[\"k\"],\"include\":true,\"min_term_freq\":1,\"min_doc_freq\":1,"
            + "\"like\":{\"_index\":\"docs\",\"_id\":\"1\",\"version\":%s}}}";

    for (String version : new String[] {"1", "-3", "null"}) {
      assertThat(
              node.ok("POST", "/docs/_search", body(like.formatted(version)))
                  .at("/hits/total/value")
                  .asInt())
          .as(version)
          .isEqualTo(1);
    }
    assertThat(
            node.ok("POST", "/docs/_search", body(like.formatted(2)))
                .at("/hits/total/value")
                .asInt())
        .isZero();
    node.refused(400, "POST", "/docs/_search", body(like.formatted("1,\"version_type\":\"pear\"")));
    node.refused(
        400, "POST", "/docs/_search", body(like.formatted("1,\"per_field_analyzer\":{\"k\":5}")));
  }

  @Test
  void whatIsWrittenByQueryIsLookedUpToo() throws Exception {
    assertThat(
            node.ok("POST", "/docs/_update_by_query?refresh=true", body(BY_TERMS))
                .path("updated")
                .asInt())
        .isEqualTo(1);
    String source =
        "{\"source\":{\"index\":\"docs\",\"query\":"
            + BY_SHAPE
            + "},\"dest\":{\"index\":\"copy\"}}";
    assertThat(node.ok("POST", "/_reindex?refresh=true", source).path("created").asInt())
        .isEqualTo(1);
    assertThat(node.ok("GET", "/copy/_search", "").at("/hits/hits/0/_id").asText()).isEqualTo("1");
    assertThat(
            node.ok("POST", "/docs/_delete_by_query?refresh=true", body(BY_SHAPE))
                .path("deleted")
                .asInt())
        .isEqualTo(1);
    assertThat(node.ok("GET", "/docs/_count", "").path("count").asInt()).isEqualTo(1);
  }

  @Test
  void theVectorOfADocumentIsLookedFor() throws Exception {
    node.ok(
        "PUT",
        "/vectors",
        "{\"mappings\":{\"properties\":{\"v\":{\"type\":\"dense_vector\",\"dims\":2}}}}");
    node.ok("PUT", "/vectors/_doc/1?refresh", "{\"v\":[1,2]}");
    node.ok("PUT", "/vectors/_doc/2?refresh", "{\"v\":\"P4AAAL+AAAA=\"}");
    String knn =
        "{\"field\":\"v\",\"k\":1,\"num_candidates\":5,\"query_vector_builder\":{\"lookup\":%s}}";
    String first = knn.formatted("{\"index\":\"vectors\",\"id\":\"1\",\"path\":\"v\"}");
    String second = first.replace("\"1\"", "\"2\"");

    for (String body :
        List.of(
            "{\"knn\":" + first + "}",
            "{\"knn\":[" + first + "]}",
            "{\"size\":1,\"query\":{\"bool\":{\"must\":{\"knn\":" + first + "}}}}",
            "{\"retriever\":{\"knn\":" + first + "}}")) {
      assertThat(best(body)).as(body).isEqualTo("1");
    }
    assertThat(best("{\"knn\":" + second + "}")).isEqualTo("2");
    String all = "{\"knn\":" + first + "}";
    refused(
        404, all.replace("\"1\"", "\"7\""), "Document with id [7] not found in index [vectors]");
    refused(
        404, all.replace("\"path\":\"v\"", "\"path\":\"w\""), "Field [w] not found in document");
    refused(404, all.replace("\"vectors\"", "\"none\""), "no such index [none]");
    refused(400, all.replace("\"path\":\"v\"", "\"a\":1"), "Required [path]");
    refused(400, all.replace("\"path\"", "\"a\":1,\"path\""), "[lookup] unknown field [a]");
    refused(400, all.replace("\"k\"", "\"query_vector\":[1,2],\"k\""), "cannot provide both");
    refused(400, all.replace("lookup", "text_embedding"), "needs a model, which is not supported");
    refused(400, all.replace("lookup", "banana"), "unknown field [banana]");
  }

  private static String best(String body) throws Exception {
    return node.ok("POST", "/vectors/_search", body).at("/hits/hits/0/_id").asText();
  }

  private static void refused(int status, String body, String why) throws Exception {
    assertThat(node.refused(status, "POST", "/vectors/_search", body).toString()).contains(why);
  }
}
