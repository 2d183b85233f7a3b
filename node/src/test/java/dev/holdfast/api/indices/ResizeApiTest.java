package dev.holdfast.api.indices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.IndexOrigin;
import dev.holdfast.clusterstate.LentBlobs;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.clusterstate.SnapshotReference;
import dev.holdfast.clusterstate.TestCluster;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.lucene.index.IndexWriter;
import org.junit.jupiter.api.Test;

/// An index that is resized while its source changes.
final class ResizeApiTest {
  private static final SortedMap<String, Object> GIVEN =
      new TreeMap<>(Map.of("index.number_of_shards", "4", "index.priority", "7"));

  private final IndexMetadata source =
      TestCluster.index("source", 2, 1).withPrimaryTerms(List.of(3L, 5L));

  /// As it was made from what the source was before.
  private final IndexMetadata index = TestCluster.index("wide", 4, 1).withSettings(own());

  private static SortedMap<String, Object> own() {
    return new TreeMap<>(Map.of("index.uuid", "uuid of wide", "index.number_of_shards", "4"));
  }

  private static SortedMap<String, Object> settings(String isBlocked) {
    return new TreeMap<>(
        Map.of(
            "index.uuid", "uuid of source",
            "index.number_of_shards", "2",
            "index.priority", "1",
            "index.max_result_window", "50",
            "index.blocks.write", isBlocked));
  }

  @Test
  void theIndexBeginsWithWhatItsSourceIsAtThatMoment() {
    ObjectNode mapping = Json.object();
    mapping.putObject("properties").putObject("late").put("type", "keyword");
    ClusterState state =
        ClusterState.empty("cluster")
            .withIndex(source.withSettings(settings("true")).withMapping(mapping));

    IndexMetadata begun = ResizeApi.begun(state, index, source, GIVEN);

    assertThat(begun.mapping()).isEqualTo(mapping);
    assertThat(begun.settings())
        .containsEntry("index.max_result_window", "50")
        .containsEntry("index.priority", "7")
        .containsEntry("index.uuid", "uuid of wide")
        .containsEntry("index.number_of_shards", "4");
    assertThat(begun.origin()).isEqualTo(new IndexOrigin(source.id().uuid(), 2));
    assertThat(begun.primaryTerms()).containsExactly(3L, 5L, 3L, 5L);
  }

  @Test
  void tooManyDocumentsForAShardAreRefusedWithTheShardsThatHaveThem() {
    IndexMetadata four = TestCluster.index("source", 4, 1);
    long half = IndexWriter.MAX_DOCS / 2;

    ResizeApi.requireRoom(four, 2, List.of(half, half, half, half));

    assertThatThrownBy(() -> ResizeApi.requireRoom(four, 2, List.of(half, half, half, half + 2)))
        .isInstanceOfSatisfying(
            Refusal.class, refusal -> assertThat(refusal.type().status()).isEqualTo(400))
        .hasMessageContaining("too many documents in shards [[source][1], [source][3]]");
  }

  @Test
  void aSourceThatTakesWritesAgainIsRefused() {
    ClusterState state =
        ClusterState.empty("cluster").withIndex(source.withSettings(settings("false")));

    assertThatThrownBy(() -> ResizeApi.begun(state, index, source, GIVEN))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("must be read-only");
  }

  /// Of six shards of such a source each would begin with documents of others, and lack its own.
  @Test
  void aSourceThatHasGotMoreShardsIsRefused() {
    ClusterState state =
        ClusterState.empty("cluster")
            .withIndex(TestCluster.index("source", 4, 1).withSettings(settings("true")));

    assertThatThrownBy(() -> ResizeApi.begun(state, index, source, GIVEN))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("has got [4] shards instead of [2] meanwhile");
  }

  /// It may be deleted as soon as the index is there, and its snapshot after it.
  @Test
  void aSourceThatIsReadInItsSnapshotIsRefused() {
    IndexOrigin lent =
        new IndexOrigin(
            "u",
            2,
            new SnapshotReference("r", "s", "uuid"),
            new LentBlobs("pins/snapshots/place/s", new TreeSet<>(List.of(1))));
    IndexMetadata restored =
        source.withSettings(settings("true")).withOrigin(lent, source.primaryTerms());
    ClusterState state = ClusterState.empty("cluster").withIndex(restored);

    assertThatThrownBy(() -> ResizeApi.begun(state, index, source, GIVEN))
        .isInstanceOfSatisfying(
            Refusal.class, refusal -> assertThat(refusal.type().status()).isEqualTo(400))
        .hasMessageContaining("is still being copied");
    ClusterState copied = LentBlobs.copied(state, new ShardId(source.id(), 1));
    assertThat(ResizeApi.begun(copied, index, source, GIVEN).shards()).isEqualTo(4);
  }
}
