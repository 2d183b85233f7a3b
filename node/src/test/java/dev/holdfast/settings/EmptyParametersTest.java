package dev.holdfast.settings;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.RunningNode;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Parameters without a value: flags are true by it, options are as if not given, everything else
/// is refused, as by Elasticsearch.
final class EmptyParametersTest {
  @RegisterExtension static final RunningNode node = RunningNode.alone();

  @BeforeAll
  static void fill() throws Exception {
    node.fill("books", 2);
  }

  @Test
  void whatMustBeSaidIsRefused() throws Exception {
    String[][] refused = {
      {
        "GET", "/books/_search?ignore_throttled=", "Could not convert [ignore_throttled] to boolean"
      },
      {"GET", "/books/_search?allow_no_indices", "Could not convert [allow_no_indices] to boolean"},
      {"GET", "/books/_count?ignore_unavailable=", "Could not convert [ignore_unavailable]"},
      {"GET", "/books/_count?ignore_unavailable=maybe", "Could not convert [ignore_unavailable]"},
      {"GET", "/_resolve/index/*?mode=", "[] is an invalid index mode"},
      {"PUT", "/books/_doc/9?wait_for_active_shards=", "cannot parse ActiveShardCount[]"},
      {"GET", "/_cluster/health?wait_for_active_shards", "cannot parse ActiveShardCount[]"},
      {"GET", "/books/_search?size=", "Failed to parse int parameter [size] with value []"},
      {"GET", "/books/_search?timeout=", "failed to parse setting [timeout] with value []"}
    };
    for (String[] one : refused) {
      String body = one[0].equals("PUT") ? "{}" : "";
      assertThat(node.refused(400, one[0], one[1], body).at("/error/reason").asText())
          .as(one[1])
          .contains(one[2]);
    }
  }

  @Test
  void theReasonIsNamedBehind() throws Exception {
    JsonNode refused = node.refused(400, "GET", "/books/_search?ignore_unavailable=", "");

    assertThat(refused.at("/error/caused_by/reason").asText())
        .isEqualTo("Failed to parse value [] as only [true] or [false] are allowed.");
  }

  @Test
  void optionsAreAsIfNotGivenAndFlagsAreTrue() throws Exception {
    JsonNode hit =
        node.json("/books/_search?size=1&explain=&version=&seq_no_primary_term=&request_cache=")
            .at("/hits/hits/0");

    assertThat(hit.has("_explanation")).isFalse();
    assertThat(hit.has("_version")).isFalse();
    assertThat(hit.has("_seq_no")).isFalse();
    assertThat(node.json("/books/_search?allow_partial_search_results=").at("/hits/total/value"))
        .hasToString("2");
    assertThat(node.json("/books/_search?track_scores=&sort=n").at("/hits/max_score").asDouble())
        .isPositive();
    assertThat(node.json("/books/_search?rest_total_hits_as_int").at("/hits/total"))
        .hasToString("2");
  }
}
