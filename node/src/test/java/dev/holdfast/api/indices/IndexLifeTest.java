package dev.holdfast.api.indices;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.RunningNode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// What happens to indices in their lives: templates make them, aliases and blocks guard them, they
/// roll over, are read page by page, copied, and written again.
final class IndexLifeTest {
  @RegisterExtension static final RunningNode node = RunningNode.alone();

  @Test
  void headIsServedWhereItAsksWhetherSomethingIsThere() throws Exception {
    node.fill("there", 1);

    assertThat(node.call("HEAD", "/there", "").statusCode()).isEqualTo(200);
    assertThat(node.call("HEAD", "/there/_doc/0", "").statusCode()).isEqualTo(200);
    assertThat(node.call("HEAD", "/there/_search", "").statusCode()).isEqualTo(405);
  }

  @Test
  void aWriteMakesItsIndexAsTheTemplateOfTheHighestPrioritySays() throws Exception {
    node.ok(
        "PUT",
        "/_component_template/tpl-numbers",
        """
        {"template":{"settings":{"number_of_replicas":0},
          "mappings":{"properties":{"n":{"type":"integer"},"o":{"properties":{"a":{"type":"ip"}}}}}}}\
        """);
    node.ok(
        "PUT",
        "/_index_template/tpl-low",
        "{\"index_patterns\":[\"tpl-*\"],\"template\":{\"settings\":{\"number_of_replicas\":5}}}");
    node.ok(
        "PUT",
        "/_index_template/tpl-high",
        """
        {"index_patterns":["tpl-*"],"priority":9,"composed_of":["tpl-numbers"],
         "template":{"mappings":{"properties":{"o":{"properties":{"b":{"type":"date"}}}}},
                     "aliases":{"all-of-{index}":{}}}}\
        """);

    node.ok("PUT", "/tpl-1/_doc/1", "{\"n\":1}");

    JsonNode index = node.json("/tpl-1").path("tpl-1");
    assertThat(index.at("/settings/index/number_of_replicas").asText()).isEqualTo("0");
    assertThat(index.at("/mappings/properties/n/type").asText()).isEqualTo("integer");
    assertThat(index.at("/mappings/properties/o/properties/a/type").asText()).isEqualTo("ip");
    assertThat(index.at("/mappings/properties/o/properties/b/type").asText()).isEqualTo("date");
    assertThat(index.path("aliases").has("all-of-tpl-1")).isTrue();
    assertThat(
            node.refused(400, "DELETE", "/_component_template/tpl-numbers", "")
                .at("/error/reason")
                .asText())
        .contains("still in use by index templates [tpl-high]");
    assertThat(
            node.refused(
                    400, "PUT", "/_index_template/tpl-same", "{\"index_patterns\":[\"tpl-x*\"]}")
                .at("/error/reason")
                .asText())
        .contains("that have the same priority [0]");
    String old = "{\"index_patterns\":[\"%s\"]}";
    assertThat(
            node.refused(400, "PUT", "/_template/tpl-old", old.formatted("tp*"))
                .at("/error/reason")
                .asText())
        .contains(
            "[tp*] matching patterns from existing composable templates [tpl-high,tpl-low] with"
                + " patterns (tpl-high => [tpl-*],tpl-low => [tpl-*]), use composable templates");
    assertThat(node.call("PUT", "/_template/tpl-old", old.formatted("*")).headers().map())
        .hasEntrySatisfying(
            "warning", all -> assertThat(all.getFirst()).contains("may be ignored in favor of"));
    node.ok("DELETE", "/_template/tpl-old", "");
  }

  @Test
  void aliasesFilterSearchesAndRouteWrites() throws Exception {
    node.ok(
        "PUT",
        "/pets",
        """
        {"settings":{"number_of_shards":4},"mappings":{"properties":{"kind":{"type":"keyword"}}},
         "aliases":{"cats":{"filter":{"term":{"kind":"cat"}}},"home":{"routing":"h"}}}\
        """);
    node.ok("PUT", "/pets/_doc/1?refresh=true", "{\"kind\":\"cat\"}");
    node.ok("PUT", "/home/_doc/2?refresh=true", "{\"kind\":\"dog\"}");

    assertThat(node.json("/cats/_search").at("/hits/total/value").asInt()).isEqualTo(1);
    assertThat(node.json("/cats,pets/_count").path("count").asInt()).isEqualTo(2);
    assertThat(node.json("/home/_search").at("/_shards/total").asInt()).isEqualTo(1);
    assertThat(node.json("/home/_doc/2").path("_routing").asText()).isEqualTo("h");
    assertThat(
            node.refused(400, "PUT", "/home/_doc/3?routing=x", "{}").at("/error/reason").asText())
        .contains("Alias [home] has index routing associated with it [h]");
  }

