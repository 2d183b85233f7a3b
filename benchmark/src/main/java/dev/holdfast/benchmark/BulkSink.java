package dev.holdfast.benchmark;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/// Takes `_bulk` and says yes: what is left of the time is the shipper's own.
final class BulkSink implements AutoCloseable {
  private static final byte[] YES =
      """
      HTTP/1.1 200 OK\r
      content-type: application/json\r
      content-length: 16\r
      \r
      {"errors":false}\
      """
          .getBytes(StandardCharsets.US_ASCII);
  private static final String LENGTH = "content-length:";

  private final ServerSocket server;

  BulkSink() throws IOException {
    server = new ServerSocket(0, 64, InetAddress.getLoopbackAddress());
    Thread.ofPlatform().daemon().start(this::accept);
  }

  String url() {
    return "http://127.0.0.1:" + server.getLocalPort();
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket socket = server.accept();
        Thread.ofPlatform().daemon().start(() -> serve(socket));
      } catch (IOException _) {
        return; // it is closed
      }
    }
  }

  private static void serve(Socket socket) {
    try (socket;
        InputStream in = new BufferedInputStream(socket.getInputStream(), 1 << 18);
        OutputStream out = socket.getOutputStream()) {
      while (true) {
        long length = 0;
        for (String line = line(in); !line.isEmpty(); line = line(in)) {
          String lower = line.toLowerCase(Locale.ROOT);
          if (lower.startsWith(LENGTH)) {
            length = Long.parseLong(lower.substring(LENGTH.length()).strip());
          }
        }
        in.skipNBytes(length);
        out.write(YES);
      }
    } catch (IOException _) {
      // The client went away.
    }
  }

  private static String line(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int octet = in.read(); octet != '\n'; octet = in.read()) {
      if (octet < 0) {
        throw new IOException("the client went away");
      }
      if (octet != '\r') {
        line.append((char) octet);
      }
    }
    return line.toString();
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
