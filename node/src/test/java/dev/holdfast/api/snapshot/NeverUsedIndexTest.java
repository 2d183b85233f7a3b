package dev.holdfast.api.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.NodeFixture;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Indices that were closed and opened before anybody wrote to them: the store has nothing of them,
/// which is all that there is.
@Timeout(120)
final class NeverUsedIndexTest {
  @SuppressWarnings("NullAway.Init")
  private static NodeFixture node;

  @BeforeAll
  static void start(@TempDir Path folder) throws Exception {
    node = new NodeFixture(folder);
    String place = "{\"type\":\"fs\",\"settings\":{\"location\":\"kept\"}}";
    node.ok("PUT", "/_snapshot/kept", place);
  }

  @AfterAll
  static void stop() throws Exception {
    node.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "_close", "_close,_open", "_close,_open,_close"})
  void areTakenRestoredAndCloned(String before) throws Exception {
    String name = "of" + before.replaceAll("[_,]", "-");
    node.ok("PUT", "/" + name, "{\"settings\":{\"number_of_shards\":2}}");
    for (String step : before.isEmpty() ? new String[0] : before.split(",", -1)) {
      node.ok("POST", "/" + name + "/" + step, "");
    }

    String body = "{\"indices\":\"" + name + "\"}";
    JsonNode taken =
        node.ok("PUT", "/_snapshot/kept/" + name + "?wait_for_completion=true", body)
            .path("snapshot");
    assertThat(taken.path("state").asText()).as(taken.toString()).isEqualTo("SUCCESS");

    if (!before.endsWith("_close")) {
      node.ok("PUT", "/" + name + "/_block/write", "");
    }
    String writable = "{\"settings\":{\"index.blocks.write\":null}}";
    node.ok("PUT", "/" + name + "/_clone/" + name + "-clone", writable);
    node.ok("PUT", "/" + name + "-clone/_doc/1?refresh=true", "{}");
    assertThat(node.json("/" + name + "-clone/_count").path("count").asInt()).isEqualTo(1);

    node.ok(
        "POST",
        "/_snapshot/kept/" + name + "/_restore?wait_for_completion=true",
        "{\"indices\":\"*\",\"rename_pattern\":\"(.+)\",\"rename_replacement\":\"$1-back\"}");
    if (before.endsWith("_close")) {
      node.ok("POST", "/" + name + "-back/_open", "");
    }
    node.ok("PUT", "/" + name + "-back/_doc/1?refresh=true", "{}");
    assertThat(node.json("/" + name + "-back/_count").path("count").asInt()).isEqualTo(1);
  }
}
