package dev.holdfast.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.http.Answer;
import dev.holdfast.http.BodyRule;
import dev.holdfast.http.Routes;
import dev.holdfast.world.ByteSize;
import dev.holdfast.world.CircuitBreaker;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What clients that are slow, or that send too much before a request has begun, can keep open.
final class SlowClientsTest {
  private final CountDownLatch hasLeft = new CountDownLatch(1);
  private HttpFixture edge;

  @BeforeEach
  void start() throws Exception {
    start(256 << 20);
  }

  private void start(long inFlightMax) throws Exception {
    Routes routes =
        HttpRoutes.all()
            .on("GET", "/_large", BodyRule.NONE, r -> Answer.text(200, "x".repeat(64 << 20)))
            .on(
                "GET",
                "/_endless",
                BodyRule.NONE,
                r -> {
                  while (!r.isCancelled().getAsBoolean()) {
                    Thread.onSpinWait();
                  }
                  hasLeft.countDown();
                  return Answer.text(200, "");
                });
    HttpLimits limits =
        new HttpLimits(ByteSize.mib(1), 4)
            .withHead(ByteSize.kib(4), ByteSize.kib(8))
            .withPatience(Duration.ofMillis(300), Duration.ofMillis(300));
    edge = new HttpFixture(routes, limits, inFlightMax);
  }

  @AfterEach
  void stop() throws Exception {
    edge.close();
  }

