package dev.holdfast.api.indices;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.RunningNode;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// What Elasticsearch 9.5.3 refuses of aliases, templates, settings, mappings, tables and lines of
/// a bulk, and what it takes although it looks odd: asked of both.
final class OddRequestsTest {
  @RegisterExtension static final RunningNode node = RunningNode.alone();

  @BeforeAll
  static void fill() throws Exception {
    JsonNode _ = node.ok("PUT", "/books", "{\"aliases\":{\"shelf\":{}}}");
    JsonNode _ = node.ok("PUT", "/end-9223372036854775807", "{\"aliases\":{\"end\":{}}}");
  }

  private static final String[][] REFUSED = {
    {
      "POST",
      "/_aliases",
      "{\"actions\":[{\"add\":{\"index\":\"shelf\",\"alias\":\"a\"}}]}",
      "The provided expression [shelf] matches an alias"
    },
    {
      "POST",
      "/_aliases",
      "{\"actions\":[{\"remove\":{\"index\":\"shelf\",\"alias\":\"a\"}}]}",
      "The provided expression [shelf] matches an alias"
    },
    {
      "POST",
      "/_aliases",
      "{\"actions\":[{\"add\":{\"index\":\"books\",\"alias\":\"a\",\"aliases\":[\"b\"]}}]}",
      "Only one of [alias] and [aliases]"
    },
    {
      "POST",
      "/_aliases",
      "{\"actions\":[{\"add\":{\"index\":\"books\",\"indices\":[\"books\"],\"alias\":\"a\"}}]}",
      "Only one of [index] and [indices]"
    },
    {"PUT", "/_template/t", "{\"index_patterns\":5}", "Malformed [index_patterns] value"},
    {
      "PUT",
      "/_template/t",
      "{\"index_patterns\":[\"t\"],\"version\":\"x\"}",
      "Malformed [version] value"
    },
    {"PUT", "/_template/t", "{\"index_patterns\":[\"t\"],\"version\":null}", "Malformed [version]"},
    {"PUT", "/_template/t", "{\"index_patterns\":[\"t\"],\"order\":1.5}", "1.5 is not an integer"},
    {
      "PUT",
      "/_template/t",
      "{\"index_patterns\":[\"t\"],\"settings\":null}",
      "Malformed [settings] section"
    },
    {"PUT", "/_template/T", "{\"index_patterns\":[\"t\"]}", "name must be lower cased"},
    {"PUT", "/_component_template/T", "{\"template\":{}}", "name must be lower cased"},
    {"PUT", "/_index_template/t*", "{\"index_patterns\":[\"t\"]}", "must not contain a '*'"},
    {
      "PUT",
      "/_index_template/t",
      "{\"index_patterns\":[\"t\"],\"template\":{\"settings\":{\"index.uuid\":\"x\"}}}",
      "unknown setting [index.uuid]"
    },
    {"PUT", "/t", "{\"settings\":{\"index.resize.source.uuid\":\"x\"}}", "private index setting"},
    {"POST", "/end/_rollover", "", "no number follows [9223372036854775807]"},
    {
      "POST",
      "/shelf/_rollover/t?dry_run",
      "{\"settings\":null}",
      "[rollover] settings doesn't support values of type: VALUE_NULL"
    },
    {
      "POST",
      "/shelf/_rollover/t?dry_run",
      "{\"conditions\":{\"max_docs\":null}}",
      "[rollover_conditions] max_docs doesn't support values of type: VALUE_NULL"
    },
    {
      "POST",
      "/shelf/_rollover/t?dry_run",
      "{\"conditions\":{\"max_age\":\"5\"}}",
      "[rollover_conditions] failed to parse field [max_age]"
    },
    {
      "POST",
      "/shelf/_rollover/t?dry_run",
      "{\"conditions\":{\"some_docs\":5}}",
      "[rollover_conditions] unknown field [some_docs]"
    },
    {"GET", "/_index_template/t,u", "", "template name may not contain ','"},
    {
      "PUT",
      "/_component_template/t",
      "{\"template\":{\"lifecycle\":null}}",
      "lifecycle doesn't support values of type: VALUE_NULL"
    },
    {
      "PUT",
      "/books/_settings",
      "{\"auto_expand_replicas\":\"1-0\"}",
      "minReplicas must be =< maxReplicas but wasn't 1 > 0"
    },
    {
      "PUT",
      "/new",
      "{\"settings\":{\"auto_expand_replicas\":\"x\"}}",
      "failed to parse [index.auto_expand_replicas] from value: [x] at index -1"
    },
    {"PUT", "/new", "{\"settings\":{\"store.type\":\"x\"}}", "index.store.type"},
    {
      "PUT",
      "/new",
      "{\"settings\":{\"version.created\":5}}",
      "private index setting [index.version.created] can not be set explicitly"
    },
    {
      "PUT",
      "/new",
      "{\"settings\":{\"write.wait_for_active_shards\":\"x\"}}",
      "cannot parse ActiveShardCount[x]"
    },
    {
      "PUT",
      "/new",
      "{\"settings\":{\"search.idle.after\":-1}}",
      "failed to parse value [-1] for setting [index.search.idle.after], must be >= [0ms]"
    },
    {
      "PUT",
      "/new",
      "{\"settings\":{\"translog.flush_threshold_size\":\"x\"}}",
      "as a size in bytes: unit is missing or unrecognized"
    },
    {
      "PUT",
      "/new",
      "{\"settings\":{\"merge.policy.max_merge_at_once\":1}}",
      "[index.merge.policy.max_merge_at_once] must be >= 2"
    },
    {"PUT", "/new", "{\"settings\":{\"merge.policy.deletes_pct_allowed\":51}}", "must be <= 50.0"},
    {
      "PUT",
      "/new",
      "{\"settings\":{\"merge.policy.type\":\"best\"}}",
      "must be one of [unset, tiered, time_based]"
    },
    {"PUT", "/new", "{\"settings\":{\"compound_format\":1.5}}", "but was: [1.5]"},
    {"PUT", "/new", "{\"settings\":{\"translog.sync_interval\":\"50ms\"}}", "must be >= [100ms]"},
    {
      "PUT",
      "/new",
      "{\"settings\":{\"translog.flush_threshold_size\":\"55b\"}}",
      "must be >= [56b]"
    },
    {
      "PUT",
      "/new",
      "{\"settings\":{\"analysis\":{\"analyzer\":{\"_a\":{\"type\":\"standard\"}}}}}",
      "must not start with '_'"
    },
    {
      "PUT",
      "/new",
      "{\"settings\":{\"gc_deletes\":\"-5s\"}}",
      "negative durations are not supported"
    },
    {"PUT", "/books/_settings", "{\"index.mapping.coerce\":false}", "update non dynamic setting"},
    {
      "PUT",
      "/new",
      "{\"mappings\":{\"properties\":{\"a\":{\"type\":\"long\",\"meta\":{\"a\":5}}}}}",
      "[meta] values can only be strings"
    },
    {
      "PUT",
      "/new",
      "{\"mappings\":{\"properties\":{\"a\":{\"type\":\"geo_point\",\"ignore_z_value\":\"x\"}}}}",
      "Failed to parse value [x]"
    },
    {"POST", "/books/_doc?pipeline=", "{}", "pipeline cannot be an empty string"},
    {"GET", "/books?features=", "", "Invalid features specified []"},
    {"GET", "/_cat/indices?s=index:up", "", "unknown sort key `index:up`"},
    {"GET", "/_nodes/stats/_all/_all", "", "but all stats requested"},
    {"POST", "/_cluster/voting_config_exclusions?node_names=", "", "but not both"}
  };

