package dev.holdfast.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.clusterstate.IndexId;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.compoundcommit.notice.CommitNotice;
import dev.holdfast.query.hits.ShardResult;
import dev.holdfast.query.parse.SearchParser;
import dev.holdfast.query.result.Hit;
import dev.holdfast.query.result.ShardHit;
import dev.holdfast.search.copy.OpenCommit;
import dev.holdfast.search.node.ContextId;
import dev.holdfast.search.node.FetchRequest;
import dev.holdfast.search.node.QueryAnswer;
import dev.holdfast.search.node.QueryRequest;
import dev.holdfast.search.node.ShardContexts;
import dev.holdfast.search.node.ShardTarget;
import dev.holdfast.world.CircuitBreaker;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.concurrent.Await;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class LocalSearchTest extends SearchTierFixture {
  private static final String BY_N = "{\"sort\":[\"n\"]}";

  @Test
  void bothPhasesReadTheSameCommitAndTheReadersGoWithTheSecond() throws Exception {
    // given a query phase whose hits are not fetched yet
    zero.add("1", "{\"n\":1}");
    CommitNotice first = zero.upload();
    tier.commit(first);
    QueryAnswer found = query("search-1", BY_N, zero.id);
    ShardResult result = Objects.requireNonNull(found.shards().getFirst().result());
    // when the document is gone from the newest commit
    zero.delete("1");
    CommitNotice second = zero.upload();
    // then its commit is kept, and the hit is fetched from it
    assertThat(tier.commit(second).generations()).contains(first.commit().generation());
    assertThat(fetch("search-1", result.hits())).extracting(Hit::id).containsExactly("1");
    long newest = second.commit().generation();
    assertThat(
            Await.until(
                world,
                Duration.ofMinutes(1),
                Duration.ofMillis(10),
                () -> tier.commit(second).generations().equals(Set.of(newest))))
        .isTrue();
    // and nobody fetches a second time
    assertMissing("search-1", result.hits());
  }

  /// Ending the mappings of a commit's files takes long on a busy machine.
  @Test
  void noAnswerWaitsUntilACommitIsClosedThatWasReplacedMeanwhile() throws Exception {
    zero.add("1", "{\"n\":1}");
    CommitNotice first = zero.upload();
    tier.commit(first);
    CompletableFuture<Thread> closedBy = new CompletableFuture<>();
    OpenCommit opened = tier.copies.acquire(zero.id);
    opened
        .reader()
        .getReaderCacheHelper()
        .addClosedListener(_ -> closedBy.complete(Thread.currentThread()));
    opened.release();
    ShardResult result =
        Objects.requireNonNull(query("search-1", BY_N, zero.id).shards().getFirst().result());
    zero.add("2", "{\"n\":2}");
    tier.commit(zero.upload());
    assertThat(closedBy).isNotDone();

    assertThat(fetch("search-1", result.hits())).extracting(Hit::id).containsExactly("1");

    assertThat(closedBy.get(1, TimeUnit.MINUTES)).isNotSameAs(Thread.currentThread());
  }

  @Test
  void aSearchThatIsReleasedLetsGoOfItsReaders() throws Exception {
    zero.add("1", "{\"n\":1}");
    CommitNotice first = zero.upload();
    tier.commit(first);
    ShardResult result =
        Objects.requireNonNull(query("search-1", BY_N, zero.id).shards().getFirst().result());

    tier.release("search-1");
    tier.release("search-of-nobody");

    zero.add("2", "{\"n\":2}");
    CommitNotice second = zero.upload();
    assertThat(tier.commit(second).generations()).containsExactly(second.commit().generation());
    assertMissing("search-1", result.hits());
  }

  @Test
  void aSearchWithoutHitsKeepsNoReader() throws Exception {
    zero.add("1", "{\"n\":1}");
    tier.commit(zero.upload());

    QueryAnswer nothing = query("search-1", "{\"query\":{\"match_none\":{}}}", zero.id);

    assertThat(nothing.shards().getFirst().result()).isNotNull();
    assertMissing("search-1", List.of());
  }

  @Test
  void aShardThatFailsLeavesTheOthersTheirAnswers() throws Exception {
    // given one shard with a commit, one without, and one of an index that is gone
    zero.add("1", "{\"n\":1}", "2", "{\"n\":2}");
    tier.commit(zero.upload());
    ShardId gone = new ShardId(new IndexId("gone", "uuid-gone"), 0);
    // when
    QueryAnswer answer = query("search-1", BY_N, one.id, zero.id, gone);
    // then each is answered for at its place
    assertThat(answer.shards()).hasSize(3);
    assertThat(refusal(answer, 0).type()).isEqualTo(ErrorType.NO_SHARD_AVAILABLE);
    assertThat(Objects.requireNonNull(answer.shards().get(1).result()).hits()).hasSize(2);
    assertThat(refusal(answer, 2).type()).isEqualTo(ErrorType.INDEX_NOT_FOUND);
    tier.release("search-1");
  }

  /// Else a search would wait for each of its shards in turn.
  @Test
  void shardsThatAreNotOpenAreWaitedForTogether() throws Exception {
    QueryAnswer answer = query("search-1", BY_N, one.id, zero.id);

    assertThat(refusal(answer, 0).reason()).contains("was not opened within 300ms");
    assertThat(refusal(answer, 1).reason())
        .contains("its newest commit is not open, and the search has waited for other shards")
        .endsWith("nothing was committed");
  }

  @Test
  void aWholeSearchIsAnsweredWithItsHitsAndKeepsNothing() throws Exception {
    zero.add("1", "{\"n\":3}", "2", "{\"n\":1}");
    one.add("3", "{\"n\":2}");
    tier.commit(zero.upload());
    tier.commit(one.upload());

    QueryAnswer both =
        tier.query(
            request("search-1", BY_N, true, ShardTarget.of(zero.id), ShardTarget.of(one.id)),
            () -> false);
    QueryAnswer alone = tier.query(request("", BY_N, true, ShardTarget.of(zero.id)), () -> false);

    assertThat(both.hits()).extracting(Hit::id).containsExactly("2", "3", "1");
    assertThat(alone.hits()).extracting(Hit::id).containsExactly("2", "1");
    assertMissing("search-1", List.of());
  }

  @Test
  void aPageOfAScrollIsNoLargerThanAResultWindow() throws Exception {
    zero.add("1", "{\"n\":1}");
    tier.commit(zero.upload());
    ShardTarget target = ShardTarget.of(zero.id);
    ContextId scroll =
        searches.contexts().open(target, ShardContexts.Kind.SCROLL, Duration.ofMinutes(1), "");

    QueryAnswer answer =
        tier.query(request("search-1", "{\"size\":10001}", false, target.at(scroll)), () -> false);

    assertThat(refusal(answer, 0).reason()).startsWith("Batch size is too large");
  }

  /// What the query phase held is given back when it ends, and nobody gives back what comes later.
  @Test
  void theSecondPhaseHasABudgetOfItsOwn() throws Exception {
    zero.add("1", "{\"k\":\"a\"}");
    tier.commit(zero.upload());
    String body =
        "{\"highlight\":{\"fields\":{\"k\":{}},"
            + "\"highlight_query\":{\"regexp\":{\"k\":\"a.{300}b\"}}}}";
    QueryAnswer found = query("search-1", body, zero.id);
    ShardResult result = Objects.requireNonNull(found.shards().getFirst().result());
    CircuitBreaker breaker = world.memory().request();
    long tripped = breaker.tripped();
    breaker.limit(10_000);

    assertThatThrownBy(() -> fetch("search-1", result.hits()))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("data for [<fetch>]");

    assertThat(breaker.tripped()).isGreaterThan(tripped);
    assertThat(breaker.bytes()).isZero();
  }

  private static Refusal refusal(QueryAnswer answer, int position) {
    return Objects.requireNonNull(answer.shards().get(position).failure());
  }

  private QueryAnswer query(String search, String body, ShardId... shards) throws Exception {
    ShardTarget[] targets =
        IntStream.range(0, shards.length)
            .mapToObj(i -> ShardTarget.of(shards[i]))
            .toArray(ShardTarget[]::new);
    return tier.query(request(search, body, false, targets), () -> false);
  }

  private static QueryRequest request(
      String search, String body, boolean isWhole, ShardTarget... targets) {
    return new QueryRequest(
        search,
        IntStream.range(0, targets.length)
            .mapToObj(i -> new QueryRequest.OfShard(targets[i], i))
            .toList(),
        targets.length,
        SearchParser.parse(Json.parseObject(body)),
        0,
        0,
        null,
        isWhole);
  }

  private List<Hit> fetch(String search, List<ShardHit> hits) throws Exception {
    return tier.fetch(new FetchRequest(search, List.of(new FetchRequest.OfShard(0, hits))));
  }

  private void assertMissing(String search, List<ShardHit> hits) {
    assertThatThrownBy(() -> fetch(search, hits))
        .isInstanceOf(Refusal.class)
        .hasMessage("No search context found for id [" + search + "]");
  }
}
