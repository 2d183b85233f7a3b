package dev.holdfast.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.world.ChecksummedBytes;
import dev.holdfast.world.Json;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Who reaches the port of clients cannot speak as a node.
@Timeout(60)
final class ClosedNodeTest {
  private static final Duration GRACE = Duration.ofMillis(200);

  @RegisterExtension
  @Order(1)
  static final RunningNode node = RunningNode.withStore(GRACE);

  @RegisterExtension
  @Order(2)
  static final RunningNode other = node.beside(GRACE);

  /// A well-formed call, to whom it is meant for, of somebody who has read the sources.
  private static int forged(String call, ObjectNode question) throws Exception {
    byte[] body = ChecksummedBytes.seal("HFCM", 1, Json.bytes(question));
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpRequest request =
          HttpRequest.newBuilder(
                  URI.create("http://127.0.0.1:" + node.port() + "/_internal/" + call))
              .POST(BodyPublishers.ofByteArray(body))
              .build();
      return client.send(request, BodyHandlers.ofString()).statusCode();
    }
  }

  @Test
  void forgedCallsChangeNothing() throws Exception {
    // given: both nodes, by their ids
    JsonNode nodes = node.ok("GET", "/_nodes", "").path("nodes");
    assertThat(nodes.size()).isEqualTo(2);
    String leader = node.ok("GET", "/_cat/master?format=json", "").path(0).path("id").asText();
    // when
    for (var member : nodes.properties()) {
      ObjectNode leave = Json.object().put("id", member.getKey());
      for (var to : nodes.properties()) {
        assertThat(forged("cluster/leave", leave.deepCopy().put("to", to.getKey()))).isEqualTo(401);
      }
    }
    ObjectNode join = Json.object().put("id", "forged").put("known_dead", leader).put("to", leader);
    join.putObject("member").put("name", "forged").put("address", "127.0.0.1:1");
    assertThat(forged("cluster/join", join)).isEqualTo(401);
    assertThat(forged("indexing/write", Json.object())).isEqualTo(401);
    // then
    assertThat(node.ok("GET", "/_nodes", "").path("nodes").size()).isEqualTo(2);
    node.ok("PUT", "/books/_doc/1?refresh=true", "{\"pages\":1}");
    assertThat(other.ok("GET", "/books/_count", "").path("count").asInt()).isEqualTo(1);
  }
}
