package dev.holdfast.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.node.NodeFixture;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What means nothing, and was answered by 500, by 200, or for another reason than it should.
final class MeaninglessRequestsTest {
  @SuppressWarnings("NullAway.Init")
  private static NodeFixture node;

  @BeforeAll
  static void start(@TempDir Path folder) throws Exception {
    node = new NodeFixture(folder);
    node.ok("PUT", "/books/_doc/1?refresh=true", "{\"n\":1}");
  }

  @AfterAll
  static void stop() throws Exception {
    node.close();
  }

  @Test
  void commandsOfARerouteAreObjectsOfObjects() throws Exception {
    String[] wrong = {"1", "null", "\"x\"", "{}", "[1]", "[null]", "[[1]]", "[{}]"};
    for (String commands : wrong) {
      refused("POST", "/_cluster/reroute", "{\"commands\":" + commands + "}", "commands");
    }
    for (String parameters : new String[] {"1", "null", "[]", "\"x\""}) {
      String command = "{\"commands\":[{\"move\":" + parameters + "}]}";
      refused("POST", "/_cluster/reroute", command, "failed to parse field [commands]");
    }
    refused(
        "POST", "/_cluster/reroute", "{\"commands\":[{\"move\":{}}]}", "[move] is not possible");
    node.ok("POST", "/_cluster/reroute", "{\"commands\":[]}");
  }

  @Test
  void theBodyOfAReloadIsRead() throws Exception {
    String path = "/_nodes/reload_secure_settings";
    refused("POST", path, "[]", "Expected [START_OBJECT]");
    refused("POST", path, "{\"a\":1}", "unknown field [a]");
    refused("POST", path, "{\"secure_settings_password\":1}", "VALUE_NUMBER");
    node.ok("POST", path, "");
    HttpResponse<String> told = node.call("POST", path, "{\"secure_settings_password\":\"x\"}");
    assertThat(told.statusCode()).isEqualTo(200);
    assertThat(told.headers().firstValue("warning").orElse("")).contains("there is no keystore");
  }

  @Test
  void aParameterThatMeansNothingIsRefused() throws Exception {
    node.ok("PUT", "/books/_doc/1?refresh=wait_for", "{\"n\":1}");
    for (String refresh : new String[] {"WAIT_FOR", "TRUE", "1"}) {
      String path = "/books/_doc/1?refresh=" + refresh;
      refused("PUT", path, "{\"n\":1}", "Unknown value for refresh: [" + refresh + "].");
    }
    refused(
        "PUT", "/books/_create/9?op_type=index", "{}", "opType must be 'create', found: [index]");
    node.ok("PUT", "/books/_create/9?op_type=create", "{}");
    refused("GET", "/_health_report?size=-1", "", "The size parameter must be a positive integer");
    node.ok("GET", "/_health_report?size=0", "");
    String synonyms = "{\"synonyms_set\":[{\"id\":\"a\",\"synonyms\":\"a, b\"}]}";
    refused("PUT", "/_synonyms/words?refresh=x", synonyms, "only [true] or [false] are allowed");
    String point = "/books/_pit?keep_alive=1m&max_concurrent_shard_requests=";
    refused("POST", point + "0", "", "maxConcurrentShardRequests must be >= 1");
    node.ok("POST", point + "1", "");
  }

  @Test
  void noNameIsNoIndex() throws Exception {
    refused("POST", "/_open", "", "Validation Failed: 1: index is missing;");
    refused("POST", "/_close", "", "Validation Failed: 1: index is missing;");
    refused("POST", "/_pit?keep_alive=1m", "", "Validation Failed: 1: [index] is not specified;");
  }

  @Test
  void anAliasIsNotCalledNull() throws Exception {
    refused("PUT", "/books/_alias", "{\"alias\":null}", "Unexpected token [VALUE_NULL]");
    refused("PUT", "/_alias", "{\"index\":null,\"alias\":\"a\"}", "Unexpected token [VALUE_NULL]");
    assertThat(node.json("/books/_alias").at("/books/aliases").isEmpty()).isTrue();
  }

