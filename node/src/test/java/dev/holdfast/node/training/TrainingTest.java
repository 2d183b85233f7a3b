package dev.holdfast.node.training;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.NodeFixture;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.open.StoreProbe;
import dev.holdfast.objectstore.open.Stores;
import dev.holdfast.world.World;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a new build is trained with is taken by a node, all of it.
final class TrainingTest {
  @Test
  void nodeTakesAllOfIt(@TempDir Path folder) throws Exception {
    try (NodeFixture node = new NodeFixture(folder);
        Training training = new Training("http://127.0.0.1:" + node.port())) {
      training.run(0.01);
      training.visit();

      for (String index : new String[] {"train-lines", "train-rows", "train-events"}) {
        JsonNode found = node.json("POST", "/" + index + "/_search?track_total_hits=true", "{}");
        assertThat(found.at("/hits/total/value").asInt()).as(index).isGreaterThanOrEqualTo(30);
      }
    }
  }

  @Test
  void itsBucketIsOneThatANodeMayUse() throws Exception {
    System.setProperty("aws.accessKeyId", "train");
    System.setProperty("aws.secretAccessKey", "train");
    World world = World.real();
    try (TrainingBucket bucket = TrainingBucket.start();
        ObjectStore store =
            Stores.open(
                "s3://train/train",
                new TreeMap<>(
                    Map.of("store.s3.endpoint", bucket.endpoint(), "store.s3.region", "us-east-1")),
                world)) {
      StoreProbe.check(store, world);

      assertThat(store.list("", "", 10)).isEmpty();
    } finally {
      world.tasks().close();
    }
  }
}
