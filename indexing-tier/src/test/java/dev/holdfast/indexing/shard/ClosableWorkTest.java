package dev.holdfast.indexing.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.indexing.IndexingTierFixture;
import dev.holdfast.indexing.TestIndexingNode;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

final class ClosableWorkTest extends IndexingTierFixture {
  /// As Lucene says that a writer lost its files, in the middle of a merge or of a commit.
  private static final List<Exception> FAULTS =
      List.of(
          new IllegalStateException("this writer hit an unrecoverable error"),
          new IOException("background merge hit exception"));

  @Test
  void whatFailsBecauseAShardWasClosedIsRefusedAndAllElseIsAFault() throws Exception {
    ShardId shard = node.create("books");
    node.done(shard, TestIndexingNode.index("1", "{}"));
    IndexingShard open = Objects.requireNonNull(node.tier.openNow(shard));

    for (Exception fault : FAULTS) {
      assertThatThrownBy(() -> ClosableWork.on(open.engine, failing(fault))).isSameAs(fault);
    }
    open.close();
    for (Exception fault : FAULTS) {
      assertThatThrownBy(() -> ClosableWork.on(open.engine, failing(fault)))
          .isInstanceOfSatisfying(
              Refusal.class, e -> assertThat(e.type()).isEqualTo(ErrorType.UNAVAILABLE_SHARDS));
    }
  }

  private static ClosableWork failing(Exception fault) {
    return () -> {
      if (fault instanceof IOException io) {
        throw io;
      }
      throw (RuntimeException) fault;
    };
  }
}
