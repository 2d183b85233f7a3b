package dev.holdfast.search.choice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.clusterstate.Build;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexId;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Member;
import dev.holdfast.clusterstate.Role;
import dev.holdfast.clusterstate.ShardAssignment;
import dev.holdfast.clusterstate.ShardAssignment.Copy;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

final class CopyChoiceTest {
  private static final IndexId BOOKS = new IndexId("books", "u");
  private static final ShardId SHARD = new ShardId(BOOKS, 0);

  /// Copies on a, b and c are started, one on d is not, one on e was on a member that is gone.
  private static ClusterState state() {
    ClusterState state =
        ClusterState.empty("c")
            .withIndex(
                new IndexMetadata(
                    BOOKS,
                    1,
                    new TreeMap<>(),
                    1,
                    Json.object(),
                    1,
                    new TreeMap<>(),
                    true,
                    List.of(1L)));
    ShardAssignment copies = ShardAssignment.NONE.withCopy("e", Copy.STARTED);
    for (String id : List.of("a", "b", "c", "d")) {
      TreeSet<Role> roles = new TreeSet<>(List.of(Role.SEARCH));
      state =
          state.withMember(
              new Member(id, "node-" + id, id + ":1", roles, 1, 1, false, Build.here("test")));
      copies = copies.withCopy(id, id.equals("d") ? Copy.STARTING : Copy.STARTED);
    }
    return state.withAssignment(SHARD, copies);
  }

  private static List<String> copies(String preference, int turn) {
    return CopyChoice.of(preference, turn).copies(state(), SHARD, "b");
  }

  @Test
  void searchesTakeTurnsAmongStartedCopies() {
    assertThat(copies("", 0)).containsExactly("a", "b", "c");
    assertThat(copies("", 1)).containsExactly("b", "c", "a");
    assertThat(copies("", -1)).containsExactly("c", "a", "b");
  }

  @Test
  void aTextMeansTheSameCopiesEachTime() {
    assertThat(copies("session-1", 0)).isEqualTo(copies("session-1", 5));
  }

  @Test
  void nodesAreChosenByPlaceIdOrName() {
    assertThat(copies("_local", 0)).containsExactly("b", "a", "c");
    assertThat(copies("_only_local", 0)).containsExactly("b");
    assertThat(copies("_only_nodes:c,node-a", 0)).containsExactly("a", "c");
    assertThat(copies("_prefer_nodes:node-c*", 0)).containsExactly("c", "a", "b");
    assertThat(copies("_shards:0|_local", 0)).containsExactly("b", "a", "c");
    assertThat(CopyChoice.of("_shards:1,2", 0).isSearched(SHARD)).isFalse();
  }

  @Test
  void nodesThatThereAreNoneOfAreNotWaitedFor() {
    CopyChoice.of("_only_nodes:nobody,node-d", 0).requireNodes(state(), SHARD);
    CopyChoice.of("_prefer_nodes:nobody", 0).requireNodes(state(), SHARD);
    assertThatThrownBy(() -> CopyChoice.of("_only_nodes:x*,e", 0).requireNodes(state(), SHARD))
        .isInstanceOf(Refusal.class)
        .hasMessage("no data nodes with criteria [x*,e] found for shard: [books][0]");
  }

  @Test
  void anUnknownPreferenceIsRefused() {
    assertThatThrownBy(() -> CopyChoice.of("_nowhere", 0))
        .isInstanceOf(Refusal.class)
        .hasMessage("no Preference for [_nowhere]");
  }
}