  @Test
  void aPointInTimeStaysWhileItsIndexChanges() throws Exception {
    node.fill("frozen", 5);
    String id = node.ok("POST", "/frozen/_pit?keep_alive=1m", "").path("id").asText();
    node.ok(
        "POST",
        "/frozen/_delete_by_query?refresh=true",
        "{\"query\":{\"range\":{\"n\":{\"gte\":1}}}}");
    node.ok("POST", "/frozen/_forcemerge?max_num_segments=1", "");

    List<String> seen = new ArrayList<>();
    String after = "";
    while (true) {
      JsonNode page =
          node.ok(
              "POST",
              "/_search",
              "{\"size\":2,\"sort\":[\"kind.keyword\"],\"pit\":{\"id\":\""
                  + id
                  + "\"}"
                  + after
                  + "}");
      if (page.at("/hits/hits").isEmpty()) {
        break;
      }
      page.at("/hits/hits").forEach(hit -> seen.add(hit.path("_id").asText()));
      JsonNode last = page.at("/hits/hits").get(page.at("/hits/hits").size() - 1);
      assertThat(last.path("sort").size()).isEqualTo(2);
      after = ",\"search_after\":" + last.path("sort");
    }

    assertThat(seen).containsExactlyInAnyOrder("0", "1", "2", "3", "4");
    assertThat(node.json("/frozen/_count").path("count").asInt()).isEqualTo(1);
    assertThat(node.ok("DELETE", "/_pit", "{\"id\":\"" + id + "\"}").path("num_freed").asInt())
        .isEqualTo(1);
    assertThat(
            node.refused(404, "DELETE", "/_pit", "{\"id\":\"" + id + "\"}")
                .path("num_freed")
                .asInt())
        .isZero();
  }

  @Test
  void reindexCopiesInSlicesAndItsTaskKeepsTheResult() throws Exception {
    node.fill("from", 50);
    String body =
        "{\"source\":{\"index\":\"from\",\"size\":7},\"dest\":{\"index\":\"into\",\"version_type\":\"external\"}}";
    String task =
        node.ok("POST", "/_reindex?wait_for_completion=false&slices=3&refresh=true", body)
            .path("task")
            .asText();

    JsonNode done = node.json("/_tasks/" + task + "?wait_for_completion=true");

    assertThat(done.path("completed").asBoolean()).isTrue();
    assertThat(done.at("/response/created").asInt()).as(done.toString()).isEqualTo(50);
    assertThat(done.at("/response/slices").size()).isEqualTo(3);
    assertThat(node.json("/into/_count").path("count").asInt()).isEqualTo(50);
    JsonNode again = node.refused(409, "POST", "/_reindex", body);
    assertThat(again.path("version_conflicts").asInt()).isPositive();
    assertThat(again.at("/failures/0/cause/type").asText())
        .isEqualTo("version_conflict_engine_exception");
    assertThat(
            node.ok("POST", "/into/_update_by_query?max_docs=9&scroll_size=2", "")
                .path("updated")
                .asInt())
        .isEqualTo(9);
  }

  @Test
  void aBlockRefusesWritesOfAResizedIndexToo() throws Exception {
    node.fill("origin", 20);
    node.ok("PUT", "/origin/_block/write", "");

    JsonNode blocked = node.refused(403, "PUT", "/origin/_doc/1", "{}");
    node.ok("PUT", "/origin/_clone/twin", "{\"settings\":{\"index.blocks.write\":null}}");
    node.ok("PUT", "/origin/_split/wide", "{\"settings\":{\"index.number_of_shards\":4}}");

    assertThat(blocked.at("/error/type").asText()).isEqualTo("cluster_block_exception");
    node.ok("PUT", "/twin/_doc/1", "{}");
    assertThat(node.refused(403, "PUT", "/wide/_doc/1", "{}").at("/error/reason").asText())
        .isEqualTo("index [wide] blocked by: [FORBIDDEN/8/index write (api)];");
  }

  @Test
  void rolloverGivesTheAliasTheNextIndex() throws Exception {
    node.ok("PUT", "/series-000009", "{\"aliases\":{\"series\":{\"is_write_index\":true}}}");
    node.ok("PUT", "/series/_doc/1?refresh=true", "{}");

    JsonNode dry =
        node.ok("POST", "/series/_rollover?dry_run", "{\"conditions\":{\"max_docs\":1}}");
    JsonNode done = node.ok("POST", "/series/_rollover", "{\"conditions\":{\"max_docs\":1}}");

    assertThat(dry.path("rolled_over").asBoolean()).isFalse();
    assertThat(done.path("new_index").asText()).isEqualTo("series-000010");
    assertThat(node.ok("PUT", "/series/_doc/2", "{}").path("_index").asText())
        .isEqualTo("series-000010");
    assertThat(node.json("/_alias/series").size()).isEqualTo(2);
    node.ok("PUT", "/series-000010/_settings", "{\"index.blocks.metadata\":true}");
    JsonNode _ = node.refused(403, "POST", "/series/_rollover", "");
    node.ok("PUT", "/series-000010/_settings", "{\"index.blocks.metadata\":null}");
    node.ok(
        "PUT",
        "/_index_template/series",
        "{\"index_patterns\":[\"series-*\"],\"template\":{\"aliases\":{\"series\":{}}}}");
    JsonNode twice = node.refused(400, "POST", "/series/_rollover", "");
    assertThat(twice.at("/error/reason").asText()).contains("found duplicated alias [[series]]");
    node.ok("DELETE", "/_index_template/series", "");
    assertThat(node.json("/_alias/series").size()).isEqualTo(2);
  }

