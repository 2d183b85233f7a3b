package dev.holdfast.http.server;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import java.util.ArrayDeque;
import java.util.Queue;

/// Lets the requests of a connection of HTTP/1.1 in while few of them are not answered. What was
/// sent behind these stays in front of the HTTP library, and in the client when it is more: whoever
/// sends thousands ahead takes no more of a node's time than whoever waits for each answer. All
/// that send ahead together have a few requests worked on at a time: they take turns. Without it
/// one read of a connection is a thousand requests, which its event loop parses and begins before
/// it looks at any other connection.
///
/// Frames of HTTP/2 can't wait: some of them are what answers wait for. They go on in pieces, so
/// that nothing more is parsed of a connection that was closed for what it sent ahead.
///
/// Where a head ends is only guessed, by blank lines and what requests say of their bodies: a wrong
/// guess lets a few more in. Runs on the connection's event loop.
final class RequestsInTurn extends ChannelDuplexHandler {
  /// Requests of a connection that are worked on, or whose answers have not been read. With one
  /// alone a body that has not come whole would wait for itself.
  static final int AHEAD_MAX = 2;

  /// What is read and held of those behind them. Up to here a client's end is noticed, too.
  static final int HELD_BYTES_MAX = 16 << 10;

  /// No request is shorter: what is full of blank lines is not cut at each of them.
  private static final int REQUEST_BYTES_MIN = 16;

  /// Of frames, what goes on at once of a connection that has many requests.
  private static final int FRAMES_BYTES = 1 << 10;

  private static final int FRAMES_AHEAD = 16;

  private final OpenConnections connections;
  private final OpenConnections.Connection connection;
  private final Queue<ByteBuf> held = new ArrayDeque<>(2);

  /// What the buffers take, however little of them is left.
  private int heldBytes;

  /// Whether something waits for an answer; asked by who sends one.
  private volatile boolean isHolding;

  /// Whether what is held has been behind others: it goes on by turns.
  private boolean isBehind;

  private boolean isAwaitingTurn;
  private boolean hasTurn;
  private Runnable onTurn = () -> {};
  private boolean isReadWanted;
  private boolean hasStoppedReading;
  private boolean isFrames;

  // Where it is in the requests.
  private long bodyLeft;
  private long pieceBytes;
  private long lineBytes;

  RequestsInTurn(OpenConnections connections, OpenConnections.Connection connection) {
    this.connections = connections;
    this.connection = connection;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    onTurn = () -> context.executor().execute(() -> takeTurn(context));
    connection.onAnswered(() -> {
      if (isHolding) {
        context.executor().execute(() -> goOn(context));
      }
    });
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext context) {
    letGo();
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    letGo();
    context.fireChannelInactive();
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (!(message instanceof ByteBuf bytes) || !bytes.isReadable()) {
      context.fireChannelRead(message);
      return;
    }
    held.add(bytes);
    heldBytes += bytes.capacity();
    if (!connections.hold(connection, bytes.capacity())) {
      connection.close("too much was sent ahead of what is answered");
    }
    letIn(context);
  }

  @Override
  public void read(ChannelHandlerContext context) {
    if (isHolding && heldBytes >= HELD_BYTES_MAX) {
      isReadWanted = true;
    } else {
      context.read();
    }
  }

  private void goOn(ChannelHandlerContext context) {
    if (!held.isEmpty()) { // else it has gone on already
      letIn(context);
      context.fireChannelReadComplete();
    }
  }

  private void takeTurn(ChannelHandlerContext context) {
    isAwaitingTurn = false;
    hasTurn = true;
    goOn(context);
    hasTurn = false;
    context.executor().execute(connections::tellNext); // when what was let in is worked on
  }

  private void letIn(ChannelHandlerContext context) {
    isHolding = false;
    while (!held.isEmpty() && context.channel().isActive() && !mustWait(context)) {
      hasTurn = false;
      connection.behind(isBehind);
      ByteBuf first = held.element();
      int length = isFrames ? framesLength(first) : pieceLength(first);
      if (length < first.readableBytes()) {
        context.fireChannelRead(first.readRetainedSlice(length));
      } else {
        held.remove();
        noLongerHeld(first);
        context.fireChannelRead(first);
      }
      if (pieceBytes == 0 && bodyLeft == 0) {
        bodyLeft = connection.takeBodyLength();
      }
    }
    isBehind &= !held.isEmpty();
    if (!context.channel().isActive()) {
      letGo();
    } else if (heldBytes < HELD_BYTES_MAX) {
      readOn(context);
    } else {
      stopReading(context);
    }
  }

  private boolean mustWait(ChannelHandlerContext context) {
    if (isFrames || bodyLeft > 0) {
      return false;
    }
    if (connection.count() >= AHEAD_MAX) {
      if (context.pipeline().get(Http2ConnectionHandler.class) != null) {
        isFrames = true;
        return false;
      }
      isBehind = true;
      isHolding = true;
      if (connection.count() >= AHEAD_MAX) {
        return true;
      }
      isHolding = false; // an answer has gone just now, and did not see it
    }
    if (isBehind && !hasTurn && connections.isBusy()) {
      isHolding = true;
      if (!isAwaitingTurn) {
        isAwaitingTurn = true;
        connections.await(onTurn);
      }
      return true;
    }
    return false;
  }

  /// What the event loop has begun to read ends with it, too.
  private void stopReading(ChannelHandlerContext context) {
    if (context.channel().config().isAutoRead()) {
      context.channel().config().setAutoRead(false);
      hasStoppedReading = true;
    }
  }

  private void readOn(ChannelHandlerContext context) {
    if (hasStoppedReading) {
      hasStoppedReading = false;
      context.channel().config().setAutoRead(true);
    }
    if (isReadWanted) {
      isReadWanted = false;
      context.read();
    }
  }

  private int framesLength(ByteBuf bytes) {
    return connection.count() > FRAMES_AHEAD
        ? Math.min(FRAMES_BYTES, bytes.readableBytes())
        : bytes.readableBytes();
  }

  /// Up to the end of a head, or of a body whose length is known; all there is where there is none.
  private int pieceLength(ByteBuf bytes) {
    int readable = bytes.readableBytes();
    if (bodyLeft > 0) {
      int length = (int) Math.min(bodyLeft, readable);
      bodyLeft -= length;
      return length;
    }
    int from = bytes.readerIndex();
    int at = from;
    for (int feed = feed(bytes, at); feed >= 0; feed = feed(bytes, at)) {
      lineBytes += feed - at;
      pieceBytes += feed + 1L - at;
      boolean isBlank = lineBytes <= 1; // but for the carriage return
      lineBytes = 0;
      at = feed + 1;
      if (isBlank && pieceBytes >= REQUEST_BYTES_MIN) {
        pieceBytes = 0;
        return at - from;
      }
    }
    lineBytes += bytes.writerIndex() - at;
    pieceBytes += bytes.writerIndex() - at;
    return readable;
  }

  private static int feed(ByteBuf bytes, int from) {
    return bytes.indexOf(from, bytes.writerIndex(), (byte) '\n');
  }

  private void letGo() {
    isHolding = false;
    if (isAwaitingTurn) {
      isAwaitingTurn = false;
      connections.awaitNoMore(onTurn);
    }
    while (!held.isEmpty()) {
      ByteBuf first = held.remove();
      noLongerHeld(first);
      first.release();
    }
  }

  private void noLongerHeld(ByteBuf bytes) {
    heldBytes -= bytes.capacity();
    boolean _ = connections.hold(connection, -bytes.capacity());
  }
}
