package dev.holdfast.api.enrich;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.NodeFixture;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class EnrichRequestsTest {
  @TempDir Path folder;

  private static void policy(NodeFixture node, String name, String type, String index)
      throws Exception {
    node.ok(
        "PUT",
        "/_enrich/policy/" + name,
        "{\""
            + type
            + "\":{\"indices\":\""
            + index
            + "\",\"match_field\":\"key\",\"enrich_fields\":[\"a\"]}}");
    assertThat(node.ok("POST", "/_enrich/policy/" + name + "/_execute", "").toString())
        .isEqualTo("{\"status\":{\"phase\":\"COMPLETE\"}}");
  }

  private static JsonNode enriched(NodeFixture node, String policy, String value, String more)
      throws Exception {
    return node.ok(
            "POST",
            "/_ingest/pipeline/_simulate",
            "{\"pipeline\":{\"processors\":[{\"enrich\":{\"policy_name\":\""
                + policy
                + "\",\"field\":\"k\",\"target_field\":\"e\""
                + more
                + "}}]},\"docs\":[{\"_source\":{\"k\":"
                + value
                + "}}]}")
        .at("/docs/0");
  }

  private static void fill(NodeFixture node, String index, String type, String... keys)
      throws Exception {
    node.ok(
        "PUT",
        "/" + index,
        "{\"mappings\":{\"properties\":{\"key\":{\"type\":\"" + type + "\"}}}}");
    for (int i = 0; i < keys.length; i++) {
      node.ok(
          "PUT",
          "/" + index + "/_doc/" + i + "?refresh",
          "{\"key\":" + keys[i] + ",\"a\":" + i + ",\"b\":0}");
    }
  }

  @Test
  void documentsGetWhatTheIndexOfThePolicyHas() throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      fill(node, "users", "keyword", "\"x\"", "\"y\"", "\"y\"");
      fill(
          node,
          "nets",
          "ip_range",
          "\"10.0.0.0/8\"",
          "{\"gte\":\"192.168.0.0\",\"lte\":\"192.168.0.9\"}");
      fill(node, "areas", "geo_shape", "\"POLYGON((0 0, 10 0, 10 10, 0 10, 0 0))\"");
      policy(node, "users", "match", "users");
      policy(node, "nets", "range", "nets");
      policy(node, "areas", "geo_match", "areas");

      assertThat(enriched(node, "users", "\"x\"", "").at("/doc/_source/e").toString())
          .isEqualTo("{\"key\":\"x\",\"a\":0}");
      assertThat(enriched(node, "users", "\"y\"", ",\"max_matches\":5").at("/doc/_source/e"))
          .hasSize(2);
      assertThat(enriched(node, "users", "\"z\"", "").at("/doc/_source").has("e")).isFalse();
      assertThat(enriched(node, "nets", "\"192.168.0.3\"", "").at("/doc/_source/e/a").asInt())
          .isEqualTo(1);
      assertThat(enriched(node, "areas", "\"5,5\"", "").at("/doc/_source/e/a").asInt(-1)).isZero();
      assertThat(enriched(node, "areas", "{\"lat\":20,\"lon\":5}", "").at("/doc/_source").has("e"))
          .isFalse();
      assertThat(node.ok("GET", "/_enrich/_stats", "").at("/cache_stats/0/misses").asInt())
          .isEqualTo(6);
      assertThat(node.json("/_enrich/_stats").at("/cache_stats/0/size_in_bytes").asLong())
          .isPositive();
      // and: what was there is kept where it is wanted
      JsonNode kept =
          node.ok(
              "POST",
              "/_ingest/pipeline/_simulate",
              "{\"pipeline\":{\"processors\":[{\"enrich\":{\"policy_name\":\"users\",\"field\":\"k\","
                  + "\"target_field\":\"e\",\"override\":false}}]},"
                  + "\"docs\":[{\"_source\":{\"k\":\"x\",\"e\":1}}]}");
      assertThat(kept.at("/docs/0/doc/_source/e").asInt()).isEqualTo(1);
      // and: the next execution takes the place of the one before
      node.ok("PUT", "/users/_doc/9?refresh", "{\"key\":\"z\",\"a\":9}");
      node.ok("POST", "/_enrich/policy/users/_execute", "");
      assertThat(enriched(node, "users", "\"z\"", "").at("/doc/_source/e/a").asInt()).isEqualTo(9);
      assertThat(node.ok("GET", "/.enrich-users*?expand_wildcards=all", "")).hasSize(1);
    }
  }

  @Test
  void whatIsMissingOrInUseIsRefused() throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      fill(node, "users", "keyword", "\"x\"");
      String users =
          "{\"match\":{\"indices\":\"users\",\"match_field\":\"key\",\"enrich_fields\":[\"a\"]}}";
      node.refused(404, "PUT", "/_enrich/policy/p", users.replace("users", "nobody"));
      node.refused(400, "PUT", "/_enrich/policy/p", users.replace("match\":", "near\":"));
      node.refused(400, "PUT", "/_enrich/policy/p", users.replace("[\"a\"]", "[]"));
      node.refused(400, "PUT", "/_enrich/policy/P", users);
      node.refused(404, "POST", "/_enrich/policy/p/_execute", "");
      node.refused(404, "DELETE", "/_enrich/policy/p", "");
      node.ok("PUT", "/_enrich/policy/p", users);
      assertThat(node.refused(400, "PUT", "/_enrich/policy/p", users).toString())
          .contains("resource_already_exists_exception");
      String pipeline =
          "{\"processors\":[{\"foreach\":{\"field\":\"x\",\"processor\":{\"enrich\":"
              + "{\"policy_name\":\"p\",\"field\":\"k\",\"target_field\":\"e\"}}}}]}";
      assertThat(node.refused(400, "PUT", "/_ingest/pipeline/one", pipeline).toString())
          .contains("no enrich index exists for policy with name [p]");
      node.ok("POST", "/_enrich/policy/p/_execute", "");
      node.ok("PUT", "/_ingest/pipeline/one", pipeline);
      JsonNode used = node.refused(409, "DELETE", "/_enrich/policy/p", "");
      assertThat(used.toString()).contains("pipeline is referencing it [one]");
      // and: an index that somebody took away refuses documents, with the reason
      String index = node.ok("GET", "/.enrich-p", "").fieldNames().next();
      node.ok("DELETE", "/" + index, "");
      assertThat(
              node.refused(400, "POST", "/w/_doc?pipeline=one", "{\"x\":[1],\"k\":\"x\"}")
                  .toString())
          .contains("no enrich index exists for policy with name [p]");
      node.ok("DELETE", "/_ingest/pipeline/one", "");
      node.ok("DELETE", "/_enrich/policy/p", "");
      assertThat(node.ok("GET", "/_enrich/policy", "").path("policies")).isEmpty();
      // and: a policy whose field does not fit leaves nothing behind
      node.ok("PUT", "/_enrich/policy/r", users.replace("match\":", "range\":"));
      assertThat(node.refused(400, "POST", "/_enrich/policy/r/_execute", "").toString())
          .contains("doesn't appear to be a range type");
      assertThat(node.ok("GET", "/.enrich-*?expand_wildcards=all", "")).isEmpty();
    }
  }
}
