package dev.holdfast.node.http;

import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.ServerBuilder;
import dev.holdfast.world.World;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

/// The server: HTTP/1.1 and HTTP/2 on one port. Bodies are collected on event loops, APIs run on
/// virtual threads.
public final class HttpServer implements AutoCloseable {
  /// A client's pooled connection is not closed under it, yet an abandoned one is in the end.
  private static final Duration IDLE_MAX = Duration.ofHours(1);

  private static final Duration STOP_QUIET = Duration.ofMillis(200);
  private static final Duration STOP_MAX = Duration.ofSeconds(5);
  private static final int TARGET_LENGTH_MAX = 64 << 10;
  private static final int HEADERS_LENGTH_MAX = 64 << 10;
  private static final int WINDOW_BYTES = 4 << 20;

  private static final Duration STOP_POLL = Duration.ofMillis(10);

  private final Server server;
  private final HttpCounters counters;
  private final World world;

  private HttpServer(Server server, HttpCounters counters, World world) {
    this.server = server;
    this.counters = counters;
    this.world = world;
  }

  /// Binds and serves.
  ///
  /// @param port 0 for any free one
  /// @throws IOException when the address cannot be bound
  public static HttpServer start(
      String host,
      int port,
      HttpLimits limits,
      Routes routes,
      RequestBytes requestBytes,
      HttpCounters counters,
      World world)
      throws IOException, InterruptedException {
    HttpEdge edge =
        new HttpEdge(new Dispatcher(routes, limits), limits, requestBytes, counters, world);
    ServerBuilder builder =
        Server.builder()
            .http(new InetSocketAddress(host, port))
            .serviceUnder("/", edge)
            .errorHandler(new EdgeErrors())
            .maxNumConnections(limits.connectionsMax())
            .maxRequestLength(0)
            .requestTimeoutMillis(0)
            .idleTimeout(IDLE_MAX)
            .http1MaxInitialLineLength(TARGET_LENGTH_MAX)
            .http1MaxHeaderSize(HEADERS_LENGTH_MAX)
            .http2MaxHeaderListSize(HEADERS_LENGTH_MAX)
            .http2InitialConnectionWindowSize(WINDOW_BYTES)
            .http2InitialStreamWindowSize(WINDOW_BYTES)
            .gracefulShutdownTimeout(STOP_QUIET, STOP_MAX)
            .disableServerHeader()
            .disableDateHeader();
    Server server = builder.build();
    try {
      server.start().get();
    } catch (ExecutionException | CompletionException e) {
      server.close();
      throw e.getCause() instanceof IOException cause
          ? cause
          : new IOException("cannot serve HTTP", e.getCause());
    }
    return new HttpServer(server, counters, world);
  }

  public int port() {
    return server.activeLocalPort();
  }

  /// Connections open now.
  public int connections() {
    return server.numConnections();
  }

  /// Takes no more requests and returns when those that run are answered, or have had their time.
  /// The library's own threads end a little later.
  @Override
  public void close() {
    Future<?> stopping = server.stop();
    long deadline = world.clock().nanoTime() + STOP_MAX.plus(STOP_QUIET).toNanos();
    try {
      while (!stopping.isDone()
          && (counters.current() > 0 || server.numConnections() > 0)
          && world.clock().nanoTime() < deadline) {
        world.sleeper().sleep(STOP_POLL);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
