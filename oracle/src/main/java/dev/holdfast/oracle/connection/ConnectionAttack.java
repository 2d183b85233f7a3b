package dev.holdfast.oracle.connection;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/// One way to keep a server busy with connections. A client opens many, sends on each what the kind
/// sends, and leaves after some seconds.
public enum ConnectionAttack {
  /// Requests that are sent ahead of their answers.
  PIPELINED(1, 200),
  /// The same, and no answer is read.
  PIPELINED_UNREAD(1, 200),
  /// Bodies of which half comes, and then nothing.
  HALF_BODIES(100, 600),
  /// Bodies that come a byte at a time.
  SLOW_BODIES(100, 600),
  /// Heads that do not end.
  HALF_HEADS(100, 600),
  /// Connections on which nothing is sent.
  SILENT(100, 600),
  /// Large answers that nobody reads.
  UNREAD(30, 300),
  /// Connections that are closed as soon as a request is sent.
  FLOOD(1000, 5000);

  private static final String PREFIX = "connection.";
  private static final int SECONDS_MIN = 2;
  private static final int SECONDS_MAX = 8;

  private final int connectionsMin;
  private final int connectionsMax;

  ConnectionAttack(int connectionsMin, int connectionsMax) {
    this.connectionsMin = connectionsMin;
    this.connectionsMax = connectionsMax;
  }

  /// The names of all.
  public static List<String> kinds() {
    return Arrays.stream(values()).map(ConnectionAttack::kind).toList();
  }

  private String kind() {
    return PREFIX + name().toLowerCase(Locale.ROOT);
  }

  public static boolean isOne(String kind) {
    return kind.startsWith(PREFIX);
  }

  /// Does what the kind does, with as many connections and for as long as chance says.
  ///
  /// @return how it ended, for people; an answer of the server's fault with its status line
  public static String send(String kind, URI url, Random random) throws IOException {
    ConnectionAttack attack =
        Arrays.stream(values()).filter(one -> one.kind().equals(kind)).findFirst().orElseThrow();
    int connections = random.nextInt(attack.connectionsMin, attack.connectionsMax + 1);
    Duration time = Duration.ofSeconds(random.nextInt(SECONDS_MIN, SECONDS_MAX + 1));
    return attack.send(url, connections, time, random);
  }

  /// @param time until the client leaves, when the server has not closed its connections before
  public String send(URI url, int connections, Duration time, Random random) throws IOException {
    byte[] sent = bytes(url, random).getBytes(StandardCharsets.ISO_8859_1);
    try (Connections open =
        new Connections(
            new InetSocketAddress(url.getHost(), url.getPort()),
            sent,
            this != PIPELINED_UNREAD && this != UNREAD)) {
      if (this == FLOOD) {
        return open.openAndClose(connections, time);
      }
      open.open(connections, time);
      return open.send(time, this == SLOW_BODIES);
    }
  }

  /// What each connection sends, all at once but for slow ones.
  private String bytes(URI url, Random random) {
    String host = " HTTP/1.1\r\nHost: " + url.getHost() + ":" + url.getPort() + "\r\n";
    String json = host + "Content-Type: application/json\r\n";
    return switch (this) {
      case PIPELINED, PIPELINED_UNREAD ->
          ("GET /hostile-data/" + (random.nextBoolean() ? "_doc/1" : "_search") + host + "\r\n")
              .repeat(random.nextInt(100, 1500));
      case HALF_BODIES, SLOW_BODIES -> {
        int length = random.nextInt(20, random.nextBoolean() ? 2_000 : 200_000);
        String path = random.nextBoolean() ? "_search" : "_bulk";
        String head =
            "POST /hostile-data/" + path + json + "Content-Length: " + length + "\r\n\r\n";
        yield head + " ".repeat(this == SLOW_BODIES ? 1 : length / 2);
      }
      case HALF_HEADS ->
          "GET /hostile-data/_search" + host + "X-A: " + "a".repeat(random.nextInt(1, 30_000));
      case SILENT -> "";
      case UNREAD -> "GET /hostile-data/_search?size=" + random.nextInt(1, 10_000) + host + "\r\n";
      case FLOOD -> "GET /hostile-data/_search" + host + "\r\n";
    };
  }
}
