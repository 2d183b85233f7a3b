package dev.holdfast.indexing.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.IndexId;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.compoundcommit.BlobId;
import dev.holdfast.compoundcommit.blob.BlobSection;
import dev.holdfast.world.Golden;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/// The bytes of a snapshot.
final class ManifestBytesTest {
  private static final BlobId OLD = new BlobId(1, 4);
  private static final BlobId HOME = new BlobId(2, 9);

  private static SnapshotManifest manifest() {
    ObjectNode mapping = Json.object();
    mapping.putObject("properties").putObject("n").put("type", "long");
    IndexMetadata index =
        new IndexMetadata(
            new IndexId("books", "u"),
            3,
            new TreeMap<>(),
            1,
            mapping,
            2,
            new TreeMap<>(),
            true,
            List.of(2L, 1L, 1L));
    SnapshottedShard whole =
        new SnapshottedShard(
            HOME, new TreeSet<>(List.of(OLD, HOME)), 10, 7, 900, 3, 400, 2, 1_000, 5, "");
    ObjectNode about = Json.object().put("version", "9.5.3");
    about.putObject("metadata").put("by", "me");
    TreeMap<String, SnapshottedIndex> indices = new TreeMap<>();
    indices.put(
        "books",
        new SnapshottedIndex(
            index,
            List.of(whole, SnapshottedShard.empty(1_000), SnapshottedShard.failed(1_001, "why"))));
    return new SnapshotManifest(
        "s1", "uuid", SnapshotState.PARTIAL, "node", 1_000, 2_000, true, about, indices);
  }

  @Test
  void bytesStayWhatTheyAre() throws IOException {
    SnapshotManifest manifest = manifest();
    for (byte[] bytes : Golden.of("stored/snapshot", ManifestBytes.write(manifest))) {
      assertThat(ManifestBytes.read("k", bytes)).isEqualTo(manifest);
    }
  }

  @Test
  void aFlippedByteIsRefused() {
    byte[] bytes = ManifestBytes.write(manifest());
    for (int i = 0; i < bytes.length; i++) {
      byte[] broken = bytes.clone();
      broken[i] ^= 0x10;
      assertThatThrownBy(() -> ManifestBytes.read("k", broken)).isInstanceOf(IOException.class);
    }
  }

  @Test
  void oneThatIsTooLargeToBeReadIsRefused() {
    ManifestBytes.requireReadable("s1", 9, BlobSection.RAW_BYTES_MAX);

    assertThatThrownBy(() -> ManifestBytes.requireReadable("s1", 9, BlobSection.RAW_BYTES_MAX + 1))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("snapshot [s1] is too large")
        .hasMessageContaining("take fewer indices");
  }

  @Test
  void itSaysWhatItHas() {
    SnapshotManifest manifest = manifest();

    assertThat(manifest.shards()).hasSize(3);
    assertThat(manifest.shards().get(0).isThere()).isTrue();
    assertThat(manifest.shards().get(1).isThere()).isTrue();
    assertThat(manifest.shards().get(2).isThere()).isFalse();
    assertThat(manifest.in(SnapshotState.DELETING, 5).state().isFinished()).isFalse();
  }
}
