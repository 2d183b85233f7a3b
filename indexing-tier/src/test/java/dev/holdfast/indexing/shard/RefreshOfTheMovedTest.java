package dev.holdfast.indexing.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.indexing.IndexingTierFixture;
import dev.holdfast.indexing.TestIndexingNode;
import dev.holdfast.indexing.refresh.Refresher;
import dev.holdfast.world.Refusal;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

final class RefreshOfTheMovedTest extends IndexingTierFixture {
  /// An index that is closed and opened again, while it is refreshed: nothing an operator can act
  /// on.
  @Test
  void aRefreshUnderATermThatIsOverIsNoWarning() throws Exception {
    ShardId shard = node.create("books");
    node.done(shard, TestIndexingNode.index("1", "{}"));
    IndexingShard open = Objects.requireNonNull(node.tier.openNow(shard));
    open.refresh();
    open.refresh(); // the cycle that the opening began is over: it might hold what a test writes
    node.done(shard, TestIndexingNode.index("2", "{}"));
    Logger log = (Logger) LoggerFactory.getLogger(Refresher.class);
    ListAppender<ILoggingEvent> told = new ListAppender<>();
    told.start();
    Level before = log.getLevel();
    log.setLevel(Level.WARN);
    log.addAppender(told);
    try {
      node.changes.seenAs(state -> withNextTerm(state, shard));
      assertThatThrownBy(open::refresh).isInstanceOf(Refusal.class);
    } finally {
      node.changes.seenAs(state -> state);
      log.detachAppender(told);
      log.setLevel(before);
    }
    assertThat(told.list).isEmpty();
  }

  private static ClusterState withNextTerm(ClusterState state, ShardId shard) {
    IndexMetadata index = Objects.requireNonNull(state.indices().get(shard.index().name()));
    return state.withIndex(index.withPrimaryTerms(List.of(index.primaryTerms().getFirst() + 1)));
  }
}
