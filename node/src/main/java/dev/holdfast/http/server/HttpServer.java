package dev.holdfast.http.server;

import com.linecorp.armeria.common.logging.RequestLogProperty;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.ServerBuilder;
import dev.holdfast.http.Routes;
import dev.holdfast.http.spool.Spool;
import dev.holdfast.world.World;
import dev.holdfast.world.concurrent.Await;
import dev.holdfast.world.trace.Tracer;
import io.netty.channel.ChannelPipeline;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/// The server: HTTP/1.1 and HTTP/2 on one port. Bodies are collected on event loops, APIs run on
/// virtual threads.
public final class HttpServer implements AutoCloseable {
  /// A client's pooled connection is not closed under it, yet an abandoned one is in the end.
  private static final Duration IDLE_MAX = Duration.ofHours(1);

  /// Connections that may be there beside those that are allowed while they are closed to make
  /// room.
  private static final int CLOSING_MAX = 64;

  /// Until its connections are closed.
  private static final Duration CLOSE_MAX = Duration.ofMillis(500);

  /// Until all that was asked is answered.
  private static final Duration STOP_MAX = Duration.ofSeconds(5);

  private static final int WINDOW_BYTES = 4 << 20;

  private static final Duration STOP_POLL = Duration.ofMillis(10);

  private final Server server;
  private final HttpHandler edge;
  private final HttpLimits limits;
  private final UnfinishedAnswers unfinished;
  private final OpenConnections connections;
  private final World world;

  private HttpServer(
      Server server,
      HttpHandler edge,
      HttpLimits limits,
      UnfinishedAnswers unfinished,
      OpenConnections connections,
      World world) {
    this.server = server;
    this.edge = edge;
    this.limits = limits;
    this.unfinished = unfinished;
    this.connections = connections;
    this.world = world;
  }

  /// Binds, answers the calls of other nodes, and refuses clients until [#open].
  ///
  /// @param internal answers what comes to `/_internal/`: calls between nodes
  /// @param port 0 for any free one
  /// @throws IOException when the address cannot be bound
  public static HttpServer start(
      String host,
      int port,
      HttpLimits limits,
      HttpService internal,
      RequestBytes requestBytes,
      HttpCounters counters,
      World world)
      throws IOException, InterruptedException {
    return start(host, port, limits, internal, requestBytes, counters, world, Tracer.OFF);
  }

  /// The same.
  ///
  /// @param tracer records the requests
  public static HttpServer start(
      String host,
      int port,
      HttpLimits limits,
      HttpService internal,
      RequestBytes requestBytes,
      HttpCounters counters,
      World world,
      Tracer tracer)
      throws IOException, InterruptedException {
    OpenConnections connections =
        new OpenConnections(limits.connectionsMax(), unansweredMax(requestBytes));
    HttpHandler edge = new HttpHandler(limits, requestBytes, counters, connections, world, tracer);
    UnfinishedAnswers unfinished = new UnfinishedAnswers();
    int headersMax = (int) limits.headersLengthMax().bytes();
    ServerBuilder builder =
        Server.builder()
            .http(new InetSocketAddress(host, port))
            .service("prefix:/_internal", counted(internal, connections))
            .serviceUnder("/", edge)
            .decorator(unfinished)
            .errorHandler(new TransportErrors())
            .maxNumConnections(limits.connectionsMax() + CLOSING_MAX)
            .maxRequestLength(0)
            .requestTimeoutMillis(0)
            .idleTimeout(IDLE_MAX)
            .http1MaxInitialLineLength((int) limits.lineLengthMax().bytes())
            .http1MaxHeaderSize(headersMax)
            .http2MaxHeaderListSize(headersMax)
            .childChannelPipelineCustomizer(pipeline -> guard(pipeline, connections, limits))
            .http2InitialConnectionWindowSize(WINDOW_BYTES)
            .http2InitialStreamWindowSize(WINDOW_BYTES)
            .connectionDrainDuration(Duration.ZERO)
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
    return new HttpServer(server, edge, limits, unfinished, connections, world);
  }

  private static void guard(
      ChannelPipeline pipeline, OpenConnections connections, HttpLimits limits) {
    ConnectionGuard guard =
        new ConnectionGuard(connections, limits, pipeline.channel().remoteAddress());
    pipeline.addFirst(guard, new RequestsInTurn(connections, guard.connection()));
  }

  /// Who calls as a node may be anybody: its requests take turns, too.
  private static HttpService counted(HttpService service, OpenConnections connections) {
    return (context, request) -> {
      OpenConnections.Unanswered unanswered =
          connections.come(context.remoteAddress(), request.headers().contentLength());
      var _ =
          context
              .log()
              .whenAvailable(RequestLogProperty.RESPONSE_END_TIME)
              .thenRun(unanswered::close);
      return service.serve(context, request);
    };
  }

  /// Half as much again as bodies may take: who is refused is answered, too.
  private static long unansweredMax(RequestBytes bodies) {
    return Math.min(bodies.bytesMax(), Long.MAX_VALUE / 2) / 2 * 3;
  }

  /// Takes requests of clients from now on.
  ///
  /// @param projects whose requests are answered by other APIs
  /// @param files where large bodies of lines go; null when all must fit into memory
  public void open(Routes routes, ServedProjects projects, @Nullable Spool files) {
    edge.open(new Dispatcher(routes, limits, world.clock()), projects, files);
  }

  /// The port that is served, whatever the address: one of a machine as well as a loopback.
  public int port() {
    return server.activePorts().keySet().iterator().next().getPort();
  }

  /// Connections open now.
  public int connections() {
    return server.numConnections();
  }

  /// Connections that their event loops have seen, a moment after they were taken.
  int seen() {
    return connections.count();
  }

  /// Bytes of requests and answers that have not gone.
  long unanswered() {
    return connections.unanswered();
  }

  /// Returns when what was asked is answered, or has had its time, and connections are closed. The
  /// library's own threads end a little later.
  @Override
  public void close() {
    unfinished.stop();
    try {
      boolean _ = Await.until(world, STOP_MAX, STOP_POLL, unfinished::isEmpty);
      Future<?> stopping = server.stop();
      boolean _ =
          Await.until(
              world,
              CLOSE_MAX,
              STOP_POLL,
              () ->
                  stopping.isDone()
                      || (server.activePorts().isEmpty() && server.numConnections() == 0));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      var _ = server.stop();
    }
  }
}
