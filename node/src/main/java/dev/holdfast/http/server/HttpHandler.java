package dev.holdfast.http.server;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpResponseWriter;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.ResponseHeadersBuilder;
import com.linecorp.armeria.common.logging.RequestLogProperty;
import com.linecorp.armeria.common.stream.SubscriptionOption;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.http.ErrorBody;
import dev.holdfast.http.RequestBody;
import dev.holdfast.http.RequestMemory;
import dev.holdfast.http.SoleHeaders;
import dev.holdfast.http.spool.RequestFiles;
import dev.holdfast.http.spool.Spool;
import dev.holdfast.http.spool.SpoolFile;
import dev.holdfast.world.Breakers;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.Tasks;
import dev.holdfast.world.World;
import dev.holdfast.world.trace.Cause;
import dev.holdfast.world.trace.Tracer;
import io.netty.channel.EventLoop;
import java.net.SocketAddress;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Where the HTTP library ends: collects a request, hands it to the dispatcher on a virtual thread,
/// sends what comes back.
final class HttpHandler implements HttpService {
  private static final Logger LOG = LoggerFactory.getLogger(HttpHandler.class);

  /// Answered before there are any APIs, and when there is no room for a request.
  private static final String LIVE = "/_holdfast/live";

  private volatile @Nullable Dispatcher dispatcher;
  private volatile @Nullable Spool spool;
  private volatile ServedProjects projects = _ -> null;
  private final HttpLimits limits;
  private final RequestBytes requestBytes;
  private final HttpCounters counters;
  private final OpenConnections connections;
  private final World world;
  private final Tracer tracer;

  HttpHandler(
      HttpLimits limits,
      RequestBytes requestBytes,
      HttpCounters counters,
      OpenConnections connections,
      World world,
      Tracer tracer) {
    this.tracer = tracer;
    this.connections = connections;
    this.limits = limits;
    this.requestBytes = requestBytes;
    this.counters = counters;
    this.world = world;
  }

  /// Takes requests from now on; those before are refused.
  ///
  /// @param asked whose requests are answered by others than `opened`
  /// @param files where large bodies of lines go; null when all must fit into memory
  void open(Dispatcher opened, ServedProjects asked, @Nullable Spool files) {
    spool = files;
    projects = asked;
    dispatcher = opened;
  }

  @Override
  public HttpResponse serve(ServiceRequestContext context, HttpRequest request) {
    if (request.path().equals(LIVE) && dispatcher == null) {
      return HttpResponse.of("live\n"); // so far, it starts
    }
    SocketAddress client = context.remoteAddress();
    OpenConnections.Unanswered unanswered =
        connections.come(client, request.headers().contentLength());
    var _ =
        context
            .log()
            .whenAvailable(RequestLogProperty.RESPONSE_END_TIME)
            .thenRun(unanswered::close);
    if (unanswered.isTooMuch()) {
      unanswered.closeConnection();
      request.abort();
      return HttpResponse.of(429); // nobody will read it
    }
    counters.began();
    Exchange exchange =
        new Exchange(
            client, request.headers(), target(context), world.clock().nanoTime(), unanswered);
    RequestBytes.Reservation reservation;
    try {
      if (dispatcher == null) {
        throw new Refusal(ErrorType.MASTER_NOT_DISCOVERED, "this node is starting");
      }
      projects.admit(request.headers()::get);
      reservation =
          requestBytes.begin(connections.hasItsShare(client, requestBytes.requestsOfHalf()));
    } catch (Refusal e) {
      request.abort();
      if (request.path().equals(LIVE)) {
        // Full is alive: whoever restarts the process for it ends all that waits in it.
        counters.ended(200, 0, 0, 0);
        return HttpResponse.of("live\n");
      }
      return HttpResponse.of(exchange.send(exchange.refused(e), 0));
    }
    var _ = exchange.answer.whenComplete((_, _) -> unanswered.answered());
    HttpResponse response = HttpResponse.of(exchange.answer);
    connections.begin(client, exchange);
    var _ =
        response
            .whenComplete()
            .whenComplete((_, failure) -> {
              connections.end(client, exchange);
              if (failure != null) {
                exchange.left();
              }
            });
    collect(context.eventLoop(), request, exchange, reservation);
    return response;
  }