  @Test
  void whatIsNoneIsRefused() throws Exception {
    for (String[] one : REFUSED) {
      assertThat(node.refused(400, one[0], one[1], one[2]).at("/error").toString())
          .as(one[1] + " " + one[2])
          .contains(one[3]);
    }
    assertThat(node.call("PUT", "/new", "{}").statusCode()).isEqualTo(200);
  }

  private static final String[][] CLUSTER = {
    {"cluster.routing.allocation.exclude._ip", "\"x\"", "invalid IP address [x]"},
    {"action.auto_create_index", "\"+\"", "must contain an index name after [+]"},
    {"cluster.max_shards_per_node", "0", "must be >= 1"},
    {"cluster.routing.allocation.disk.watermark.low", "\"101%\"", "as either percentage or bytes"},
    {"cluster.routing.allocation.disk.watermark.high", "\"x\"", "as either percentage or bytes"},
    {"cluster.persistent_tasks.allocation.enable", "\"x\"", "[all, none]"},
    {"cluster.no_master_block", "\"x\"", "[all, write, metadata_write]"},
    {"search.max_keep_alive", "\"1s\"", "was (5m > 1s)"},
    {"search.default_keep_alive", "\"48h\"", "was (48h > 24h)"}
  };

  @Test
  void settingsOfTheClusterAreOfTheirKind() throws Exception {
    for (String[] one : CLUSTER) {
      String body = "{\"persistent\":{\"%s\":%s}}".formatted(one[0], one[1]);
      assertThat(node.refused(400, "PUT", "/_cluster/settings", body).at("/error/reason").asText())
          .as(body)
          .contains(one[2]);
    }
    for (String taken :
        new String[] {
          "\"cluster.routing.allocation.exclude._ip\":\"10.0.0.*,::1\"",
          "\"cluster.routing.allocation.disk.watermark.low\":\"0.8\"",
          "\"cluster.routing.allocation.disk.watermark.low\":\"10gb\"",
          "\"search.default_keep_alive\":\"2h\",\"search.max_keep_alive\":\"2h\""
        }) {
      JsonNode _ = node.ok("PUT", "/_cluster/settings", "{\"persistent\":{" + taken + "}}");
    }
  }

