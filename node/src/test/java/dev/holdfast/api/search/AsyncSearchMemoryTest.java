package dev.holdfast.api.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.http.Answer;
import dev.holdfast.node.FixedState;
import dev.holdfast.node.RunningNode;
import dev.holdfast.world.CircuitBreaker;
import dev.holdfast.world.Clock;
import dev.holdfast.world.Json;
import dev.holdfast.world.ThreadShortage;
import dev.holdfast.world.World;
import dev.holdfast.world.real.RealWorld;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Answers of async searches are kept in memory that is counted, bounded, and given back.
final class AsyncSearchMemoryTest {
  private static final String KEPT =
      "/pages/_async_search?keep_on_completion=true&wait_for_completion_timeout=30s";

  @RegisterExtension static final RunningNode node = RunningNode.alone();

  @AfterEach
  void defaults() throws Exception {
    node.ok(
        "PUT",
        "/_cluster/settings",
        """
        {"persistent":{"indices.breaker.request.limit":null,\
        "search.max_async_search_response_size":null}}\
        """);
  }

  @Test
  void anAnswerThatIsKeptIsHeldOfTheBudgetUntilItIsDeleted() throws Exception {
    page(1_000_000);
    long before = held();

    JsonNode kept = node.ok("POST", KEPT, "{}");
    long meanwhile = held();
    String text = node.call("GET", "/_async_search/" + kept.path("id").asText(), "").body();
    JsonNode again = Json.parse(text);
    node.ok("DELETE", "/_async_search/" + kept.path("id").asText(), "");

    assertThat(meanwhile - before).isBetween(1_000_000L, 1_100_000L);
    assertThat(again.path("response")).isEqualTo(kept.path("response"));
    assertThat(text).contains("\"exact\":1.10,");
    assertThat(held()).isEqualTo(before);
    assertThat(node.call("GET", "/_async_search/" + kept.path("id").asText(), "").statusCode())
        .isEqualTo(404);
  }

  @Test
  void aFewRunAtATime() throws Exception {
    World world = RealWorld.create();
    Metadata metadata = new FixedState(ClusterState.empty("cluster"));
    StoredResponses responses = new StoredResponses(metadata, world.memory().request());
    AsyncSearches searches = new AsyncSearches(world, "self", responses, 2);
    AtomicInteger running = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    CountDownLatch mayEnd = new CountDownLatch(1);
    List<AsyncSearches.Kept> all = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      all.add(
          searches.start(
              Duration.ofMinutes(5),
              1,
              0,
              _ -> {
                most.accumulateAndGet(running.incrementAndGet(), Math::max);
                mayEnd.await();
                running.decrementAndGet();
                return Answer.text(200, "");
              }));
    }
    while (running.get() < 2) {
      Thread.onSpinWait();
    }
    mayEnd.countDown();
    for (AsyncSearches.Kept one : all) {
      assertThat(searches.await(one, Duration.ofMinutes(5), () -> false)).isTrue();
    }
    world.tasks().close();