  private Socket connect(String sent) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), edge.port());
    OutputStream out = socket.getOutputStream();
    out.write(sent.getBytes(StandardCharsets.UTF_8));
    out.flush();
    return socket;
  }

  /// All that the server sends until it closes the connection.
  private static String untilClosed(Socket socket) throws IOException {
    InputStream in = socket.getInputStream();
    StringBuilder all = new StringBuilder();
    byte[] some = new byte[1024];
    try {
      for (int n = in.read(some); n >= 0; n = in.read(some)) {
        all.append(new String(some, 0, n, StandardCharsets.UTF_8));
      }
    } catch (SocketException e) {
      all.append("<reset>");
    }
    return all.toString();
  }

  @Test
  void aHeadThatIsNeverCompletedIsClosed() throws Exception {
    try (Socket socket = connect("GET /_none HTTP/1.1\r\nHost: localhost\r\nX-A: ")) {
      assertThat(untilClosed(socket)).doesNotContain("200");
    }
  }

  @Test
  void theSecondHeadOfAConnectionHasItsTimeToo() throws Exception {
    String whole = "GET /_none HTTP/1.1\r\nHost: localhost\r\n\r\n";
    try (Socket socket = connect(whole)) {
      InputStream in = socket.getInputStream();
      StringBuilder first = new StringBuilder();
      while (!first.toString().endsWith("ok")) {
        first.append((char) in.read());
      }
      socket.getOutputStream().write("GET /_no".getBytes(StandardCharsets.UTF_8));
      assertThat(untilClosed(socket)).doesNotContain("200");
    }
  }

  @Test
  void aConnectionThatWaitsBetweenRequestsStaysOpen() throws Exception {
    String whole = "GET /_none HTTP/1.1\r\nHost: localhost\r\n\r\n";
    try (Socket waiting = connect(whole);
        Socket closed = connect("GET /_no")) {
      InputStream in = waiting.getInputStream();
      StringBuilder first = new StringBuilder();
      while (!first.toString().endsWith("ok")) {
        first.append((char) in.read());
      }
      String _ = untilClosed(closed); // longer than a head may take
      waiting
          .getOutputStream()
          .write(
              whole
                  .replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n")
                  .getBytes(StandardCharsets.UTF_8));
      assertThat(untilClosed(waiting)).contains("HTTP/1.1 200");
    }
  }

  /// As the JDK's client does unless it is told otherwise.
  @Test
  void aConnectionThatWasUpgradedToHttp2StaysOpen() throws Exception {
    try (HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_2).build();
        Socket closed = new Socket()) {
      HttpRequest request =
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + edge.port() + "/_none")).build();
      HttpResponse<String> first = client.send(request, HttpResponse.BodyHandlers.ofString());
      assertThat(first.version()).isEqualTo(HttpClient.Version.HTTP_2);
      String _ = client.send(request, HttpResponse.BodyHandlers.ofString()).body();
      int opened = edge.connections();

      closed.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), edge.port()));
      closed.getOutputStream().write("GET /_no".getBytes(StandardCharsets.UTF_8));
      String _ = untilClosed(closed); // longer than a head may take
      while (edge.connections() > opened) {
        Thread.onSpinWait(); // the client hears of its end before the server has counted it
      }
      assertThat(edge.connections()).isEqualTo(opened);
      assertThat(client.send(request, HttpResponse.BodyHandlers.ofString()).statusCode())
          .isEqualTo(200);
    }
  }

  @Test
  void aBodyThatStopsIsRefused() throws Exception {
    String head =
        "POST /_lines HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-ndjson\r\n"
            + "Connection: close\r\nContent-Length: 1000\r\n\r\n{}\n";
    try (Socket socket = connect(head)) {
      assertThat(untilClosed(socket))
          .contains("HTTP/1.1 408")
          .contains("timeout_exception")
          .contains("[3] bytes");
    }
    assertThat(edge.requestBytes.bytes()).isZero();
  }

  /// What it holds of the node's memory goes with its connection.
  @Test
  void anAnswerThatNobodyReadsIsGivenUp() throws Exception {
    try (Socket socket = new Socket()) {
      socket.setReceiveBufferSize(4 << 10);
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), edge.port()));
      socket
          .getOutputStream()
          .write(
              "GET /_large HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.UTF_8));
      while (edge.connections() == 0 || edge.counters.current() > 0) {
        Thread.onSpinWait(); // until it is answered
      }
      while (edge.connections() > 0) {
        Thread.onSpinWait(); // until it is given up; the client never closes it
      }
      assertThat(untilClosed(socket).length()).isLessThan(64 << 20);
    }
  }

  /// Frames wait for the client before they are handed to the connection, which has nothing to
  /// send.
  @Test
  void anAnswerInFramesThatNobodyTakesIsGivenUp() throws Exception {
    CircuitBreaker budget = edge.world.memory().request();
    try (Socket socket = connect("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")) {
      byte[] path = "/_large".getBytes(StandardCharsets.US_ASCII);
      ByteBuffer frames = ByteBuffer.allocate(64);
      frames.put(HexFormat.of().parseHex("000000" + "04" + "00" + "00000000")); // settings
      frames.put(new byte[] {0, 0, (byte) (4 + path.length + 5), 1, 5, 0, 0, 0, 1}); // headers
      frames.put(HexFormat.of().parseHex("8286")); // GET, http
      frames.put(HexFormat.of().parseHex("04")).put((byte) path.length).put(path);
      frames.put(HexFormat.of().parseHex("0103")).put("a:1".getBytes(StandardCharsets.US_ASCII));
      socket.getOutputStream().write(frames.array(), 0, frames.position());
      while (budget.bytes() < 64 << 20) {
        Thread.onSpinWait(); // until it is answered
      }
      while (edge.connections() > 0 || budget.bytes() > 0) {
        Thread.onSpinWait(); // until it is given up; the client never closes it
      }
      assertThat(untilClosed(socket).length()).isLessThan(1 << 20);
    }
    assertThat(budget.bytes()).isZero();
  }

  /// Else a few clients that read nothing take all memory, of the heap or of the network.
  @Test
  void anAnswerCountsUntilItIsRead() throws Exception {
    String head = "GET /_large HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    CircuitBreaker budget = edge.world.memory().request();
    try (Socket socket = connect(head)) {
      InputStream in = socket.getInputStream();
      assertThat(in.read()).isEqualTo('H');
      assertThat(budget.bytes()).isGreaterThanOrEqualTo(64 << 20);
      assertThat(in.readAllBytes().length).isGreaterThan(64 << 20);
    }
    while (budget.bytes() > 0) {
      Thread.onSpinWait(); // the client has its end a moment before the server knows
    }
    assertThat(budget.bytes()).isZero();
  }

  @Test
  void aRequestHearsAtOnceThatItsClientHasLeft() throws Exception {
    try (Socket _ = connect("GET /_endless HTTP/1.1\r\nHost: localhost\r\n\r\n")) {
      while (edge.counters.current() == 0) {
        Thread.onSpinWait();
      }
    }
    hasLeft.await();
    assertThat(hasLeft.getCount()).isZero();
  }

  /// They wait in front of the server, and take none of its time. What one of them has begun ends
  /// with the client.
  @Test
  void requestsThatAreSentAheadOfTheirAnswersWait() throws Exception {
    String head = "GET /_none HTTP/1.1\r\nHost: localhost\r\n\r\n";
    try (Socket _ = connect(head.replace("/_none", "/_endless") + head.repeat(40))) {
      while (edge.counters.requests() < RequestsInTurn.AHEAD_MAX) {
        Thread.onSpinWait();
      }
      for (int i = 1; i <= 20; i++) {
        assertThat(edge.get("/_none").statusCode()).as("others are served").isEqualTo(200);
        assertThat(edge.counters.requests()).isEqualTo(RequestsInTurn.AHEAD_MAX + i);
      }
    }
    hasLeft.await();
    while (edge.unanswered() > 0) {
      Thread.onSpinWait(); // the client has its answer a moment before the server knows
    }
    assertThat(edge.unanswered()).isZero();
  }

  @Test
  void allThatWasSentAheadIsAnsweredInItsOrder() throws Exception {
    int requests = 5000;
    StringBuilder sent = new StringBuilder();
    for (int i = 0; i < requests; i++) {
      String body = "{\"a\":" + i + "}\r\n\r\n";
      sent.append("POST /books/_echo HTTP/1.1\r\nHost: localhost\r\nContent-Type: ")
          .append("application/json\r\nContent-Length: " + body.length())
          .append(i == requests - 1 ? "\r\nConnection: close" : "")
          .append("\r\n\r\n" + body);
    }
    Thread sending = null;
    try (Socket socket = connect("")) {
      byte[] all = sent.toString().getBytes(StandardCharsets.UTF_8);
      sending =
          Thread.startVirtualThread(() -> {
            try {
              socket.getOutputStream().write(all);
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          });
      Matcher answers = Pattern.compile("\"a\":(\\d+)").matcher(untilClosed(socket));
      for (int i = 0; i < requests; i++) {
        assertThat(answers.find()).isTrue();
        assertThat(answers.group(1)).isEqualTo(Integer.toString(i));
      }
    }
    sending.join();
  }

  @Test
  void aRequestLineThatIsTooLongIs414() throws Exception {
    String line = "GET /_none?pretty=" + "x".repeat(5_000) + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
    try (Socket socket = connect(line)) {
      assertThat(untilClosed(socket)).contains("HTTP/1.1 414").contains("\"status\":414");
    }
  }

  @Test
  void headerFieldsThatAreTooLongAre431() throws Exception {
    String head =
        "GET /_none HTTP/1.1\r\nHost: localhost\r\nX-A: " + "x".repeat(10_000) + "\r\n\r\n";
    try (Socket socket = connect(head)) {
      assertThat(untilClosed(socket)).contains("HTTP/1.1 431").contains("\"status\":431");
    }
  }

  /// Sends a request by it and reads the answer.
  private static void speak(Socket socket) throws IOException {
    socket
        .getOutputStream()
        .write("GET /_none HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.UTF_8));
    StringBuilder answer = new StringBuilder();
    while (!answer.toString().endsWith("ok")) {
      int next = socket.getInputStream().read();
      assertThat(next).as("after " + answer).isNotNegative();
      answer.append((char) next);
    }
  }

  private Socket seen(int connections) throws IOException {
    Socket socket = connect("");
    while (edge.seen() < connections) {
      Thread.onSpinWait(); // until the server's own thread has it
    }
    return socket;
  }

  /// Else whoever opens many and sends nothing keeps all others out.
  @Test
  void oneConnectionTooManyClosesWhatWasSilentForLongest() throws Exception {
    try (Socket speaking = seen(1)) {
      speak(speaking);
      try (Socket oldest = seen(2);
          Socket _ = seen(3);
          Socket _ = seen(4);
          Socket fifth = connect("")) {
        speak(fifth);
        assertThat(untilClosed(oldest)).isIn("", "<reset>");
        speak(speaking);
      }
    }
  }

  @Test
  void oneConnectionTooManyIsClosedAtOnceWhereAllHaveSpoken() throws Exception {
    String nothing = "";
    try (Socket first = connect(nothing);
        Socket second = connect(nothing);
        Socket third = connect(nothing);
        Socket fourth = connect(nothing)) {
      for (Socket each : List.of(first, second, third, fourth)) {
        speak(each);
      }
      try (Socket fifth = connect(nothing)) {
        assertThat(untilClosed(fifth)).isIn("", "<reset>");
      }
      speak(first);
    }
  }
}
