package dev.holdfast.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.Build;
import dev.holdfast.clusterstate.Member;
import dev.holdfast.clusterstate.Role;
import dev.holdfast.clusterstate.ShardAssignment;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.compoundcommit.notice.CommitNotice;
import dev.holdfast.compoundcommit.notice.IndexingReads.RealTimeDocument;
import dev.holdfast.document.mapping.StandardMappings;
import dev.holdfast.objectstore.StoreException;
import dev.holdfast.query.parse.SearchParser;
import dev.holdfast.query.result.Hit;
import dev.holdfast.search.choice.CopyChoice;
import dev.holdfast.search.coordination.Coordination;
import dev.holdfast.search.coordination.MergedAnswer;
import dev.holdfast.search.node.FetchRequest;
import dev.holdfast.search.node.NodeQuestion;
import dev.holdfast.search.node.QueryAnswer;
import dev.holdfast.search.node.QueryRequest;
import dev.holdfast.search.node.SearchConfig;
import dev.holdfast.search.node.SearchNode;
import dev.holdfast.search.node.ShardFailure;
import dev.holdfast.search.node.ShardTarget;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What becomes of a search whose nodes fail, forget or do not answer.
@Timeout(60)
final class CoordinationTest extends SearchTierFixture {
  private static final String BY_N = "{\"sort\":[\"n\"]}";

  private static final SearchConfig CONFIG = SearchConfig.of(2, 8 << 20);

  private final OtherNode other = new OtherNode();
  private SearchTier others;

  /// Another member, which has a copy of the first shard too and is asked first for it.
  @BeforeEach
  void another() throws IOException {
    Member member =
        new Member(
            "other",
            "other",
            "there:1",
            new TreeSet<>(List.of(Role.SEARCH)),
            1,
            1,
            false,
            Build.here("test"));
    metadata.state =
        metadata
            .state
            .withMember(member)
            .withAssignment(
                new ShardId(BOOKS, 0), HERE.withCopy("other", ShardAssignment.Copy.STARTED));
    others =
        new SearchTier(
            world,
            store,
            metadata,
            new Self(),
            cache,
            new StandardMappings(),
            new Reads(),
            CONFIG,
            folder.resolve("scratch-other"),
            null);
    zero.add("1", "{\"n\":1}");
    one.add("2", "{\"n\":2}");
    CommitNotice notice = zero.upload();
    tier.commit(notice);
    others.commit(notice);
    tier.commit(one.upload());
  }

  @Test
  void shardsOnTwoNodesAreOneAnswer() throws Exception {
    assertThat(ids(() -> false)).containsExactly("1", "2");

    assertThat(other.calls).containsExactly("query", "fetch");
  }

  @Test
  void aCopyThatFailsIsReplacedByAnother() throws Exception {
    other.failure = new IOException("broken");

    assertThat(ids(() -> false)).containsExactly("1", "2");

    assertThat(other.calls).startsWith("query").doesNotContain("fetch");
  }

  @Test
  void theClientsErrorIsAskedOfNobodyElse() throws Exception {
    other.failure = Refusal.badArgument("no such thing");

    MergedAnswer answer = search(() -> false);

    assertThat(answer.hits()).extracting(Hit::id).containsExactly("2");
    assertThat(answer.failedShards()).isEqualTo(1);
    assertThat(answer.shardFailures().toString()).contains("no such thing");
    assertThat(other.calls).containsExactly("query");
  }

  @Test
  void aSearchWhoseHitsAreForgottenBetweenThePhasesBeginsAnewElsewhere() throws Exception {
    other.forgets = Integer.MAX_VALUE;

    assertThat(ids(() -> false)).containsExactly("1", "2");

    assertThat(other.calls).containsExactly("query", "fetch");
  }

  @Test
  void aSearchWhoseOnlyCopyForgetsAgainAndAgainFails() {
    other.forgets = Integer.MAX_VALUE;
    metadata.state =
        metadata.state.withAssignment(
            new ShardId(BOOKS, 0),
            ShardAssignment.NONE.withCopy("other", ShardAssignment.Copy.STARTED));

    assertThatThrownBy(() -> ids(() -> false))
        .isInstanceOfSatisfying(
            Refusal.class, refusal -> assertThat(refusal.reason()).contains("fetch phase failed"));
    assertThat(other.calls).filteredOn("fetch"::equals).hasSize(3);
  }

