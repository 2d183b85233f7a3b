package dev.holdfast.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.holdfast.compoundcommit.call.Call;
import dev.holdfast.http.server.HttpCounters;
import dev.holdfast.http.server.HttpLimits;
import dev.holdfast.http.server.HttpServer;
import dev.holdfast.http.server.RequestBytes;
import dev.holdfast.world.ByteSize;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Network.UnreachableException;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.World;
import dev.holdfast.world.concurrent.Begun;
import dev.holdfast.world.real.RealWorld;
import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Calls between two servers on this machine.
class RpcNetworkTest {
  private static final Duration LONG = Duration.ofSeconds(20);

  private final World world = RealWorld.create();
  private final End caller = new End(RpcConfig.of(1 << 30, false));

  @AfterEach
  void close() {
    caller.close();
    world.tasks().close();
  }

  /// A server and the network behind it.
  private final class End implements AutoCloseable {
    final RpcNetwork network;
    final HttpServer server;
    private final int port;

    End(RpcConfig config) {
      network = new RpcNetwork(world, config);
      try {
        network.protect(() -> new byte[] {1, 2, 3});
        server =
            HttpServer.start(
                "127.0.0.1",
                0,
                HttpLimits.DEFAULT,
                network.service(),
                new RequestBytes(1 << 20),
                new HttpCounters(),
                world);
      } catch (IOException | InterruptedException e) {
        throw new IllegalStateException(e);
      }
      port = server.port();
    }

    String address() {
      return "127.0.0.1:" + port;
    }

    @Override
    public void close() {
      server.close();
      network.close();
    }
  }