  private void collect(
      EventLoop loop,
      HttpRequest request,
      Exchange exchange,
      RequestBytes.Reservation reservation) {
    long declared = request.headers().contentLength();
    long bytesMax = limits.contentLengthMax().bytes();
    Spool spooling = spool;
    RequestFiles files =
        spooling != null && LargeLines.mayBe(request.headers()) ? spooling.begin() : null;
    Collected collected = new Collected(exchange, reservation, files);
    if (files == null || (declared >= 0 && declared <= files.memoryBytes())) {
      BodyCollector collector = new BodyCollector(declared, bytesMax, reservation, collected);
      request.subscribe(collector, loop, SubscriptionOption.WITH_POOLED_OBJECTS);
      collector.watch(loop, limits.stallMax());
      return;
    }
    SpoolingCollector collector =
        new SpoolingCollector(
            declared, bytesMax, files, reservation, loop, world.tasks(), collected);
    request.subscribe(collector, loop, SubscriptionOption.WITH_POOLED_OBJECTS);
    collector.watch(limits.stallMax());
  }

  /// What becomes of a request when its body has come, or has not.
  private final class Collected implements SpoolingCollector.Done {
    private final Exchange exchange;
    private final RequestBytes.Reservation reservation;
    private final @Nullable RequestFiles files;

    Collected(
        Exchange exchange, RequestBytes.Reservation reservation, @Nullable RequestFiles files) {
      this.exchange = exchange;
      this.reservation = reservation;
      this.files = files;
    }

    @Override
    public void collected(RequestBody body) {
      exchange.unanswered.begin();
      world
          .tasks()
          .start("http", () -> exchange.run(body, null, files, reservation), this::notStarted);
    }

    @Override
    public void spooled(SpoolFile body) {
      exchange.unanswered.begin();
      world
          .tasks()
          .start(
              "http",
              () -> exchange.run(RequestBody.EMPTY, body, files, reservation),
              this::notStarted);
    }

    private void notStarted() {
      refused(
          new Refusal(
              ErrorType.REJECTED_EXECUTION,
              "rejected execution: no thread can be started for the request, retry later"));
    }

    @Override
    public void refused(Refusal refusal) {
      release();
      exchange.complete(exchange.refused(refusal), 0);
    }

    @Override
    public void broken(Throwable cause) {
      release();
      counters.ended(0, 0, 0, 0);
      exchange.answer.completeExceptionally(cause);
    }

    private void release() {
      reservation.close();
      if (files != null) {
        files.close();
      }
    }
  }

  /// What was asked for, as it was sent: the server below makes one slash of several.
  private static String target(ServiceRequestContext context) {
    String sent = context.routingContext().requestTarget().rawPath();
    int question = sent == null ? -1 : sent.indexOf('?');
    String path = sent == null || question < 0 ? sent : sent.substring(0, question);
    return sent != null && path != null && path.contains("//") ? sent : context.request().path();
  }

  /// One request on its way through.
  private final class Exchange implements OpenConnections.Request {
    final CompletableFuture<HttpResponse> answer = new CompletableFuture<>();
    final AtomicBoolean isCancelled = new AtomicBoolean();
    private final SocketAddress client;
    private final RequestHeaders headers;
    private final String target;
    private final long startNanos;
    private final OpenConnections.Unanswered unanswered;
    private volatile Cause cause = Cause.NONE;

    Exchange(
        SocketAddress client,
        RequestHeaders headers,
        String target,
        long startNanos,
        OpenConnections.Unanswered unanswered) {
      this.unanswered = unanswered;
      this.client = client;
      this.headers = headers;
      this.target = target;
      this.startNanos = startNanos;
    }

    @Override
    public void left() {
      isCancelled.set(true);
    }

    void run(
        RequestBody body,
        @Nullable SpoolFile spooled,
        @Nullable RequestFiles files,
        RequestBytes.Reservation reservation) {
      long bytesIn = spooled == null ? body.length() : spooled.length();
      try (reservation;
          files) {
        IncomingRequest incoming =
            new IncomingRequest(
                headers.method().name(),
                target,
                headers::get,
                body,
                spooled,
                files,
                reservation,
                isCancelled::get);
        Dispatcher open = Objects.requireNonNull(dispatcher);
        cause = tracer.begin(headers.method().name(), headers::get, false);
        OutgoingResponse outgoing =
            cause.<OutgoingResponse, RuntimeException, RuntimeException>serve(
                () -> traced(open, incoming, bytesIn));
        // Given back before the client can know: it may count on that for its next request.
        reservation.close();
        complete(outgoing, bytesIn);
      } catch (Throwable e) {
        LOG.error("request could not be answered [path={}]", target, e);
        counters.ended(500, bytesIn, 0, world.clock().nanoTime() - startNanos);
        answer.complete(HttpResponse.of(500));
        throw e;
      }
    }