  @Test
  void aSearchWhoseOnlyCopyForgetsOnceIsAnswered() throws Exception {
    other.forgets = 1;
    metadata.state =
        metadata.state.withAssignment(
            new ShardId(BOOKS, 0),
            ShardAssignment.NONE.withCopy("other", ShardAssignment.Copy.STARTED));

    assertThat(ids(() -> false)).containsExactly("1", "2");

    assertThat(other.calls).containsSubsequence("query", "fetch", "query", "fetch");
  }

  /// Each time waits for the store.
  @Test
  void aSearchWhoseHitsTheStoreDoesNotGiveBeginsAnewOnce() {
    ShardId shard = new ShardId(BOOKS, 0);
    other.fault =
        ShardFailure.ofStore(shard, new StoreException.Unavailable("nothing was answered", null));
    metadata.state =
        metadata.state.withAssignment(
            shard, ShardAssignment.NONE.withCopy("other", ShardAssignment.Copy.STARTED));

    assertThatThrownBy(() -> ids(() -> false))
        .isInstanceOfSatisfying(
            Refusal.class,
            refusal -> {
              assertThat(refusal.reason()).contains("fetch phase failed");
              assertThat(refusal.status()).isEqualTo(503);
            })
        .hasRootCauseMessage("nothing was answered");
    assertThat(other.calls).filteredOn("fetch"::equals).hasSize(2);
  }

  @Test
  void whoLeavesWaitsForNoNodeAndTheNodeIsLetGo() throws Exception {
    other.isStuck = true;

    assertThatThrownBy(() -> ids(() -> other.asked.getCount() == 0))
        .isInstanceOfSatisfying(
            Refusal.class,
            refusal -> assertThat(refusal.type()).isEqualTo(ErrorType.TASK_CANCELLED));

    other.interrupted.await();
    other.released.await();
  }

  @AfterEach
  void closeOther() throws IOException {
    others.close();
  }

  private List<String> ids(BooleanSupplier isCancelled) throws Exception {
    return search(isCancelled).hits().stream().map(hit -> String.valueOf(hit.id())).toList();
  }

  private MergedAnswer search(BooleanSupplier isCancelled) throws Exception {
    Coordination coordination =
        new Coordination(
            world,
            metadata,
            member -> member.equals("self") ? tier : other,
            CONFIG,
            "self",
            SearchParser.parse(Json.parseObject(BY_N)),
            CopyChoice.of("_prefer_nodes:other", 0),
            null,
            List.of(),
            isCancelled);
    List<ShardTarget> targets =
        List.of(ShardTarget.of(new ShardId(BOOKS, 0)), ShardTarget.of(new ShardId(BOOKS, 1)));
    return coordination.run(targets);
  }

  /// A node with the same copies as this one, which may fail, forget or hang.
  private final class OtherNode implements SearchNode {
    private final List<String> calls = Collections.synchronizedList(new ArrayList<>());
    private final CountDownLatch asked = new CountDownLatch(1);
    private final CountDownLatch interrupted = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);
    private volatile Exception failure;
    private volatile Refusal fault;
    private volatile int forgets;
    private volatile boolean isStuck;

    @Override
    public QueryAnswer query(QueryRequest request, BooleanSupplier isCancelled)
        throws IOException, InterruptedException {
      calls.add("query");
      asked.countDown();
      switch (failure) {
        case null -> {}
        case IOException io -> throw io;
        case Refusal refusal -> throw refusal;
        default -> throw new IllegalStateException(failure);
      }
      if (isStuck) {
        try {
          new CountDownLatch(1).await();
        } catch (InterruptedException e) {
          interrupted.countDown();
          throw e;
        }
      }
      return others.query(request, isCancelled);
    }

    @Override
    public List<Hit> fetch(FetchRequest request) throws IOException, InterruptedException {
      calls.add("fetch");
      if (fault != null) {
        throw fault;
      }
      if (forgets > 0) {
        forgets--;
        throw new Refusal(ErrorType.SEARCH_CONTEXT_MISSING, "No search context found");
      }
      return others.fetch(request);
    }

    @Override
    public void release(String search) throws IOException, InterruptedException {
      released.countDown();
      others.release(search);
    }

    @Override
    public RealTimeDocument find(ShardId shard, long dividedSince, String id) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long documents(ShardId shard) {
      throw new UnsupportedOperationException();
    }

    @Override
    public ObjectNode ask(NodeQuestion question, ObjectNode body) {
      throw new UnsupportedOperationException();
    }
  }
}