  @Test
  void thereAreNotSoManyNodes() throws Exception {
    for (String nodes : new String[] {"%3E2147483647", "99999999999999999999", "le(3000000000)"}) {
      refused("GET", "/_cluster/health?wait_for_nodes=" + nodes, "", "For input string");
    }
    node.ok("GET", "/_cluster/health?wait_for_nodes=%3C2147483646", "");
    assertThat(
            node.call("GET", "/_cluster/health?timeout=1ms&wait_for_nodes=%3E2147483646", "")
                .statusCode())
        .isEqualTo(408);
  }

  @Test
  void aDocumentHasNoSuchVersion() throws Exception {
    refused("GET", "/books/_doc/1?version=0", "", "illegal version value [0] for version type");
    refused("GET", "/books/_source/1?version=-1", "", "[-1] for version type [INTERNAL];");
    refused("GET", "/books/_doc/1?version=-1&version_type=external_gt", "", "type [EXTERNAL];");
    assertThat(node.call("GET", "/books/_doc/1?version=0&version_type=external", "").statusCode())
        .isEqualTo(409);
    node.ok("PUT", "/books/_doc/once", "{}");
    node.ok("GET", "/books/_doc/once?version=1", "");
  }

  @Test
  void whatIsNoTaskHasNoChildren() throws Exception {
    refused("GET", "/_tasks?parent_task_id=abc", "", "malformed task id abc");
    refused("POST", "/_tasks/_cancel?parent_task_id=a:b", "", "malformed task id a:b");
    refused("GET", "/_cat/tasks?parent_task_id=abc", "", "malformed task id abc");
    assertThat(node.json("/_tasks?parent_task_id=").at("/nodes").isEmpty()).isFalse();
    assertThat(node.json("/_tasks?parent_task_id=a:1").at("/nodes").isEmpty()).isTrue();
  }

  @Test
  void whatAllRequestsShareFailsAll() throws Exception {
    refused(
        "POST",
        "/books/_rank_eval?expand_wildcards=abc",
        """
        {"requests":[{"id":"a","request":{},"ratings":[]}],"metric":{"precision":{}}}
        """,
        "No valid expand wildcard value [abc]");
    refused(
        "POST",
        "/_ingest/_simulate?pipeline=",
        "{\"docs\":[{\"_index\":\"books\",\"_source\":{}}]}",
        "pipeline cannot be an empty string");
  }

  @Test
  void theStateOfIndicesThatAreNotThereIsEmpty() throws Exception {
    node.ok("PUT", "/shut", "{}");
    node.ok("POST", "/shut/_close", "");
    assertThat(node.json("/_cluster/state/metadata/missing").at("/metadata/indices").isEmpty())
        .isTrue();
    assertThat(node.json("/_cluster/state/metadata/missing,books").at("/metadata/indices").size())
        .isEqualTo(1);
    assertThat(node.json("/_cluster/state/metadata/s*").at("/metadata/indices").isEmpty()).isTrue();
    assertThat(node.json("/_cluster/state/metadata/shut").at("/metadata/indices").size())
        .isEqualTo(1);
    assertThat(node.json("/_cluster/state/metadata").at("/metadata/indices").has("shut")).isTrue();
    HttpResponse<String> strict =
        node.call("GET", "/_cluster/state/metadata/missing?ignore_unavailable=false", "");
    assertThat(strict.statusCode()).isEqualTo(404);
  }

  private static void refused(String method, String path, String body, String why)
      throws Exception {
    HttpResponse<String> answer = node.call(method, path, body);
    assertThat(answer.statusCode()).as(path + " " + body + answer.body()).isEqualTo(400);
    assertThat(answer.body()).as(path + " " + body).contains(why);
  }
}