  private byte[] call(End to, String call, byte[] request, Duration deadline) throws Exception {
    return caller.network.call(to.address(), call, request, deadline);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void largeBodiesTravelBothWays(boolean isCompressed) throws Exception {
    byte[] large = new byte[20 << 20];
    new Random(7).nextBytes(large);
    Arrays.fill(large, 0, large.length / 2, (byte) 'x');
    RpcConfig config = RpcConfig.of(1 << 30, isCompressed);
    try (End there = new End(config);
        End here = new End(config)) {
      there.network.serve("test/echo", request -> request);

      assertThat(here.network.call(there.address(), "test/echo", large, LONG)).isEqualTo(large);
      assertThat(here.network.call(there.address(), "test/echo", new byte[0], LONG)).isEmpty();
    }
  }

  @Test
  void whatTravelsIsCountedAtBothEnds() throws Exception {
    try (End there = new End(RpcConfig.of(1 << 30, false))) {
      there.network.serve("test/half", request -> new byte[request.length / 2]);
      byte[] _ = call(there, "test/half", new byte[100], LONG);
      byte[] _ = call(there, "test/half", new byte[10], LONG);

      assertThat(caller.network.counters().sent()).isEqualTo(2);
      assertThat(caller.network.counters().sentBytes()).isEqualTo(110);
      assertThat(caller.network.counters().receivedBytes()).isEqualTo(55);
      assertThat(caller.network.counters().peers()).isEqualTo(1);
      assertThat(there.network.counters().received()).isEqualTo(2);
      assertThat(there.network.counters().receivedBytes()).isEqualTo(110);
      assertThat(there.network.counters().sentBytes()).isEqualTo(55);
    }
  }

  @Test
  void whatIsTooLongIsRefused() throws Exception {
    RpcConfig small =
        new RpcConfig(ByteSize.mib(1), 10, 10, ByteSize.mib(64), Duration.ofSeconds(2), false);
    try (End there = new End(small)) {
      there.network.serve("test/echo", request -> request);

      assertThatThrownBy(() -> call(there, "test/echo", new byte[2 << 20], LONG))
          .isInstanceOfSatisfying(
              Refusal.class, r -> assertThat(r.type()).isEqualTo(ErrorType.CONTENT_TOO_LARGE));
    }
  }

  @Test
  void aRefusalArrivesAsItWasThrownAndAnyOtherFailureWithItsMessage() throws Exception {
    try (End there = new End(RpcConfig.of(1 << 30, false))) {
      Refusal thrown =
          Refusal.around(
              ErrorType.SEARCH_PHASE_EXECUTION,
              "all shards failed",
              Refusal.indexNotFound("books").with("ids", List.of(1, "two")));
      there.network.serve(
          "test/refuse",
          request -> {
            throw thrown;
          });
      there.network.serve(
          "test/fail",
          request -> {
            throw new IllegalStateException("broken inside");
          });

      Refusal arrived =
          catchThrowableOfType(Refusal.class, () -> call(there, "test/refuse", new byte[0], LONG));
      assertThat(arrived.type()).isEqualTo(ErrorType.SEARCH_PHASE_EXECUTION);
      assertThat(arrived.reason()).isEqualTo("all shards failed");
      assertThat(arrived.status()).isEqualTo(404);
      assertThat(arrived.isWrapper()).isTrue();
      assertThat((Refusal) arrived.getCause())
          .satisfies(cause ->
              assertThat(cause.metadata())
                  .containsEntry("index", "books")
                  .containsEntry("ids", List.of(1, "two")));
      assertThatThrownBy(() -> call(there, "test/fail", new byte[0], LONG))
          .isInstanceOf(IOException.class)
          .isNotInstanceOf(UnreachableException.class)
          .hasMessageContaining("broken inside");
    }
  }

  @Test
  void aDeadlineEndsACallThatMayHaveArrived() throws Exception {
    try (End there = new End(RpcConfig.of(1 << 30, false))) {
      CountDownLatch never = new CountDownLatch(1);
      there.network.serve(
          "test/sleep",
          request -> {
            never.await();
            return request;
          });

      assertThatThrownBy(() -> call(there, "test/sleep", new byte[0], Duration.ofMillis(100)))
          .isInstanceOfSatisfying(
              UnreachableException.class, e -> assertThat(e.mayHaveArrived()).isTrue());
      never.countDown();
    }
  }

  @Test
  void aCallThatNobodyTookCertainlyDidNotArrive() throws Exception {
    End there = new End(RpcConfig.of(1 << 30, false));
    assertThatThrownBy(() -> call(there, "test/unknown", new byte[0], LONG))
        .isInstanceOfSatisfying(
            UnreachableException.class, e -> assertThat(e.mayHaveArrived()).isFalse());
    there.close();

    try (End without = new End(RpcConfig.of(1 << 30, false))) {
      assertThatThrownBy(
              () -> without.network.call(there.address(), "test/unknown", new byte[0], LONG))
          .isInstanceOfSatisfying(
              UnreachableException.class,
              e -> {
                assertThat(e.mayHaveArrived()).isFalse();
                assertThat(e).hasCauseInstanceOf(ConnectException.class);
              });
    }
  }

  /// As of a node that is a member and has not opened its tiers yet.
  @Test
  void aCallWaitsForWhoIsToAnswerIt() throws Exception {
    try (End there = new End(RpcConfig.of(1 << 30, false))) {
      Begun<byte[]> early =
          Begun.of(world, "early", () -> call(there, "test/echo", new byte[] {7}, LONG));
      assertThatThrownBy(() -> early.value(Duration.ofMillis(100)))
          .isInstanceOf(TimeoutException.class);
      there.network.serve("test/echo", request -> request);

      assertThat(early.value()).containsExactly(7);
    }
  }

  @Test
  void aCallThatIsNeverAnsweredIsRefusedAsUnsupported() throws Exception {
    try (End there = new End(RpcConfig.of(1 << 30, false))) {
      there.network.complete();

      assertThatThrownBy(() -> call(there, "test/unknown", new byte[0], LONG))
          .isInstanceOfSatisfying(
              Refusal.class, refusal -> assertThat(Call.isUnsupported(refusal)).isTrue());
    }
  }

  @Test
  void aThousandCallsAtATimeAreAnsweredFewAtATime() throws Exception {
    RpcConfig bounded =
        new RpcConfig(ByteSize.mib(1), 50, 100, ByteSize.mib(64), Duration.ofSeconds(2), false);
    try (End there = new End(bounded);
        End here = new End(bounded)) {
      AtomicInteger now = new AtomicInteger();
      AtomicInteger most = new AtomicInteger();
      there.network.serve(
          "test/count",
          request -> {
            most.accumulateAndGet(now.incrementAndGet(), Math::max);
            world.sleeper().sleep(Duration.ofMillis(2));
            now.decrementAndGet();
            return request;
          });
      CountDownLatch answered = new CountDownLatch(1000);
      for (int i = 0; i < 1000; i++) {
        byte[] request = Integer.toString(i).getBytes(java.nio.charset.StandardCharsets.UTF_8);
        world
            .tasks()
            .start(
                "caller",
                () -> {
                  assertThat(here.network.call(there.address(), "test/count", request, LONG))
                      .isEqualTo(request);
                  answered.countDown();
                });
      }

      assertThat(answered.await(20, java.util.concurrent.TimeUnit.SECONDS)).isTrue();
      assertThat(most.get()).isLessThanOrEqualTo(50);
    }
  }

  @Test
  void aNodeThatAnswersTooManyCallsRefusesMoreButNotThoseOfTheCluster() throws Exception {
    RpcConfig one =
        new RpcConfig(ByteSize.mib(1), 50, 1, ByteSize.mib(64), Duration.ofSeconds(2), false);
    try (End there = new End(one)) {
      CountDownLatch begun = new CountDownLatch(1);
      CountDownLatch end = new CountDownLatch(1);
      there.network.serve(
          "test/wait",
          request -> {
            begun.countDown();
            end.await();
            return request;
          });
      there.network.serve("cluster/beat", request -> request);
      world.tasks().start("first", () -> call(there, "test/wait", new byte[0], LONG));
      begun.await();

      assertThatThrownBy(() -> call(there, "test/wait", new byte[0], LONG))
          .isInstanceOfSatisfying(Refusal.class, r -> assertThat(r.status()).isEqualTo(429));
      assertThat(call(there, "cluster/beat", new byte[] {1}, LONG)).containsExactly(1);
      end.countDown();
    }
  }
}
