package dev.holdfast.api.indices;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.NodeFixture;
import dev.holdfast.world.Json;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Several requests roll over one alias, each to an index of its own.
final class RolloversAtOnceTest {
  private static final int TIMES = 4;
  private static final int AT_ONCE = 4;

  @Test
  void whatWasRolledOverIsWrittenToOrWasRolledOverAgain(@TempDir Path folder) throws Exception {
    try (NodeFixture node = new NodeFixture(folder);
        ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE)) {
      for (int time = 0; time < TIMES; time++) {
        String alias = "alias" + time;
        node.ok(
            "PUT", "/first" + time, "{\"aliases\":{\"" + alias + "\":{\"is_write_index\":true}}}");
        List<Future<HttpResponse<String>>> answers = new ArrayList<>();
        for (int i = 0; i < AT_ONCE; i++) {
          String target = "/" + alias + "/_rollover/" + alias + "-next" + i;
          answers.add(threads.submit(() -> node.call("POST", target, "")));
        }
        List<String> followed = new ArrayList<>();
        for (Future<HttpResponse<String>> answer : answers) {
          HttpResponse<String> done = answer.get();
          if (done.statusCode() == 200) {
            followed.add(Json.parse(done.body()).path("old_index").asText());
          }
        }

        assertThat(followed).isNotEmpty().doesNotHaveDuplicates();
        JsonNode indices = node.ok("GET", "/_alias/" + alias, "");
        assertThat(indices.findValuesAsText("is_write_index")).containsOnlyOnce("true");
        assertThat(node.ok("GET", "/first" + time + "*," + alias + "-*", ""))
            .hasSize(followed.size() + 1);
      }
    }
  }
}
