package dev.holdfast.indexing.upload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.compoundcommit.CompoundCommit;
import dev.holdfast.indexing.IndexingTierFixture;
import dev.holdfast.indexing.TestIndexingNode;
import dev.holdfast.indexing.engine.Committed;
import dev.holdfast.indexing.engine.ShardEngine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;

final class BatchesTest extends IndexingTierFixture {
  /// Its name would be that of a commit that is in no batch, and every later one would be refused.
  @Test
  void aBatchThatCouldNotTakeItsFirstCommitLeavesRoomForTheNext() throws Exception {
    ShardId shard = node.create("books");
    node.done(shard, TestIndexingNode.index("1", "{}"));
    ShardEngine engine = Objects.requireNonNull(node.tier.openNow(shard)).engine;
    Path local = Files.createDirectory(folder.resolve("local"));
    Batches batches =
        new Batches(
            node.world, node.cluster, node.cluster, TestIndexingNode.config(), engine, local);
    Committed first = engine.commit(true);
    Path unreadable = local.resolve(Objects.requireNonNull(first.commit()).getSegmentsFileName());
    Files.write(unreadable, new byte[100]);

    assertThatThrownBy(() -> batches.append(first)).isInstanceOf(IOException.class);
    Files.delete(unreadable);

    assertThat(batches.freeze()).isEmpty();
    Committed second = engine.commit(true);
    CompoundCommit commit = batches.append(second);
    assertThat(commit.generation())
        .isGreaterThan(Objects.requireNonNull(first.commit()).getGeneration());
    assertThat(batches.freeze()).hasSize(1);
    batches.close();
  }
}
