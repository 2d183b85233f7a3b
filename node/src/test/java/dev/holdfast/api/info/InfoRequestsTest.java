package dev.holdfast.api.info;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.RunningNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// What clients and their administration pages ask before anything else.
final class InfoRequestsTest {
  @RegisterExtension static final RunningNode node = RunningNode.alone();

  @Test
  void tellsWhatThereIs() throws Exception {
    JsonNode usage = node.json("/_xpack/usage");
    JsonNode features = node.json("/_xpack").path("features");

    assertThat(node.json("/_license/basic_status").path("eligible_to_start_basic").asBoolean(true))
        .isFalse();
    assertThat(node.json("/_license/trial_status").path("eligible_to_start_trial").asBoolean(true))
        .isFalse();
    assertThat(node.json("/_ssl/certificates")).hasToString("[]");
    assertThat(node.json("/_migration/deprecations").path("cluster_settings")).hasToString("[]");
    assertThat(node.json("/_migration/system_features").path("migration_status").asText())
        .isEqualTo("NO_MIGRATION_NEEDED");
    assertThat(node.ok("POST", "/_migration/system_features", "").path("accepted").asBoolean())
        .isFalse();
    assertThat(node.json("/_all/_migration/deprecations").path("index_settings")).hasToString("{}");
    for (JsonNode told : new JsonNode[] {usage, features}) {
      assertThat(told.at("/slm/available").asBoolean()).isTrue();
      assertThat(told.at("/security/enabled").asBoolean(true)).isFalse();
      assertThat(told.at("/spatial/available").asBoolean()).isTrue();
      for (String named : new String[] {"archive", "data_tiers", "logstash", "sql"}) {
        assertThat(told.at("/" + named + "/available").asBoolean(true)).as(named).isFalse();
      }
    }
  }

  @Test
  void saysThatThereIsNoSecurityWithoutAnAccident() throws Exception {
    JsonNode refused = node.refused(400, "GET", "/_security/_authenticate", "");

    assertThat(refused.path("error").asText()).contains("security is not supported");
  }

  @Test
  void saysWhatIsServed() throws Exception {
    String[][] asked = {
      {"path=/_search&parameters=size,q,pretty", "true"},
      {"method=POST&path=/books/_doc/1", "true"},
      {"method=PUT&path=%2Fbooks%2F_mapping&local_only=true", "true"},
      {"", "true"},
      {"path=/_search&parameters=sizes", "false"},
      {"path=/_search&capabilities=time_travel", "false"},
      {"method=DELETE&path=/_search", "false"},
      {"path=/_nothing/at/all", "false"}
    };
    for (String[] one : asked) {
      assertThat(node.json("/_capabilities?" + one[0]).path("supported"))
          .as(one[0])
          .hasToString(one[1]);
    }
    assertThat(node.json("/_capabilities").at("/_nodes/successful").asInt()).isEqualTo(1);
    assertThat(node.get("/_capabilities?method=TELL").statusCode()).isEqualTo(400);
    assertThat(node.get("/_capabilities?path=%25zz").statusCode()).isEqualTo(400);
  }

  @Test
  void showsTheBreakersThatAreAskedFor() throws Exception {
    String some = node.get("/_cat/circuit_breaker/req*,parent?h=breaker&s=breaker").body();

    assertThat(some).isEqualTo("parent\nrequest\n");
    assertThat(node.get("/_cat/circuit_breaker/x").body()).isEmpty();
  }

  @Test
  void commasNameNothingThatCouldBeDeleted() throws Exception {
    for (String kind :
        new String[] {"_data_stream", "_index_template", "_component_template", "_snapshot"}) {
      JsonNode refused = node.refused(400, "DELETE", "/" + kind + "/,", "");

      assertThat(refused.at("/error/type").asText())
          .as(kind)
          .isEqualTo("action_request_validation_exception");
    }
  }

  @Test
  void anEmptySegmentIsNoNameOfAnything() throws Exception {
    JsonNode _ = node.ok("PUT", "/books/_doc/1?refresh=true", "{\"n\":1}");

    assertThat(node.call("PUT", "//other", "").statusCode()).isEqualTo(400);
    assertThat(node.call("GET", "//books/_search", "").statusCode()).isEqualTo(400);
    assertThat(node.call("GET", "/books/_doc//1", "").statusCode()).isEqualTo(400);
    assertThat(node.call("GET", "/_cluster//health", "").statusCode()).isEqualTo(400);
    assertThat(node.call("POST", "//_close", "").statusCode()).isEqualTo(400);
    assertThat(node.json("POST", "//_search?size=0", "").at("/hits/total/value").asInt())
        .isPositive();
    assertThat(node.json("/_nodes//stats").path("_nodes").path("successful").asInt()).isEqualTo(1);
    assertThat(node.json("/books/_count//").path("count").asInt()).isEqualTo(1);
    assertThat(node.get("/other").statusCode()).isEqualTo(404);
  }

  @Test
  void theMarkOfAnEditorIsNoPartOfADocument() throws Exception {
    JsonNode _ = node.ok("PUT", "/marked/_doc/1", "\ufeff{\"n\":1}");
    JsonNode refused = node.refused(400, "PUT", "/marked/_doc/2", "{\"n\":1} // one");

    assertThat(node.get("/marked/_doc/1").body()).endsWith("\"_source\":{\"n\":1}}");
    assertThat(refused.at("/error/type").asText()).isEqualTo("document_parsing_exception");
  }

  @Test
  void explainsAShardOfTheNodeThatIsNamed() throws Exception {
    JsonNode _ = node.ok("PUT", "/placed", "");
    String shard = "{\"index\":\"placed\",\"shard\":0,\"primary\":true%s}";

    JsonNode here =
        node.ok("POST", "/_cluster/allocation/explain", shard.formatted("")).path("current_node");
    String named = ",\"current_node\":\"" + here.path("name").asText() + "\"";
    JsonNode same = node.ok("POST", "/_cluster/allocation/explain", shard.formatted(named));

    assertThat(same.path("current_node")).isEqualTo(here);
    for (String wrong : new String[] {"\"banana\"", "5", "null", "{}"}) {
      JsonNode _ =
          node.refused(
              400,
              "POST",
              "/_cluster/allocation/explain",
              shard.formatted(",\"current_node\":" + wrong));
    }
  }

  @Test
  void aStoredScriptIsATextOrAnObject() throws Exception {
    String script = "{\"script\":{\"lang\":\"mustache\",%s}}";

    for (String wrong :
        new String[] {
          "\"source\":null",
          "\"source\":5",
          "\"source\":[]",
          "\"source\":\"{}\",\"options\":\"x\"",
          "\"source\":\"{}\",\"options\":null"
        }) {
      JsonNode refused = node.refused(400, "PUT", "/_scripts/never", script.formatted(wrong));

      assertThat(refused.at("/error/reason").asText()).as(wrong).contains("doesn't support values");
    }
    JsonNode _ = node.ok("PUT", "/_scripts/some", script.formatted("\"source\":{\"size\":1}"));
    String empty = "\"source\":\"{}\",\"options\":{}";
    JsonNode _ = node.ok("PUT", "/_scripts/empty", script.formatted(empty));
    assertThat(node.ok("GET", "/_scripts/empty", "").at("/script/options").isMissingNode())
        .isTrue();
  }
}
