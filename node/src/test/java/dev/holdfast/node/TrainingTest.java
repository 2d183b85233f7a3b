package dev.holdfast.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.training.Training;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a new build is trained with is taken by a node, all of it.
final class TrainingTest {
  @Test
  void nodeTakesAllOfIt(@TempDir Path folder) throws Exception {
    try (NodeFixture node = new NodeFixture(folder);
        Training training = new Training("http://127.0.0.1:" + node.port())) {
      training.run(0.01);

      for (String index : new String[] {"train-lines", "train-rows", "train-events"}) {
        JsonNode found = node.json("POST", "/" + index + "/_search?track_total_hits=true", "{}");
        assertThat(found.at("/hits/total/value").asInt()).as(index).isGreaterThanOrEqualTo(30);
      }
    }
  }
}
