package dev.holdfast.api.indices;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.node.NodeFixture;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What is of a wrong kind is refused, as Elasticsearch 9.5.3 refuses it, and never taken for
/// nothing.
final class BadInputTest {
  private static final String[][] REFUSED = {
    {"PUT", "/new", "{\"mappings\":null}", "key [mappings] must be an object"},
    {"PUT", "/new", "{\"settings\":null}", "key [settings] must be an object"},
    {"PUT", "/new", "{\"aliases\":null}", "key [aliases] must be an object"},
    {"POST", "/i/_mget", "{\"ids\":[\"1\",null]}", "ids array element should only contain ids"},
    {
      "POST", "/i/_search", "{\"query\":{\"ids\":{\"values\":5}}}", "doesn't support values of type"
    },
    {"POST", "/i/_search", "{\"stored_fields\":5}", "[stored_fields] but found [VALUE_NUMBER]"},
    {"POST", "/i/_search", "{\"stats\":5}", "Unknown key for a VALUE_NUMBER in [stats]"},
    {"POST", "/i/_search", "{\"_source\":5}", "but found [VALUE_NUMBER]"},
    {"POST", "/i/_search", "{\"size\":null}", "Unknown key for a VALUE_NULL in [size]"},
    {"POST", "/i/_search", "{\"fields\":\"a\"}", "Unknown key for a VALUE_STRING in [fields]"},
    {"GET", "/i/_search?track_total_hits=", "", "Failed to parse int parameter"},
    {"GET", "/i/_search?ignore_unavailable=", "", "Could not convert [ignore_unavailable]"},
    {"GET", "/i/_search?df=a", "", "contains parameters [df] but missing query string parameter"},
    {"GET", "/i/_count?analyzer=a", "", "request [/i/_count] contains parameters [analyzer]"},
    {"GET", "/i/_search?suggest_text=a", "", "but missing 'suggest_field' parameter"},
    {
      "POST",
      "/_aliases",
      "{\"actions\":[{\"add\":{\"index\":\"\",\"alias\":\"z\"}}]}",
      "can't be empty"
    },
    {
      "POST",
      "/_aliases",
      "{\"actions\":[{\"add\":{\"index\":\"i\",\"alias\":\"z\"},\"remove\":{\"index\":\"i\",\"alias\":\"z\"}}]}",
      "Too many operations declared"
    },
    {
      "PUT",
      "/_index_template/t",
      "{\"index_patterns\":5}",
      "failed to parse field [index_patterns]"
    },
    {
      "PUT",
      "/_index_template/t",
      "{\"index_patterns\":[\"a\"],\"template\":5}",
      "parse field [template]"
    },
    {
      "PUT",
      "/_index_template/t",
      "{\"index_patterns\":[\"a\"],\"priority\":\"x\"}",
      "field [priority]"
    },
    {"PUT", "/_index_template/t", "{\"index_patterns\":[\"a\"],\"_meta\":5}", "field [_meta]"},
    {"PUT", "/_index_template/a%20b", "{\"index_patterns\":[\"a\"]}", "must not contain a space"},
    {"PUT", "/_index_template/a,b", "{\"index_patterns\":[\"a\"]}", "must not contain a ','"},
    {"PUT", "/_component_template/c", "{\"template\":{},\"version\":\"x\"}", "field [version]"},
    {"POST", "/_analyze", "{\"text\":5}", "text doesn't support values of type: VALUE_NUMBER"},
    {
      "POST", "/i/_bulk", "{\"index\":{\"require_alias\":\"x\"}}\n{}\n", "as only [true] or [false]"
    },
    {"POST", "/i/_bulk", "{\"index\":{\"_id\":\"1\",\"version\":\"x\"}}\n{}\n", "For input string"},
    {"GET", "/_resolve/cluster?ignore_unavailable=true", "", "No index options are allowed"},
    {"GET", "/_xpack?categories=x", "", "Unknown xpack info category"},
    {"GET", "/_cat/aliases?expand_wildcards=foo", "", "No valid expand wildcard value [foo]"},
    {"GET", "/_resolve/index/*?mode=x", "", "[x] is an invalid index mode"},
  };

  @Test
  void itIsRefusedAndChangesNothing(@TempDir Path folder) throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      node.call("PUT", "/i", "{}");
      String before = state(node);
      for (String[] one : REFUSED) {
        HttpResponse<String> answer = node.call(one[0], one[1], one[2]);

        assertThat(answer.statusCode())
            .as("%s %s %s: %s", one[0], one[1], one[2], answer.body())
            .isEqualTo(400);
        assertThat(answer.body()).contains(one[3]);
      }
      assertThat(state(node)).isEqualTo(before);
    }
  }

  @Test
  void textIsANumberWithItsDecimalsCutOff(@TempDir Path folder) throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      node.call("PUT", "/i", "{}");

      assertThat(node.call("POST", "/i/_search", "{\"size\":\"1.5\"}").statusCode()).isEqualTo(200);
      assertThat(node.call("POST", "/i/_search", "{\"size\":\"x\"}").statusCode()).isEqualTo(400);
    }
  }

  private static String state(NodeFixture node) throws Exception {
    return node.call("GET", "/_all", "").body() + node.call("GET", "/_index_template", "").body();
  }
}