    private OutgoingResponse traced(Dispatcher open, IncomingRequest incoming, long bytes) {
      OutgoingResponse outgoing = dispatched(open, incoming, bytes);
      return cause.span() == null ? outgoing : RequestSpan.answered(cause, incoming, outgoing);
    }

    private OutgoingResponse dispatched(Dispatcher open, IncomingRequest incoming, long bytes) {
      ServedProjects.Served project;
      try {
        project = projects.of(new SoleHeaders(headers));
        if (project != null) {
          project.admit(headers::get, bytes);
          if (incoming.spooled() != null) {
            project.slow(headers::get, incoming.spooled());
          }
        }
      } catch (Refusal e) {
        return refused(e);
      }
      return project == null
          ? dispatched(open, world.memory(), incoming)
          : project.during(
              () -> dispatched(open.with(project.routes()), project.memory(), incoming));
    }

    private OutgoingResponse dispatched(Dispatcher by, Breakers memory, IncomingRequest incoming) {
      return RequestMemory.<OutgoingResponse, RuntimeException>during(
          memory.request(), "<http_request>", () -> by.dispatch(incoming));
    }

    OutgoingResponse refused(Refusal refusal) {
      Map<String, String> none = new LinkedHashMap<>();
      IncomingRequest incoming =
          new IncomingRequest(
              headers.method().name(),
              target,
              headers::get,
              RequestBody.EMPTY,
              null,
              null,
              requestBytes.new Reservation(),
              isCancelled::get);
      return ResponseRendering.error(
          incoming, ContentNegotiation.FALLBACK, none, ErrorBody.answer(refusal, false));
    }

    void complete(OutgoingResponse outgoing, long bytesIn) {
      HttpResponse sent = send(outgoing, bytesIn);
      if (!(sent instanceof HttpResponseWriter writer)) {
        answer.complete(sent);
      } else if (outgoing.file() != null) {
        answer.complete(sent);
        AnswerSending.send(outgoing.stream(), writer);
      } else {
        sendHeld(outgoing, writer);
      }
    }

    /// The answer counts until it has gone, on a thread that holds nothing else of its request.
    /// That it is there can't be helped any more: others are refused for it.
    private void sendHeld(OutgoingResponse outgoing, HttpResponseWriter writer) {
      var held = world.memory().request().begin("<http_response>");
      held.hold(outgoing.body().length);
      answer.complete(writer);
      Tasks.Task _ =
          world
              .tasks()
              .start(
                  "http answer",
                  () -> {
                    try (held) {
                      AnswerSending.send(outgoing.stream(), writer);
                    }
                  },
                  () -> {
                    held.close();
                    writer.abort();
                  });
    }

    HttpResponse send(OutgoingResponse outgoing, long bytesIn) {
      long took = world.clock().nanoTime() - startNanos;
      long bytesOut = outgoing.isBodySent() ? outgoing.length() : 0;
      counters.ended(outgoing.status(), bytesIn, bytesOut, took);
      AccessLog.answered(client, headers, outgoing.status(), bytesIn, bytesOut, took, cause);
      ResponseHeadersBuilder builder = ResponseHeaders.builder(outgoing.status());
      outgoing.headers().forEach(header -> builder.add(header.name(), header.value()));
      builder.contentLength(outgoing.length());
      if (!outgoing.isBodySent() || outgoing.length() == 0) {
        return HttpResponse.of(builder.build());
      }
      if (outgoing.file() != null
          || outgoing.length() > AnswerSending.AT_ONCE_BYTES_MAX
          || !unanswered.answer(outgoing.length())) {
        HttpResponseWriter writer = HttpResponse.streaming();
        writer.write(builder.build());
        return writer;
      }
      return HttpResponse.of(
          builder.build(), HttpData.wrap(outgoing.body(), 0, (int) outgoing.length()));
    }
  }
}