  @Test
  void whatOnlyLooksOddIsTaken() throws Exception {
    JsonNode _ =
        node.ok(
            "POST", "/_aliases", "{\"actions\":{\"add\":{\"index\":\"books\",\"alias\":\"one\"}}}");
    JsonNode _ =
        node.ok(
            "POST",
            "/_aliases",
            "{\"actions\":[{\"add\":{\"index\":\"books\",\"alias\":\"two\","
                + "\"indexRouting\":\"1\",\"search-routing\":\"2\"}}]}");
    JsonNode _ = node.ok("PUT", "/nowhere/_alias/x", "{\"index\":\"books\",\"alias\":\"three\"}");

    JsonNode aliases = node.json("/books/_alias").at("/books/aliases");
    assertThat(aliases.has("one")).isTrue();
    assertThat(aliases.path("two"))
        .hasToString("{\"index_routing\":\"1\",\"search_routing\":\"2\"}");
    assertThat(aliases.has("three")).isTrue();
    assertThat(node.json("/_cluster/health?wait_for_nodes=").path("timed_out"))
        .hasToString("false");
    assertThat(node.get("/_cat/fielddata/x?fields=y").statusCode()).isEqualTo(200);
    HttpResponse<String> none = node.get("/nowhere*/_mapping/field/x");
    assertThat(none.statusCode()).isEqualTo(404);
    assertThat(none.body()).isEqualTo("{}");
  }

  @Test
  void aPatternTakesSettingsBackAndNullMetaSaysNothing() throws Exception {
    JsonNode _ =
        node.ok(
            "PUT",
            "/kept",
            "{\"settings\":{\"refresh_interval\":\"9s\",\"number_of_replicas\":0},"
                + "\"mappings\":{\"_meta\":{\"a\":1}}}");
    JsonNode _ = node.ok("PUT", "/kept/_settings", "{\"index.*\":null}");
    JsonNode _ = node.ok("PUT", "/kept/_mapping", "{\"_meta\":null}");

    JsonNode settings = node.json("/kept/_settings").at("/kept/settings/index");
    assertThat(settings.has("refresh_interval")).isFalse();
    assertThat(settings.path("number_of_replicas").asText()).isEqualTo("1");
    assertThat(settings.has("uuid")).isTrue();
    assertThat(node.json("/kept/_mapping").at("/kept/mappings"))
        .hasToString("{\"_meta\":{\"a\":1}}");
  }

  @Test
  void nullsOfABulkLineSayNothing() throws Exception {
    String line =
        "{\"index\":{\"_id\":\"1\",\"version\":null,\"if_seq_no\":null,\"if_primary_term\":null,"
            + "\"dynamic_templates\":null,\"require_alias\":\"\",\"whatever\":null}}\n{}\n";
    JsonNode taken = node.ok("POST", "/books/_bulk", line);
    JsonNode refused =
        node.refused(400, "POST", "/books/_bulk", "{\"index\":{\"pipeline\":\"\"}}\n{\"a\":1}\n");

    assertThat(taken.path("errors")).hasToString("false");
    assertThat(refused.at("/error/reason").asText())
        .contains("1: pipeline cannot be an empty string;");
  }
}
