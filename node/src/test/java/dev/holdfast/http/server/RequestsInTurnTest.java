package dev.holdfast.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.http.server.OpenConnections.Unanswered;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;

final class RequestsInTurnTest {
  private static final SocketAddress CLIENT = InetSocketAddress.createUnresolved("client", 1);
  private static final SocketAddress OTHER = InetSocketAddress.createUnresolved("other", 1);
  private static final String GET = "GET / HTTP/1.1\r\n\r\n";

  private final OpenConnections connections = new OpenConnections(3, 1 << 20, 1000, 2);
  private final OpenConnections.Connection connection = connections.opened(CLIENT);

  /// What was let in, and the requests that were in it.
  private final List<String> came = new ArrayList<>();

  private final Queue<Unanswered> unanswered = new ArrayDeque<>();
  private int reads;

  /// The library: each piece that begins a request is one.
  private final ChannelInboundHandlerAdapter library =
      new ChannelInboundHandlerAdapter() {
        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
          ByteBuf bytes = (ByteBuf) message;
          String text = bytes.toString(StandardCharsets.US_ASCII);
          bytes.release();
          came.add(text);
          if (text.startsWith("GET") || text.startsWith("POST")) {
            int length = text.indexOf("Content-Length: ");
            unanswered.add(
                connections.come(
                    CLIENT, length < 0 ? -1 : Long.parseLong(text.substring(length + 16).strip())));
          }
        }
      };

  private final EmbeddedChannel channel =
      new EmbeddedChannel(
          new ChannelOutboundHandlerAdapter() {
            @Override
            public void read(ChannelHandlerContext context) {
              reads++;
              context.read();
            }
          },
          new RequestsInTurn(connections, connection),
          library);

  private static ByteBuf bytes(String text) {
    return Unpooled.copiedBuffer(text, StandardCharsets.US_ASCII);
  }

  private void answer() {
    unanswered.remove().close();
    channel.runPendingTasks();
  }

  @Test
  void whatIsSentAheadComesWhenWhatCameBeforeIsAnswered() {
    channel.writeInbound(bytes(GET.repeat(5)));
    assertThat(came).containsExactly(GET, GET);

    answer();
    assertThat(came).hasSize(3);
    answer();
    answer();
    answer();
    answer();
    assertThat(came).containsOnly(GET).hasSize(5);
    assertThat(connections.unanswered()).isZero();
  }

  /// One that came later did not overtake it, either.
  @Test
  void whatIsReadLaterComesBehindWhatWaits() {
    channel.writeInbound(bytes(GET.repeat(3)));
    channel.writeInbound(bytes("POST / HTTP/1.1\r\n\r\n"));
    answer();
    assertThat(came).containsExactly(GET, GET, GET);
    answer();
    assertThat(came).last().isEqualTo("POST / HTTP/1.1\r\n\r\n");
  }

  @Test
  void headsMayComeInParts() {
    for (String part : List.of("GET / HT", "TP/1.1\r\nA: b\r", "\n\r", "\n" + GET + GET)) {
      channel.writeInbound(bytes(part));
    }
    assertThat(came).containsExactly("GET / HT", "TP/1.1\r\nA: b\r", "\n\r", "\n", GET);
  }

  /// Servers take lines that end without a carriage return, too.
  @Test
  void linesEndWithAFeed() {
    channel.writeInbound(bytes("GET / HTTP/1.1\n\n".repeat(5)));
    assertThat(came).hasSize(2);
  }

  @Test
  void aBodyIsNoRequestWhateverIsInIt() {
    String body = "A: b\r\n\r\n".repeat(100);
    String post = "POST / HTTP/1.1\r\nContent-Length: " + body.length() + "\r\n\r\n";
    channel.writeInbound(bytes(post + body.substring(0, 50)));
    channel.writeInbound(bytes(body.substring(50) + GET + GET));
    assertThat(came).containsExactly(post, body.substring(0, 50), body.substring(50), GET);
  }

  /// Others that send ahead, and have as many requests worked on as all of them may.
  private List<Unanswered> manyBehind() {
    OpenConnections.Connection other = connections.opened(OTHER);
    other.behind(true);
    List<Unanswered> others = List.of(connections.come(OTHER, 0), connections.come(OTHER, 0));
    assertThat(connections.isBusy()).as("until their bodies have come").isFalse();
    others.forEach(Unanswered::begin);
    assertThat(connections.isBusy()).isTrue();
    return others;
  }

  @Test
  void thoseThatSendAheadTakeTurns() {
    List<Unanswered> others = manyBehind();
    channel.writeInbound(bytes(GET.repeat(4)));
    assertThat(came).as("as for anybody").hasSize(2);
    answer();
    answer();
    assertThat(came).hasSize(2);

    List<String> told = new ArrayList<>();
    connections.await(() -> told.add("the next"));
    others.getFirst().answered();
    channel.runPendingTasks();
    assertThat(came).hasSize(4);
    assertThat(told).as("behind it").containsExactly("the next");
  }

  @Test
  void whoeverWaitsForItsAnswersIsNotAmongThem() {
    List<Unanswered> _ = manyBehind();
    for (int i = 0; i < 10; i++) {
      channel.writeInbound(bytes(GET));
      unanswered.element().begin();
      answer();
    }
    assertThat(came).hasSize(10);
  }

  @Test
  void aConnectionThatHasGoneWaitsForNoTurn() {
    List<Unanswered> others = manyBehind();
    channel.writeInbound(bytes(GET.repeat(4)));
    answer();
    List<String> told = new ArrayList<>();
    connections.await(() -> told.add("the next"));

    var _ = channel.close();
    others.getFirst().answered();
    assertThat(told).containsExactly("the next");
  }

  /// What is full of blank lines is no more dear than requests are.
  @Test
  void blankLinesAreNotCutAtEach() {
    channel.writeInbound(bytes("\r\n".repeat(8000)));
    assertThat(came).hasSize(1000);
  }

  @Test
  void nothingMoreIsReadThanIsHeld() {
    channel.writeInbound(bytes(GET.repeat(3)));
    channel.read();
    assertThat(channel.config().isAutoRead()).as("the client's end would be seen").isTrue();
    int before = reads;

    channel.writeInbound(bytes(GET.repeat(RequestsInTurn.HELD_BYTES_MAX)));
    channel.read();
    channel.read();
    assertThat(reads).isEqualTo(before);
    assertThat(channel.config().isAutoRead()).isFalse();

    while (!unanswered.isEmpty()) {
      answer();
    }
    assertThat(came).hasSize(3 + RequestsInTurn.HELD_BYTES_MAX);
    assertThat(reads).isGreaterThan(before);
    assertThat(channel.config().isAutoRead()).isTrue();
  }

  /// The library stops reading by itself while nobody takes a body, and goes on by itself.
  @Test
  void whoeverStoppedReadingBeforeGoesOnItself() {
    channel.config().setAutoRead(false);
    channel.writeInbound(bytes(GET.repeat(RequestsInTurn.HELD_BYTES_MAX)));
    while (!unanswered.isEmpty()) {
      answer();
    }
    assertThat(channel.config().isAutoRead()).isFalse();
  }

  @Test
  void whatWaitsGoesWithItsConnection() {
    ByteBuf many = bytes(GET.repeat(100));
    channel.writeInbound(many);
    assertThat(connections.unanswered()).isGreaterThan(1800);

    var _ = channel.close();
    channel.runPendingTasks();
    unanswered.forEach(Unanswered::close);

    assertThat(many.refCnt()).isZero();
    assertThat(connections.unanswered()).isZero();
    assertThat(came).hasSize(2);
  }

  /// Where all together hold too much, whoever holds more than its share is closed.
  @Test
  void whatWaitsIsBounded() {
    List<String> why = new ArrayList<>();
    connection.closing(why::add);
    channel.writeInbound(bytes(GET.repeat(10_000)));
    assertThat(why).isEmpty();
    channel.writeInbound(bytes(GET.repeat(60_000)));
    assertThat(why).containsExactly("too much was sent ahead of what is answered");
  }

  /// Frames do not wait: answers may wait for what is in them. A read of a connection that was
  /// closed for what it sent ahead ends.
  @Test
  void nothingMoreOfAConnectionThatWasClosedComesInFrames() {
    channel.pipeline().addLast(Http2FrameCodecBuilder.forServer().build());
    List<Unanswered> many = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      many.add(connections.come(CLIENT));
    }
    channel
        .pipeline()
        .addBefore(
            channel.pipeline().context(library).name(),
            "closing",
            new ChannelInboundHandlerAdapter() {
              @Override
              public void channelRead(ChannelHandlerContext context, Object message) {
                context.fireChannelRead(message);
                if (came.size() == 3) {
                  var _ = context.close();
                }
              }
            });
    channel.writeInbound(bytes(GET.repeat(1000)));
    assertThat(came).hasSize(3).allMatch(piece -> piece.length() == 1024);
    assertThat(many).hasSize(20);
  }
}