  @Test
  void anAliasIsRolledOverByItsDataAndHasNoFailures() throws Exception {
    node.ok("PUT", "/part-000001", "{\"aliases\":{\"part\":{\"is_write_index\":true}}}");

    JsonNode done = node.ok("POST", "/part::data/_rollover", "");

    assertThat(done.path("new_index").asText()).isEqualTo("part-000002");
    assertThat(node.json("/_alias/part").size()).isEqualTo(2);
    assertThat(
            node.refused(400, "POST", "/part::failures/_rollover", "").at("/error/reason").asText())
        .isEqualTo("Rolling over failure stores is only possible on data streams.");
    assertThat(node.refused(404, "POST", "/nope::data/_rollover", "").at("/error/reason").asText())
        .isEqualTo("rollover target [nope] does not exist");
  }

  @Test
  void anIndexRemembersTheDatesOfItsNameForItsRollovers() throws Exception {
    String now = "-%7Bnow%2Fd%7D";
    node.ok("PUT", "/%3Cdated" + now + "-000001%3E", "{\"aliases\":{\"dated\":{}}}");
    JsonNode next = node.ok("POST", "/dated/_rollover", "");
    node.ok("POST", "/dated/_rollover/%3Cdated-to" + now + "-000007%3E", "");
    JsonNode last = node.ok("POST", "/dated/_rollover", "");
    node.ok("PUT", "/%3Cdated-put" + now + "%3E/_doc/1?refresh", "{}");
    node.ok("POST", "/%3Cdated-update" + now + "%3E/_update/1", "{\"doc\":{},\"upsert\":{}}");
    String gone = "/%3Cdated-gone" + now + "%3E/_doc/1?version=1&version_type=external";
    JsonNode _ = node.refused(404, "DELETE", gone, "");
    node.ok("POST", "/%3Cdated-bulk" + now + "%3E/_bulk", "{\"index\":{}}\n{}\n");
    node.ok("POST", "/_bulk", "{\"index\":{\"_index\":\"<dated-line-{now/d}>\"}}\n{}\n");

    assertThat(next.path("new_index").asText()).matches("dated-[0-9.]{10}-000002");
    assertThat(last.path("new_index").asText()).matches("dated-to-[0-9.]{10}-000008");
    assertThat(node.json("/dated-*/_settings").findValuesAsText("provided_name"))
        .containsExactlyInAnyOrder(
            "<dated-{now/d}-000001>",
            "<dated-{now/d}-000002>",
            "<dated-to-{now/d}-000007>",
            "<dated-to-{now/d}-000008>",
            "<dated-put-{now/d}>",
            "<dated-update-{now/d}>",
            "<dated-gone-{now/d}>",
            "<dated-bulk-{now/d}>",
            "<dated-line-{now/d}>");
    String alias = "{\"aliases\":{\"routed-2024.03.22\":{\"index_routing\":\"r\"}}}";
    node.ok("PUT", "/dated-routed", alias);
    String day = "-{2024-03-22||/d}";
    String path =
        day.replace("{", "%7B").replace("|", "%7C").replace("/", "%2F").replace("}", "%7D");
    node.ok("POST", "/%3Crouted" + path + "%3E/_bulk", "{\"index\":{}}\n{}\n");
    node.ok("POST", "/_bulk?refresh", "{\"index\":{\"_index\":\"<routed" + day + ">\"}}\n{}\n");
    assertThat(node.json("/dated-routed/_search").findValuesAsText("_routing"))
        .containsExactly("r", "r");
    String byName = "{\"query\":{\"prefix\":{\"_index\":\"dated-put\"}}}";
    assertThat(node.ok("POST", "/dated-*/_count", byName).path("count").asInt()).isEqualTo(1);
  }

  @Test
  void templatesTellWhenTheyWereMadeAndChanged() throws Exception {
    String target = "/_component_template/dated";
    String dates = "/component_templates/0/component_template/";
    node.ok("PUT", target, "{\"template\":{}}");
    JsonNode made = node.json(target);

    node.ok("PUT", target, "{\"template\":{}}");
    JsonNode same = node.json(target);
    node.ok("PUT", target, "{\"template\":{},\"version\":2}");
    JsonNode changed = node.json("GET", target + "?human");

    long created = made.at(dates + "created_date_millis").asLong();
    assertThat(created).isPositive();
    assertThat(same).isEqualTo(made);
    assertThat(changed.at(dates + "created_date_millis").asLong()).isEqualTo(created);
    assertThat(changed.at(dates + "modified_date_millis").asLong()).isGreaterThanOrEqualTo(created);
    assertThat(changed.at(dates + "created_date").asText()).endsWith("Z");
    node.refused(400, "PUT", target, "{\"template\":{},\"created_date_millis\":5}");
  }
}
