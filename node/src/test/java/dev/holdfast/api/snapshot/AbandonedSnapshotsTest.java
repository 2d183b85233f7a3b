package dev.holdfast.api.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.clusterstate.repository.Repository;
import dev.holdfast.indexing.repository.SnapshotRepository;
import dev.holdfast.indexing.snapshot.ManifestBytes;
import dev.holdfast.indexing.snapshot.SnapshotManifest;
import dev.holdfast.indexing.snapshot.SnapshotState;
import dev.holdfast.node.NodeFixture;
import dev.holdfast.objectstore.ObjectBody;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.open.Stores;
import dev.holdfast.world.Json;
import dev.holdfast.world.World;
import dev.holdfast.world.real.RealWorld;
import java.nio.file.Path;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a node that is gone has left half made or half deleted is taken away by the leader.
final class AbandonedSnapshotsTest {
  @TempDir Path folder;

  private static SnapshotManifest left(String name, SnapshotState state) {
    return new SnapshotManifest(
        name, name, state, "gone", 1, 0, false, Json.object(), new TreeMap<>());
  }

  @Test
  void theyAreGivenUp() throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      node.ok("PUT", "/_snapshot/r", "{\"type\":\"fs\",\"settings\":{\"location\":\"place\"}}");
      node.fill("books", 3);
      node.ok("PUT", "/_snapshot/r/whole?wait_for_completion=true", "");
    }
    World world = RealWorld.create();
    try (ObjectStore store =
        Stores.open("file:" + folder.resolve("store"), new TreeMap<>(), world)) {
      SnapshotRepository repository =
          new SnapshotRepository(
              world,
              new Repository("r", "fs", new TreeMap<>()),
              store,
              true,
              SnapshotRepository.OWN_FOLDER + "place/");
      assertThat(repository.write(left("begun", SnapshotState.STARTED), null)).isPresent();
      assertThat(repository.write(left("deleted", SnapshotState.DELETING), null)).isPresent();
      byte[] held = ManifestBytes.write(left("copied", SnapshotState.STARTED));
      var _ = store.put(BlobCopies.HELD + "copied", ObjectBody.of(held));
    }
    try (NodeFixture node = new NodeFixture(folder)) {
      Path pins = folder.resolve("store/pins");
      Eventually.holds(() -> StoredFiles.below(pins).size() == 1);
      assertThat(node.json("/_snapshot/r/_all").path("snapshots").findValuesAsText("snapshot"))
          .containsExactly("whole");
    }
  }
}