    assertThat(most).hasValue(2);
  }

  /// As by somebody who corrects the clock of a machine that was an hour late.
  @Test
  void aClockThatIsSetEndsNoSearchAndMakesNoneLong() throws Exception {
    World real = RealWorld.create();
    AtomicLong setMillis = new AtomicLong();
    Clock set =
        new Clock() {
          @Override
          public long nanoTime() {
            return real.clock().nanoTime();
          }

          @Override
          public long epochMillis() {
            return real.clock().epochMillis() + setMillis.get();
          }
        };
    World world =
        new World(set, real.sleeper(), real.ids(), real.chance(), real.tasks(), real.memory());
    Metadata metadata = new FixedState(ClusterState.empty("cluster"));
    AsyncSearches searches =
        new AsyncSearches(
            world, "self", new StoredResponses(metadata, world.memory().request()), 1);
    AsyncSearches.Kept search =
        searches.start(Duration.ofMinutes(5), 1, 0, _ -> Answer.text(200, ""));

    setMillis.set(Duration.ofHours(1).toMillis());
    assertThat(searches.await(search, Duration.ofMinutes(1), () -> false)).isTrue();
    searches.forgetExpired();

    assertThat(searches.find(search.id)).isSameAs(search);
    assertThat(searches.tookMillis(search)).isLessThan(Duration.ofMinutes(2).toMillis());
    searches.keep(search, Duration.ofNanos(-1));
    searches.forgetExpired();
    assertThat(searches.count()).isZero();
    world.tasks().close();
  }

  @Test
  void aSearchThatNoThreadIsLeftForHoldsNothing() {
    ThreadShortage threads = new ThreadShortage(RealWorld.create().tasks());
    World world = threads.in(RealWorld.create());
    Metadata metadata = new FixedState(ClusterState.empty("cluster"));
    CircuitBreaker breaker = world.memory().request();
    AsyncSearches searches =
        new AsyncSearches(world, "self", new StoredResponses(metadata, breaker), 1);
    long before = breaker.bytes();
    threads.begin();

    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(
              () -> searches.start(Duration.ofMinutes(5), 1, 1000, _ -> Answer.text(200, "")))
          .isInstanceOf(OutOfMemoryError.class);
    }
    threads.close();

    assertThat(breaker.bytes()).isEqualTo(before);
  }

  /// Five hundred may wait for their turn, each with the body of its request.
  @Test
  void aBodyTakesMemoryUntilItsSearchHasEnded() throws Exception {
    World world = RealWorld.create();
    Metadata metadata = new FixedState(ClusterState.empty("cluster"));
    CircuitBreaker breaker = world.memory().request();
    AsyncSearches searches =
        new AsyncSearches(world, "self", new StoredResponses(metadata, breaker), 1);
    CountDownLatch mayEnd = new CountDownLatch(1);
    AsyncSearches.Work work =
        _ -> {
          mayEnd.await();
          return Answer.text(200, "");
        };
    List<AsyncSearches.Kept> all = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      all.add(searches.start(Duration.ofMinutes(5), 1, 1_000_000, work));
    }
    breaker.limit(3_500_000);
    searches.forget(all.getLast()); // which still waits for its turn

    assertThatThrownBy(() -> searches.start(Duration.ofMinutes(5), 1, 1_000_000, work))
        .hasMessageContaining("Data too large");
    assertThat(searches.count()).isEqualTo(2);
    mayEnd.countDown();
    for (AsyncSearches.Kept one : all) {
      assertThat(searches.await(one, Duration.ofMinutes(5), () -> false)).isTrue();
    }
    assertThat(breaker.bytes()).isZero();
    world.tasks().close();
  }

  @Test
  void anExpiredAnswerIsGivenBack() throws Exception {
    page(1_000_000);
    long before = held();

    JsonNode kept = node.ok("POST", KEPT + "&keep_alive=1s", "{}");

    assertThat(kept.path("id").asText()).isNotEmpty();
    long deadline = System.nanoTime() + 30_000_000_000L;
    while (held() > before && System.nanoTime() < deadline) {
      Thread.sleep(100);
    }
    assertThat(held()).isEqualTo(before);
  }

  @Test
  void anAnswerAboveTheLimitIsRefusedAndNotKept() throws Exception {
    page(100_000);
    node.ok(
        "PUT",
        "/_cluster/settings",
        "{\"persistent\":{\"search.max_async_search_response_size\":\"50kb\"}}");
    long before = held();

    HttpResponse<String> refused = node.call("POST", KEPT, "{}");
    HttpResponse<String> notKept =
        node.call("POST", "/pages/_async_search?wait_for_completion_timeout=30s", "{}");

    assertThat(refused.statusCode()).as(refused.body()).isEqualTo(400);
    assertThat(Json.parse(refused.body()).at("/error/reason").asText())
        .contains("[51200] bytes", "search.max_async_search_response_size");
    assertThat(notKept.statusCode()).isEqualTo(200);
    assertThat(held()).isEqualTo(before);
  }

  @Test
  void anAnswerThatTheBudgetHasNoRoomForIs429() throws Exception {
    page(4_000_000);
    node.ok(
        "PUT",
        "/_cluster/settings",
        "{\"persistent\":{\"search.max_async_search_response_size\":\"1gb\"}}");

    HttpResponse<String> last = node.call("POST", KEPT, "{}");
    List<String> kept = new ArrayList<>();
    while (last.statusCode() == 200 && kept.size() < 200) {
      kept.add(Json.parse(last.body()).path("id").asText());
      last = node.call("POST", KEPT, "{}");
    }
    for (String id : kept) {
      node.ok("DELETE", "/_async_search/" + id, "");
    }

    assertThat(last.statusCode()).as(last.body()).isEqualTo(429);
    assertThat(kept).isNotEmpty();
  }

  private static void page(int bytes) throws Exception {
    node.call("DELETE", "/pages", "");
    node.ok(
        "PUT",
        "/pages/_doc/1?refresh=true",
        "{\"exact\":1.10,\"text\":\"" + "x ".repeat(bytes / 2) + "\"}");
  }

  private static long held() throws Exception {
    JsonNode nodes = node.ok("GET", "/_nodes/stats/breaker", "").path("nodes");
    return nodes.elements().next().at("/breakers/request/estimated_size_in_bytes").asLong();
  }
}
