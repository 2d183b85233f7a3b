package dev.holdfast.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.http.Answer;
import dev.holdfast.http.BodyRule;
import dev.holdfast.http.Routes;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A node that stops while clients keep their connections and go on asking.
@Timeout(30)
final class StoppingServerTest {
  private static final String ASK = "GET /_none HTTP/1.1\r\nHost: localhost\r\n\r\n";
  private static final String ASK_SLOWLY = "GET /_slow HTTP/1.1\r\nHost: localhost\r\n\r\n";

  private final CountDownLatch isAsked = new CountDownLatch(1);
  private final CountDownLatch mayAnswer = new CountDownLatch(1);

  private HttpFixture edge() throws Exception {
    Routes routes =
        HttpRoutes.all()
            .on(
                "GET",
                "/_slow",
                BodyRule.NONE,
                r -> {
                  isAsked.countDown();
                  mayAnswer.await();
                  return Answer.text(200, "slow");
                });
    return HttpFixture.of(routes);
  }

  private static Socket connect(int port) throws IOException {
    return new Socket(InetAddress.getLoopbackAddress(), port);
  }

  private static void send(Socket socket, String request) throws IOException {
    socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
    socket.getOutputStream().flush();
  }

  private static String readUntil(Socket socket, String end) throws IOException {
    StringBuilder read = new StringBuilder();
    InputStream in = socket.getInputStream();
    while (!read.toString().endsWith(end)) {
      int next = in.read();
      assertThat(next).as("after " + read).isNotNegative();
      read.append((char) next);
    }
    return read.toString();
  }

  @Test
  void whatWasAskedIsAnsweredAndWhoAsksAgainGoesElsewhere() throws Exception {
    HttpFixture edge = edge();
    int port = edge.port();
    try (Socket slow = connect(port);
        Socket kept = connect(port)) {
      send(kept, ASK);
      assertThat(readUntil(kept, "ok").toLowerCase(java.util.Locale.ROOT))
          .doesNotContain("connection: close");
      send(slow, ASK_SLOWLY);
      isAsked.await();
      CompletableFuture<Void> closed =
          CompletableFuture.runAsync(() -> {
            try {
              edge.close();
            } catch (Exception e) {
              throw new IllegalStateException(e);
            }
          });
      String answer = "";
      while (!answer.contains("connection: close")) { // until it knows that it stops
        send(kept, ASK);
        answer = readUntil(kept, "ok").toLowerCase(java.util.Locale.ROOT);
        assertThat(answer).contains("200 ok");
      }
      assertThat(kept.getInputStream().read()).as("closed").isNegative();
      assertThat(closed).isNotDone();

      mayAnswer.countDown();

      assertThat(readUntil(slow, "slow")).contains("200 OK");
      closed.join();
    }
  }

  /// It waits for no moment in which nobody asks.
  @Test
  void aServerThatIsAskedAllTheTimeStops() throws Exception {
    HttpFixture edge = edge();
    int port = edge.port();
    CountDownLatch isFirst = new CountDownLatch(1);
    CompletableFuture<Integer> asking =
        CompletableFuture.supplyAsync(() -> {
          int connections = 0;
          while (true) {
            connections++;
            try (Socket socket = connect(port)) {
              String answer = "";
              while (!answer.contains("connection: close")) {
                send(socket, ASK);
                answer = readUntil(socket, "ok").toLowerCase(java.util.Locale.ROOT);
                isFirst.countDown();
              }
            } catch (IOException | AssertionError e) {
              return connections; // closed
            }
          }
        });
    isFirst.await();

    edge.close();

    assertThat(asking.join()).isPositive();
  }
}
