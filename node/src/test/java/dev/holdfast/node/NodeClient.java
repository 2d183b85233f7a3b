package dev.holdfast.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.world.Json;
import java.net.http.HttpResponse;

/// What tests ask of a node over HTTP.
public interface NodeClient {
  int port();

  /// A body, unless it is empty, is JSON, or lines of it where the target is a bulk.
  HttpResponse<String> call(String method, String target, String body) throws Exception;

  /// The answer to a request that must succeed.
  default JsonNode ok(String method, String target, String body) throws Exception {
    HttpResponse<String> answer = call(method, target, body);
    assertThat(answer.statusCode()).as(answer.body()).isBetween(200, 299);
    return Json.parse(answer.body());
  }

  /// The answer to a request that must be refused.
  default JsonNode refused(int status, String method, String target, String body) throws Exception {
    HttpResponse<String> answer = call(method, target, body);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
    return Json.parse(answer.body());
  }

  /// Documents with the ids from 0 on, a number `n` and one of three words `kind`, searchable.
  default void fill(String index, int documents) throws Exception {
    StringBuilder bulk = new StringBuilder();
    for (int i = 0; i < documents; i++) {
      bulk.append("{\"index\":{\"_id\":\"").append(i).append("\"}}\n");
      bulk.append("{\"n\":").append(i).append(",\"kind\":\"k").append(i % 3).append("\"}\n");
    }
    assertThat(ok("POST", "/" + index + "/_bulk?refresh=true", bulk.toString()).path("errors"))
        .hasToString("false");
  }

  default HttpResponse<String> get(String target) throws Exception {
    return call("GET", target, "");
  }

  default JsonNode json(String method, String target) throws Exception {
    return json(method, target, "");
  }

  default JsonNode json(String method, String target, String body) throws Exception {
    return Json.parse(call(method, target, body).body());
  }

  default JsonNode json(String target) throws Exception {
    return json("GET", target, "");
  }
}
