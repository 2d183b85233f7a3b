package dev.holdfast.api.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.node.RunningNode;
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
}
