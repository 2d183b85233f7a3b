package dev.holdfast.api.search.caps;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.node.RunningNode;
import dev.holdfast.world.Json;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Each field of each index is told of, and each index that does not have it.
final class FieldCapsMemoryTest {
  private static final int INDICES = 30;
  private static final int FIELDS = 300;

  @RegisterExtension static final RunningNode node = RunningNode.alone();

  @Test
  void fieldsTimesIndicesAskForMemory() throws Exception {
    for (int index = 0; index < INDICES; index++) {
      ObjectNode body = Json.object();
      ObjectNode fields = body.putObject("mappings").putObject("properties");
      for (int field = 0; field < FIELDS; field++) {
        fields.putObject("i" + index + "f" + field).put("type", "long");
      }
      node.ok("PUT", "/caps-" + index, body.toString());
    }
    node.ok(
        "PUT",
        "/_cluster/settings",
        "{\"persistent\":{\"indices.breaker.request.limit\":\"8mb\"}}");

    HttpResponse<String> mapped = node.call("GET", "/caps-*/_field_caps?fields=*", "");
    HttpResponse<String> all =
        node.call("GET", "/caps-*/_field_caps?fields=*&include_unmapped=true", "");
    node.ok(
        "PUT", "/_cluster/settings", "{\"persistent\":{\"indices.breaker.request.limit\":null}}");
    HttpResponse<String> afforded =
        node.call("GET", "/caps-*/_field_caps?fields=*&include_unmapped=true", "");

    assertThat(mapped.statusCode()).isEqualTo(200);
    assertThat(all.statusCode()).as("%.300s", all.body()).isEqualTo(429);
    assertThat(afforded.statusCode()).isEqualTo(200);
    assertThat(afforded.body()).contains("\"unmapped\"");
  }
}
