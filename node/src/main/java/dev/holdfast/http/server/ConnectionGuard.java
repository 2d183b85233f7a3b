package dev.holdfast.http.server;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2RemoteFlowController;
import io.netty.handler.timeout.IdleState;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.handler.timeout.IdleStateHandler;
import io.netty.util.concurrent.Future;
import java.net.SocketAddress;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Stands before the HTTP library at one connection: tells when the client has gone, and closes
/// what a slow client would keep open. The head of a request has its time from its first byte; an
/// answer that is not read has its time from its last progress. Runs on the connection's event
/// loop.
final class ConnectionGuard extends IdleStateHandler {
  private static final Logger LOG = LoggerFactory.getLogger(ConnectionGuard.class);

  /// How HTTP/2 begins, at once or after a request that upgrades to it: frames come from then on,
  /// without any head.
  private static final byte[] HTTP_2 = {'P', 'R', 'I'};

  private static final byte[] HEAD_END = {'\r', '\n', '\r', '\n'};

  /// How an answer begins after which the request's own answer is still to come.
  private static final byte[] INTERIM = {'H', 'T', 'T', 'P', '/', '1', '.', '1', ' ', '1'};

  private final OpenConnections connections;
  private final HttpLimits limits;
  private final OpenConnections.Connection connection;
  private final SocketAddress client;
  private State state = State.FIRST;

  /// Looks whether a head has come whole; null while none comes in parts. It is taken back with the
  /// head's end and the connection's: what waits in an event loop holds the connection.
  private @Nullable Future<?> looking;

  /// Bytes of the end of a head that have just been read.
  private int headEndRead;

  private enum State {
    /// Nothing has come.
    FIRST,
    /// The connection speaks HTTP/2.
    FRAMES,
    /// All requests are answered.
    WAITING,
    HEAD,
    /// A head has come whole, the answer has not gone.
    REQUEST
  }

  ConnectionGuard(OpenConnections connections, HttpLimits limits, SocketAddress client) {
    super(true, 0, limits.stallMax().toMillis(), 0, TimeUnit.MILLISECONDS);
    this.connections = connections;
    this.limits = limits;
    this.client = client;
    this.connection = connections.opened(client);
  }

  /// What is known of the connection.
  OpenConnections.Connection connection() {
    return connection;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) throws Exception {
    connection.closing(why -> close(context, why));
    connections.makeRoom();
    super.handlerAdded(context);
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) throws Exception {
    end();
    super.channelInactive(context);
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext context) throws Exception {
    end();
    super.handlerRemoved(context);
  }

  private void end() {
    lookNoMore();
    connections.closed(client, connection);
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) throws Exception {
    if (message instanceof ByteBuf bytes && bytes.isReadable()) {
      follow(context, bytes);
    }
    super.channelRead(context, message);
  }

  private void follow(ChannelHandlerContext context, ByteBuf bytes) {
    if (state != State.HEAD && begins(bytes, HTTP_2)) {
      state = State.FRAMES;
      connections.spoke(connection);
    }
    if (state == State.FIRST) {
      state = State.WAITING;
    }
    if (state == State.WAITING) {
      state = State.HEAD;
      headEndRead = 0;
    }
    if (state == State.HEAD && hasHeadEnd(bytes)) {
      state = State.REQUEST;
      connections.spoke(connection);
    }
    if (state != State.HEAD) {
      lookNoMore();
    } else if (looking == null) {
      looking =
          context
              .executor()
              .schedule(
                  () -> close(context, "the head of a request took too long"),
                  limits.headersTimeMax().toMillis(),
                  TimeUnit.MILLISECONDS);
    }
  }

  private void lookNoMore() {
    Future<?> none = looking;
    looking = null;
    if (none != null) {
      boolean _ = none.cancel(false);
    }
  }

  private boolean hasHeadEnd(ByteBuf bytes) {
    for (int at = bytes.readerIndex(); at < bytes.writerIndex(); at++) {
      byte one = bytes.getByte(at);
      headEndRead = one == HEAD_END[headEndRead] ? headEndRead + 1 : one == HEAD_END[0] ? 1 : 0;
      if (headEndRead == HEAD_END.length) {
        return true;
      }
    }
    return false;
  }

  private static boolean begins(ByteBuf bytes, byte[] with) {
    int at = bytes.readerIndex();
    for (int i = 0; i < with.length; i++) {
      if (i >= bytes.readableBytes() || bytes.getByte(at + i) != with[i]) {
        return false;
      }
    }
    return true;
  }

  @Override
  public void write(ChannelHandlerContext context, Object message, ChannelPromise promise)
      throws Exception {
    if (state == State.REQUEST && !(message instanceof ByteBuf bytes && begins(bytes, INTERIM))) {
      state = State.WAITING;
    }
    super.write(context, message, promise);
  }

  @Override
  protected void channelIdle(ChannelHandlerContext context, IdleStateEvent event) {
    if (event.state() == IdleState.WRITER_IDLE
        && context.channel().isActive()
        && (hasUnsentBytes(context.channel()) || hasUnsentFrames(context.channel()))) {
      close(context, "an answer is not read");
    }
  }

  private static boolean hasUnsentBytes(Channel channel) {
    ChannelOutboundBuffer unsent = channel.unsafe().outboundBuffer();
    return unsent != null && unsent.totalPendingWriteBytes() > 0;
  }

  /// Whether frames wait until the client takes more: the connection is not given them before.
  private static boolean hasUnsentFrames(Channel channel) {
    Http2ConnectionHandler frames = channel.pipeline().get(Http2ConnectionHandler.class);
    if (frames == null) {
      return false;
    }
    Http2RemoteFlowController unsent = frames.encoder().flowController();
    try {
      return frames.connection().forEachActiveStream(stream -> !unsent.hasFlowControlled(stream))
          != null;
    } catch (Http2Exception e) {
      throw new IllegalStateException("no look throws it", e);
    }
  }

  private void close(ChannelHandlerContext context, String why) {
    if (!context.channel().isActive()) {
      return; // what had been read before is still looked at
    }
    connections.noteSlow();
    LOG.info("connection closed [client={}, why={}]", client, why);
    var _ = context.close();
  }
}
