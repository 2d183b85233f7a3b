package dev.holdfast.search.choice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.clusterstate.Build;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexId;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Member;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.Role;
import dev.holdfast.clusterstate.ShardAssignment;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.objectstore.StoreException;
import dev.holdfast.objectstore.StoreFailure;
import dev.holdfast.search.copy.SearchCopies;
import dev.holdfast.search.node.ShardTarget;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

final class NextCopiesTest {
  private static final IndexId BOOKS = new IndexId("books", "u");
  private static final IndexMetadata OPEN =
      new IndexMetadata(
          BOOKS, 1, new TreeMap<>(), 1, Json.object(), 1, new TreeMap<>(), true, List.of(1L));

  private static final Member SEARCH_NODE =
      new Member(
          "n", "n", "n:1", new TreeSet<>(Set.of(Role.SEARCH)), 1, 0, false, Build.here("test"));

  /// A shard without copies, asked for before the time is over.
  private static AskedShard asked(ClusterState state) {
    AskedShard asked = new AskedShard(ShardTarget.of(new ShardId(BOOKS, 0)), 0);
    NextCopies copies = new NextCopies(new Unchanging(state), CopyChoice.of("", 0), "self");
    assertThat(copies.groups(List.of(asked), false)).isEmpty();
    return asked;
  }

  @Test
  void aShardOnItsWayIsWaitedFor() {
    assertThat(asked(ClusterState.empty("c").withIndex(OPEN)).isDone).isFalse();
  }

  @Test
  void whoWaitedInVainIsToldThatThereIsNoCopy() {
    assertThat(waitedInVain(ClusterState.empty("c").withIndex(OPEN).withMember(SEARCH_NODE)))
        .isEqualTo("No shard available for [books][0]: no node holds a search copy of it");
  }

  @Test
  void whoWaitedInVainIsToldThatThereIsNoSearchTier() {
    assertThat(waitedInVain(ClusterState.empty("c").withIndex(OPEN)))
        .startsWith("No shard available for [books][0]: no member of the cluster has the role")
        .contains("[search]; GET /_holdfast/autoscaling/explain");
  }

  private static String waitedInVain(ClusterState state) {
    AskedShard asked = new AskedShard(ShardTarget.of(new ShardId(BOOKS, 0)), 0);
    NextCopies copies = new NextCopies(new Unchanging(state), CopyChoice.of("", 0), "self");

    assertThat(copies.groups(List.of(asked), true)).isEmpty();

    assertThat(asked.failure).isNotNull();
    return asked.failure.reason();
  }

  @Test
  void nobodyWaitsForAClosedIndex() {
    AskedShard asked = asked(ClusterState.empty("c").withIndex(OPEN.withOpen(false)));
    assertThat(asked.isDone).isTrue();
    assertThat(asked.failure).matches(why -> why.type() == ErrorType.INDEX_CLOSED);
  }

  @Test
  void nobodyWaitsForADeletedIndex() {
    AskedShard asked = asked(ClusterState.empty("c"));
    assertThat(asked.isDone).isTrue();
    assertThat(asked.failure).matches(why -> why.type() == ErrorType.INDEX_NOT_FOUND);
  }

  /// Else two shards could be asked by turns for ever, without a pause.
  @Test
  void aShardWhoseCopiesWereTriedIsNotAskedAgainBeforeThePause() {
    ShardId shard = new ShardId(BOOKS, 0);
    ClusterState state =
        ClusterState.empty("c")
            .withMember(SEARCH_NODE)
            .withIndex(OPEN)
            .withAssignment(
                shard, ShardAssignment.NONE.withCopy("n", ShardAssignment.Copy.STARTED));
    AskedShard asked = new AskedShard(ShardTarget.of(shard), 0);
    NextCopies copies = new NextCopies(new Unchanging(state), CopyChoice.of("", 0), "self");
    assertThat(copies.groups(List.of(asked), false)).containsOnlyKeys("n");
    asked.tried.add("n");
    copies.failed(asked, "n", SearchCopies.unavailable(shard, ""));

    assertThat(copies.groups(List.of(asked), false)).isEmpty();
    assertThat(copies.groups(List.of(asked), false)).isEmpty();

    NextCopies.again(List.of(asked));
    assertThat(copies.groups(List.of(asked), false)).containsOnlyKeys("n");
  }

  /// It may fail for long, and who asked is told by then what it says.
  @Test
  void nobodyWaitsForAStoreThatFails() {
    ShardId shard = new ShardId(BOOKS, 0);
    ClusterState state =
        ClusterState.empty("c")
            .withMember(SEARCH_NODE)
            .withIndex(OPEN)
            .withAssignment(
                shard, ShardAssignment.NONE.withCopy("n", ShardAssignment.Copy.STARTED));
    AskedShard asked = new AskedShard(ShardTarget.of(shard), 0);
    NextCopies copies = new NextCopies(new Unchanging(state), CopyChoice.of("", 0), "self");
    asked.tried.add("n");
    StoreException fault = new StoreException.Unavailable(StoreFailure.DENIED, "403", null);
    copies.failed(asked, "n", new IOException("fetch failed", fault));

    assertThat(copies.groups(List.of(asked), false)).isEmpty();

    assertThat(asked.isDone).isTrue();
    assertThat(asked.failure).isNotNull();
    assertThat(asked.failure.status()).isEqualTo(503);
    assertThat(asked.failure.reason())
        .startsWith("No shard available for [books][0]: the object store fails, denied: 403 (")
        .contains(StoreFailure.DENIED.advice());
  }

  private record Unchanging(ClusterState current) implements Metadata {
    @Override
    public ClusterState update(String reason, UnaryOperator<ClusterState> change) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void listen(Listener listener) {}
  }
}
