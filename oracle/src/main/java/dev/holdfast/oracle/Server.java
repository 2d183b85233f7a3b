package dev.holdfast.oracle;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// One connection to a server: HTTP/1.1 written by hand, because no client library sends what a
/// fuzzer wants sent. For one thread.
final class Server implements AutoCloseable {
  private static final int ANSWER_BYTES_MAX = 256 << 20;

  private final String host;
  private final int port;
  private final Duration timeout;
  private @Nullable Socket socket;
  private InputStream in = InputStream.nullInputStream();

  Server(URI url, Duration timeout) {
    this.host = url.getHost();
    this.port = url.getPort() < 0 ? 80 : url.getPort();
    this.timeout = timeout;
  }

  /// @throws java.net.SocketTimeoutException if no byte of the answer came in time
  OracleAnswer send(OracleRequest request) throws IOException {
    boolean isReused = socket != null;
    try {
      return exchange(request);
    } catch (EOFException e) {
      close();
      if (!isReused) {
        throw e;
      }
      return exchange(request);
    } catch (IOException e) {
      close();
      throw e;
    }
  }

  OracleAnswer send(String method, String path, String body) throws IOException {
    return send(OracleRequest.steps(method + " " + path + " " + body).getFirst());
  }

  private OracleAnswer exchange(OracleRequest request) throws IOException {
    Socket connected = connect();
    byte[] head =
        (request.method()
                + " "
                + request.path()
                + " HTTP/1.1\r\nHost: "
                + host
                + ":"
                + port
                + "\r\nAccept: */*\r\n"
                + (request.contentType().isEmpty()
                    ? ""
                    : "Content-Type: " + request.contentType() + "\r\n")
                + "Content-Length: "
                + request.body().length
                + "\r\n\r\n")
            .getBytes(StandardCharsets.ISO_8859_1);
    byte[] whole = new byte[head.length + request.body().length];
    System.arraycopy(head, 0, whole, 0, head.length);
    System.arraycopy(request.body(), 0, whole, head.length, request.body().length);
    try {
      connected.getOutputStream().write(whole);
    } catch (IOException closedWhileWriting) {
      // A server may answer and close before it has read all; the answer is what counts.
    }
    return answer(request.method().equals("HEAD"));
  }

  private Socket connect() throws IOException {
    Socket open = socket;
    if (open == null) {
      open = new Socket();
      open.setTcpNoDelay(true);
      open.setSoTimeout((int) timeout.toMillis());
      open.connect(new InetSocketAddress(host, port), (int) timeout.toMillis());
      socket = open;
      in = new BufferedInputStream(open.getInputStream(), 1 << 16);
    }
    return open;
  }

  private OracleAnswer answer(boolean isHead) throws IOException {
    String first = line();
    if (first.startsWith("HTTP/1.1 100")) {
      line();
      first = line();
    }
    String[] parts = first.split(" ", 3);
    if (parts.length < 2) {
      throw new IOException("no status line: " + first);
    }
    int status = Integer.parseInt(parts[1]);
    Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    for (String line = line(); !line.isEmpty(); line = line()) {
      int colon = line.indexOf(':');
      headers.put(line.substring(0, Math.max(colon, 0)), line.substring(colon + 1).strip());
    }
    byte[] body = isHead || status == 204 || status == 304 ? new byte[0] : body(headers);
    if (headers.getOrDefault("connection", "").toLowerCase(Locale.ROOT).contains("close")) {
      close();
    }
    return new OracleAnswer(status, headers.getOrDefault("content-type", ""), body);
  }

  private byte[] body(Map<String, String> headers) throws IOException {
    String length = headers.get("content-length");
    if (length != null) {
      return exactly(Integer.parseInt(length));
    }
    if (!headers.getOrDefault("transfer-encoding", "").contains("chunked")) {
      return in.readNBytes(ANSWER_BYTES_MAX);
    }
    ByteArrayOutputStream whole = new ByteArrayOutputStream();
    while (true) {
      int size = Integer.parseInt(line().split(";")[0].strip(), 16);
      if (size == 0) {
        while (!line().isEmpty()) {}
        return whole.toByteArray();
      }
      whole.write(exactly(size));
      line();
    }
  }

  private byte[] exactly(int length) throws IOException {
    byte[] bytes = in.readNBytes(length);
    if (bytes.length < length) {
      throw new EOFException("the answer ends early");
    }
    return bytes;
  }

  private String line() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    while (true) {
      int c = in.read();
      if (c < 0) {
        throw new EOFException("the server closed the connection");
      }
      if (c == '\n') {
        return line.toString(StandardCharsets.ISO_8859_1).stripTrailing();
      }
      line.write(c);
    }
  }

  @Override
  public void close() {
    Socket open = socket;
    socket = null;
    if (open != null) {
      try {
        open.close();
      } catch (IOException ignored) {
        // It is gone either way.
      }
    }
  }

  @Override
  public String toString() {
    return "http://" + host + ":" + port;
  }
}
