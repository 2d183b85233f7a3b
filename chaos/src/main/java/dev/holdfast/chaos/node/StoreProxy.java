package dev.holdfast.chaos.node;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// Stands between nodes and an S3 server, passes their bytes on, and answers in the server's place
/// while it is told to refuse: a policy, a token, a clock, a limit. Requests are told apart by
/// their heads and lengths; nothing in them is changed, so signatures hold.
public final class StoreProxy implements AutoCloseable {
  private static final int HEAD_BYTES_MAX = 64 << 10;
  private static final int COPIED_BYTES = 64 << 10;

  /// What the store answers to every request, or to those that it is about.
  public enum Answer {
    ACCESS_DENIED(403, "AccessDenied"),
    EXPIRED_TOKEN(400, "ExpiredToken"),
    INVALID_KEY(403, "InvalidAccessKeyId"),
    SKEWED_CLOCK(403, "RequestTimeTooSkewed"),
    SLOW_DOWN(503, "SlowDown"),
    KMS_DISABLED(400, "KMS.DisabledException"),
    NO_BUCKET(404, "NoSuchBucket"),
    /// To reads of objects alone: what is listed and written passes.
    NO_KEY(404, "NoSuchKey"),
    /// The server does what is asked, and then the request is denied.
    DONE_AND_DENIED(403, "AccessDenied");

    private final int status;
    private final String code;

    Answer(int status, String code) {
      this.status = status;
      this.code = code;
    }

    /// Whether writes are answered so, too.
    public boolean isOfWrites() {
      return this != NO_KEY;
    }

    private boolean isOf(byte[] head) {
      if (isOfWrites()) {
        return true;
      }
      String line = new String(head, ISO_8859_1);
      boolean isOfBucket = line.matches("(?s)(GET|HEAD) /[^/ ?]*/?[? ].*");
      return line.matches("(?s)(GET|HEAD) .*") && !isOfBucket;
    }

    private byte[] bytes(boolean isHead) {
      String body =
          "<?xml version=\"1.0\" encoding=\"UTF-8\"?><Error><Code>"
              + code
              + "</Code><Message>refused by chaos</Message></Error>";
      String head =
          "HTTP/1.1 "
              + status
              + " Refused\r\nContent-Type: application/xml\r\nConnection: close\r\nContent-Length: "
              + body.length()
              + "\r\n\r\n";
      return (isHead ? head : head + body).getBytes(UTF_8);
    }
  }

  private final ServerSocket listening;
  private final String host;
  private final int targetPort;
  private final AtomicLong refused = new AtomicLong();
  private volatile @Nullable Answer answer;

  private StoreProxy(ServerSocket listening, String host, int targetPort) {
    this.listening = listening;
    this.host = host;
    this.targetPort = targetPort;
  }

  /// @param port to serve on, of the same host as the server
  static StoreProxy start(String host, int port, int targetPort) throws IOException {
    ServerSocket listening = new ServerSocket();
    listening.setReuseAddress(true);
    listening.bind(new InetSocketAddress(InetAddress.getByName(host), port));
    StoreProxy proxy = new StoreProxy(listening, host, targetPort);
    Thread.ofVirtual().name("store-proxy").start(proxy::accept);
    return proxy;
  }

  /// From now on every request is answered so; null lets them pass.
  void refuse(@Nullable Answer now) {
    answer = now;
  }

  /// Requests refused since the start.
  long refused() {
    return refused.get();
  }

  private void accept() {
    while (!listening.isClosed()) {
      try {
        Socket client = listening.accept();
        client.setTcpNoDelay(true);
        Thread.ofVirtual().name("store-proxy-client").start(() -> serve(client));
      } catch (IOException e) {
        return; // closed
      }
    }
  }

  private void serve(Socket client) {
    try (client;
        Socket server = connect()) {
      Thread answers = Thread.ofVirtual().start(() -> pass(server, client));
      InputStream in = new BufferedInputStream(client.getInputStream(), COPIED_BYTES);
      OutputStream out = server.getOutputStream();
      for (byte[] head = head(in); head != null; head = head(in)) {
        Answer now = answer;
        if (now != null && now.isOf(head)) {
          refuse(client, in, head, now);
          return;
        }
        out.write(head);
        copy(in, out, length(head));
        out.flush();
      }
      server.shutdownOutput();
      answers.join();
    } catch (IOException e) {
      // either side went away: both are closed, and the node tries again
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Socket connect() throws IOException {
    Socket server = new Socket(host, targetPort);
    server.setTcpNoDelay(true);
    return server;
  }

  private static void pass(Socket from, Socket to) {
    try {
      from.getInputStream().transferTo(to.getOutputStream());
      to.close();
    } catch (IOException e) {
      // as in serve
    }
  }

  private void refuse(Socket client, InputStream in, byte[] head, Answer now) throws IOException {
    refused.incrementAndGet();
    String text = new String(head, ISO_8859_1);
    if (text.toLowerCase(Locale.ROOT).contains("expect: 100-continue")) {
      client.getOutputStream().write("HTTP/1.1 100 Continue\r\n\r\n".getBytes(UTF_8));
      client.getOutputStream().flush();
    }
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    copy(in, body, length(head));
    if (now == Answer.DONE_AND_DENIED) {
      done(text, body.toByteArray());
    }
    client.getOutputStream().write(now.bytes(text.startsWith("HEAD ")));
    client.getOutputStream().flush();
  }

  /// Asks the server and forgets what it says.
  private void done(String head, byte[] body) throws IOException {
    try (Socket server = connect()) {
      String closing =
          head.replaceAll("(?i)expect: [^\r]*\r\n", "")
              .replaceAll("(?i)\r\nconnection: [^\r]*", "")
              .replaceFirst("\r\n\r\n$", "\r\nConnection: close\r\n\r\n");
      server.getOutputStream().write(closing.getBytes(ISO_8859_1));
      server.getOutputStream().write(body);
      server.getOutputStream().flush();
      long _ = server.getInputStream().transferTo(OutputStream.nullOutputStream());
    }
  }

  /// The bytes up to the empty line; null at the end of the connection.
  private static byte @Nullable [] head(InputStream in) throws IOException {
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    int end = 0;
    while (end < 4) {
      int next = in.read();
      if (next < 0 || head.size() == HEAD_BYTES_MAX) {
        return null;
      }
      head.write(next);
      boolean isExpected = next == (end % 2 == 0 ? '\r' : '\n');
      end = isExpected ? end + 1 : next == '\r' ? 1 : 0;
    }
    return head.toByteArray();
  }

  private static long length(byte[] head) {
    for (String line : new String(head, ISO_8859_1).split("\r\n")) {
      if (line.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
        return Long.parseLong(line.substring(line.indexOf(':') + 1).strip());
      }
    }
    return 0;
  }

  private static void copy(InputStream in, OutputStream out, long length) throws IOException {
    byte[] some = new byte[COPIED_BYTES];
    for (long left = length; left > 0; ) {
      int read = in.read(some, 0, (int) Math.min(some.length, left));
      if (read < 0) {
        throw new IOException("cut off");
      }
      out.write(some, 0, read);
      left -= read;
    }
  }

  @Override
  public void close() {
    try {
      listening.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
