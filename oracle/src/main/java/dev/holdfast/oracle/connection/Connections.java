package dev.holdfast.oracle.connection;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Many connections of one client, which sends the same on each. Thousands are one thread's work.
final class Connections implements AutoCloseable {
  private static final int LOOK_MILLIS = 200;
  private static final int CONNECT_MILLIS_MAX = 10_000;
  private static final Pattern FAULT = Pattern.compile("HTTP/1\\.1 5\\d\\d");

  private final SocketAddress server;
  private final ByteBuffer sent;
  private final boolean isRead;
  private final Selector selector;
  private final ByteBuffer read = ByteBuffer.allocate(64 << 10);
  private int opened;
  private int closedByServer;
  private long bytesRead;
  private String fault = "";

  /// @param isRead whether answers are
  Connections(SocketAddress server, byte[] sent, boolean isRead) throws IOException {
    this.server = server;
    this.sent = ByteBuffer.wrap(sent);
    this.isRead = isRead;
    this.selector = Selector.open();
  }

  /// Opens so many, as far as the time goes.
  void open(int count, Duration time) throws IOException {
    long endNanos = System.nanoTime() + time.toNanos();
    while (opened < count && System.nanoTime() < endNanos) {
      SocketChannel channel = connect();
      channel.configureBlocking(false);
      int reading = isRead ? SelectionKey.OP_READ : 0;
      channel.register(selector, SelectionKey.OP_WRITE | reading, sent.duplicate());
    }
  }

  /// Opens one after the other, and closes each when it has sent.
  String openAndClose(int count, Duration time) throws IOException {
    long endNanos = System.nanoTime() + time.toNanos();
    while (opened < count && System.nanoTime() < endNanos) {
      try (SocketChannel channel = connect()) {
        channel.write(sent.duplicate());
      } catch (IOException closedWhileWriting) {
        closedByServer++;
      }
    }
    return end();
  }

  private SocketChannel connect() throws IOException {
    SocketChannel channel = SocketChannel.open();
    try {
      channel.socket().connect(server, CONNECT_MILLIS_MAX);
    } catch (IOException e) {
      channel.close();
      throw e;
    }
    opened++;
    return channel;
  }

  /// Sends on all, until the time is over or the server has closed all.
  ///
  /// @param isSlow whether more bytes follow, one at a time
  String send(Duration time, boolean isSlow) throws IOException {
    long endNanos = System.nanoTime() + time.toNanos();
    while (!selector.keys().isEmpty() && System.nanoTime() < endNanos) {
      selector.select(LOOK_MILLIS);
      for (SelectionKey key : selector.selectedKeys()) {
        follow(key);
      }
      selector.selectedKeys().clear();
      if (isSlow) {
        pause();
        selector.keys().forEach(Connections::sendOneMore);
      }
    }
    return end();
  }

  private static void pause() {
    try {
      Thread.sleep(LOOK_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void sendOneMore(SelectionKey key) {
    if (key.isValid()) {
      key.attach(ByteBuffer.wrap(new byte[] {' '}));
      key.interestOpsOr(SelectionKey.OP_WRITE);
    }
  }

  private void follow(SelectionKey key) throws IOException {
    SocketChannel channel = (SocketChannel) key.channel();
    try {
      if (key.isWritable()) {
        ByteBuffer rest = (ByteBuffer) key.attachment();
        channel.write(rest);
        if (!rest.hasRemaining()) {
          key.interestOpsAnd(~SelectionKey.OP_WRITE);
        }
      }
      if (key.isReadable() && !take(channel)) {
        closedByServer++;
        channel.close();
      }
    } catch (IOException reset) {
      closedByServer++;
      channel.close();
    }
  }

  /// @return whether more may come
  private boolean take(SocketChannel channel) throws IOException {
    int count = channel.read(read.clear());
    bytesRead += Math.max(0, count);
    if (fault.isEmpty() && count > 0) {
      String text = new String(read.array(), 0, count, StandardCharsets.ISO_8859_1);
      Matcher found = FAULT.matcher(text);
      fault = found.find() ? text.substring(found.start()) : "";
    }
    return count >= 0;
  }

  private String end() {
    return opened
        + " connections, "
        + closedByServer
        + " closed by the server, "
        + bytesRead
        + " bytes of answers"
        + (fault.isEmpty() ? "" : ", " + fault);
  }

  @Override
  public void close() throws IOException {
    for (SelectionKey key : selector.keys()) {
      key.channel().close();
    }
    selector.close();
  }
}
