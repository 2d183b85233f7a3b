package dev.holdfast.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.http.server.OpenConnections.Unanswered;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class OpenConnectionsTest {
  private static final long ONE = OpenConnections.REQUEST_BYTES;
  private static final SocketAddress GREEDY = InetSocketAddress.createUnresolved("greedy", 1);
  private static final SocketAddress OTHER = InetSocketAddress.createUnresolved("other", 1);

  private final OpenConnections connections = new OpenConnections(3, 10 * ONE);
  private final OpenConnections.Connection greedy = connections.opened(GREEDY);

  private void send(int requests) {
    for (int i = 0; i < requests; i++) {
      Unanswered _ = connections.come(GREEDY);
    }
  }

  @Test
  void whoHasMoreThanItsShareIsClosed() {
    OpenConnections.Connection _ = connections.opened(OTHER);
    send(9);
    Unanswered small = connections.come(OTHER);

    assertThat(small.isTooMuch()).as("there is room").isFalse();
    assertThat(connections.come(GREEDY).isTooMuch()).isTrue();
    assertThat(small.isTooMuch()).as("less than its share").isFalse();
  }

  @Test
  void whatIsAnsweredHasGone() {
    Unanswered one = connections.come(GREEDY);
    assertThat(one.answer(1000)).isTrue();
    assertThat(connections.unanswered()).isEqualTo(ONE + 1000);

    one.close();
    one.close();

    assertThat(one.answer(1000)).as("late").isTrue();
    assertThat(connections.unanswered()).isZero();
  }

  @Test
  void anAnswerThatIsNotSmallFindsNoRoomWhereThereIsNone() {
    send(10);
    Unanswered last = connections.come(GREEDY);

    assertThat(last.answer(64 << 10)).isTrue();
    assertThat(last.answer((64 << 10) + 1)).isFalse();
    assertThat(connections.unanswered()).isEqualTo(11 * ONE + (64 << 10));
  }

  /// No two are equal.
  private static OpenConnections.Request request(int number) {
    return () -> assertThat(number).isNotNegative();
  }

  @Test
  void whoHasItsShareOfRequestsHasIt() {
    OpenConnections.Connection _ = connections.opened(OTHER);
    for (int i = 0; i < 3; i++) {
      connections.begin(GREEDY, request(i));
    }
    connections.begin(OTHER, request(0));

    assertThat(connections.hasItsShare(GREEDY, 6)).isTrue();
    assertThat(connections.hasItsShare(GREEDY, 8)).isFalse();
    assertThat(connections.hasItsShare(OTHER, 2)).as("one more at least").isFalse();
  }

  @Test
  void whatIsSilentForLongestMakesRoom() {
    List<String> closed = new ArrayList<>();
    connections.spoke(greedy);
    for (String name : List.of("a", "b", "c", "d")) {
      SocketAddress client = InetSocketAddress.createUnresolved(name, 1);
      OpenConnections.Connection one = connections.opened(client);
      one.closing(_ -> {
        closed.add(name);
        connections.closed(client, one);
      });
      connections.makeRoom();
    }
    assertThat(closed).containsExactly("a", "b");
  }

  /// A large heap has room for more requests than there is time for: fifty thousand of 2 GB took
  /// the event loops half a minute.
  @Test
  void whoSendsMoreAheadThanThereIsTimeForIsClosed() {
    OpenConnections timed = new OpenConnections(3, 1_000 * ONE, 20, 20);
    OpenConnections.Connection _ = timed.opened(GREEDY);
    OpenConnections.Connection _ = timed.opened(OTHER);
    Unanswered small = timed.come(OTHER);
    for (int i = 0; i < 19; i++) {
      assertThat(timed.come(GREEDY).isTooMuch()).as("request " + i).isFalse();
    }

    Unanswered last = timed.come(GREEDY);
    assertThat(last.isTooMuch()).isTrue();
    assertThat(small.isTooMuch()).as("less than its share").isFalse();
    last.close();
    assertThat(timed.come(OTHER).isTooMuch()).as("nor two of them").isFalse();
  }

  @Test
  void aSmallHeapBearsFewerConnections() {
    assertThat(HttpLimits.connectionsMax(256 << 20)).isEqualTo(4096);
    assertThat(HttpLimits.connectionsMax(1L << 40)).isEqualTo(HttpLimits.CONNECTIONS_MAX);
  }

  /// What waits in an event loop holds the connection that it is for: with 30 s for each head, and
  /// 9,000 connections that had gone, that had been a quarter of a heap.
  @Test
  void nothingWaitsForAConnectionThatHasGone() {
    EmbeddedChannel channel =
        new EmbeddedChannel(new ConnectionGuard(connections, HttpLimits.DEFAULT, OTHER));
    for (String sent : new String[] {"GET / HTTP/1.1\r\n\r\n", "GET /"}) {
      channel.writeInbound(Unpooled.copiedBuffer(sent, StandardCharsets.US_ASCII));
      channel.writeOutbound(Unpooled.copiedBuffer("HTTP/1.1 200 OK", StandardCharsets.US_ASCII));
    }
    channel.pipeline().fireChannelInactive();

    assertThat(channel.runScheduledPendingTasks()).as("until the next, none").isEqualTo(-1);
    assertThat(connections.come(OTHER).isTooMuch()).as("it is not known any more").isTrue();
    channel.finishAndReleaseAll();
  }

  @Test
  void aConnectionThatHasGoneHoldsNothing() {
    connections.closed(GREEDY, greedy);
    Unanswered late = connections.come(GREEDY);

    assertThat(late.answer(1000)).isTrue();
    assertThat(late.isTooMuch()).isTrue();
    assertThat(connections.unanswered()).isZero();
  }
}
