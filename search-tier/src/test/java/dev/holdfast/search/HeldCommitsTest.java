package dev.holdfast.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.compoundcommit.notice.CommitNotice;
import dev.holdfast.compoundcommit.notice.InUse;
import dev.holdfast.search.node.ContextId;
import dev.holdfast.search.node.ShardContexts;
import dev.holdfast.search.node.ShardTarget;
import dev.holdfast.world.CircuitBreaker;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class HeldCommitsTest extends SearchTierFixture {
  private static final Duration LONG = Duration.ofMinutes(1);
  private static final Duration SHORT = Duration.ofMillis(1);

  private CommitNotice first;
  private ShardTarget target;

  @BeforeEach
  void write() throws IOException {
    zero.add("1", "{\"n\":1}");
    first = zero.upload();
    tier.commit(first);
    target = ShardTarget.of(zero.id);
  }

  @Test
  void aCommitIsLetGoOfWhenItsTimeIsOver() throws Exception {
    // given a commit that is held for a moment, and one that is held for long
    held(ShardContexts.Kind.SCROLL, SHORT);
    ContextId wanted = held(ShardContexts.Kind.POINT_IN_TIME, LONG);
    zero.add("2", "{\"n\":2}");
    CommitNotice second = zero.upload();
    // when the time of the first is over
    until(() -> searches.contexts().open(ShardContexts.Kind.SCROLL) == 0);
    // then the commit stays as long as the other holds it
    assertThat(tier.commit(second).generations()).contains(first.commit().generation());
    assertThat(ids(List.of(target.at(wanted)), "{}")).containsExactly("1");
    assertThat(searches.contexts().close(List.of(wanted))).containsExactly(wanted);
    InUse after = tier.commit(second);
    assertThat(after.generations()).containsExactly(second.commit().generation());
  }

  @Test
  void whoeverUsesACommitHoldsItForLonger() throws Exception {
    ContextId context = held(ShardContexts.Kind.SCROLL, Duration.ofSeconds(2));
    ContextId other = held(ShardContexts.Kind.SCROLL, Duration.ofSeconds(2));

    assertThat(searches.scrolls().progress(List.of(context), LONG)).containsOnlyKeys(context);

    until(() -> searches.contexts().open(ShardContexts.Kind.SCROLL) == 1);
    assertThat(searches.scrolls().progress(List.of(context, other), LONG))
        .containsOnlyKeys(context);
  }

  @Test
  void closingAllOfAKindLeavesTheOther() throws Exception {
    held(ShardContexts.Kind.SCROLL, LONG);
    held(ShardContexts.Kind.SCROLL, LONG);
    ContextId point = held(ShardContexts.Kind.POINT_IN_TIME, LONG);

    assertThat(searches.contexts().closeAll(ShardContexts.Kind.SCROLL)).isEqualTo(2);

    assertThat(searches.contexts().open(ShardContexts.Kind.SCROLL)).isZero();
    assertThat(searches.contexts().open(ShardContexts.Kind.POINT_IN_TIME)).isOne();
    assertThat(ids(List.of(target.at(point)), "{}")).containsExactly("1");
    assertThat(searches.contexts().close(List.of(point, point))).containsExactly(point);
  }

  @Test
  void scrollsHaveALimitAndPointsInTimeDoNotCount() throws Exception {
    for (int i = 0; i < 500; i++) {
      held(ShardContexts.Kind.SCROLL, LONG);
    }

    assertThatThrownBy(() -> held(ShardContexts.Kind.SCROLL, LONG))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("Must be less than or equal to: [500]");
    assertThat(held(ShardContexts.Kind.POINT_IN_TIME, LONG)).isNotNull();
  }

  @Test
  void aSearchThatCannotBeBegunLetsGoOfWhatItHolds() throws Exception {
    ShardTarget unreadable =
        new ShardTarget(zero.id, null, Json.parseObject("{\"of_a_newer_build\":{}}"), null);
    ContextId context = searches.contexts().open(unreadable, ShardContexts.Kind.SCROLL, LONG, "");

    assertThatThrownBy(() -> ids(List.of(target.at(context)), "{}")).isInstanceOf(Refusal.class);

    assertThat(searches.contexts().close(List.of(context))).containsExactly(context);
    zero.add("2", "{\"n\":2}");
    CommitNotice second = zero.upload();
    assertThat(tier.commit(second).generations()).containsExactly(second.commit().generation());
  }

  /// Five hundred of them are kept for a day, each with a body of any length.
  @Test
  void theRequestOfAScrollTakesMemoryAsLongAsItIsOpen() {
    CircuitBreaker breaker = world.memory().request();
    long before = breaker.bytes();
    String request = "{\"query\":{\"match\":{\"t\":\"" + "word ".repeat(20_000) + "\"}}}";
    ContextId context = searches.contexts().open(target, ShardContexts.Kind.SCROLL, LONG, request);

    assertThat(breaker.bytes() - before).isEqualTo(request.length());
    assertThat(searches.contexts().close(List.of(context))).containsExactly(context);
    assertThat(breaker.bytes()).isEqualTo(before);

    long limit = breaker.limit();
    breaker.limit(before + 1_000);
    assertThatThrownBy(
            () -> searches.contexts().open(target, ShardContexts.Kind.SCROLL, LONG, request))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("Data too large");
    breaker.limit(limit);
    assertThat(breaker.bytes()).isEqualTo(before);
    assertThat(searches.contexts().open(ShardContexts.Kind.SCROLL)).isZero();
  }

  @Test
  void aCommitOfAnotherNodeIsMissing() {
    ContextId elsewhere = new ContextId("another", 1, ShardContexts.Kind.SCROLL);

    assertThatThrownBy(() -> ids(List.of(target.at(elsewhere)), "{}"))
        .isInstanceOf(Refusal.class)
        .rootCause()
        .hasMessage("No search context found for id [1]");
    assertThat(searches.contexts().close(List.of(elsewhere))).isEmpty();
  }

  /// Whoever makes up an id reads nothing of a shard that is not in it.
  @Test
  void aCommitOfAnotherShardIsMissing() throws Exception {
    one.add("2", "{\"n\":2}");
    tier.commit(one.upload());
    ContextId context = held(ShardContexts.Kind.SCROLL, LONG);

    assertThatThrownBy(() -> ids(List.of(ShardTarget.of(one.id).at(context)), "{}"))
        .isInstanceOf(Refusal.class)
        .rootCause()
        .hasMessage("No search context found for id [" + context.number() + "]");
    assertThat(ids(List.of(target.at(context)), "{}")).containsExactly("1");
  }

  private ContextId held(ShardContexts.Kind kind, Duration keepAlive) {
    return searches.contexts().open(target, kind, keepAlive, "");
  }

  private void until(BooleanSupplier isTrue) throws InterruptedException {
    long end = world.clock().nanoTime() + LONG.toNanos();
    while (!isTrue.getAsBoolean()) {
      assertThat(world.clock().nanoTime()).isLessThan(end);
      world.sleeper().sleep(Duration.ofMillis(20));
    }
  }
}
