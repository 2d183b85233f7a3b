package dev.holdfast.http.server;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.ResponseHeadersBuilder;
import com.linecorp.armeria.common.stream.SubscriptionOption;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.http.ErrorBody;
import dev.holdfast.http.RequestBody;
import dev.holdfast.http.RequestMemory;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.World;
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

  /// Answered before there are any APIs.
  private static final String LIVE = "/_holdfast/live";

  private volatile @Nullable Dispatcher dispatcher;
  private final HttpLimits limits;
  private final RequestBytes requestBytes;
  private final HttpCounters counters;
  private final OpenConnections connections;
  private final World world;

  HttpHandler(
      HttpLimits limits,
      RequestBytes requestBytes,
      HttpCounters counters,
      OpenConnections connections,
      World world) {
    this.connections = connections;
    this.limits = limits;
    this.requestBytes = requestBytes;
    this.counters = counters;
    this.world = world;
  }

  /// Takes requests from now on; those before are refused.
  void open(Dispatcher opened) {
    dispatcher = opened;
  }

  @Override
  public HttpResponse serve(ServiceRequestContext context, HttpRequest request) {
    if (request.path().equals(LIVE) && dispatcher == null) {
      return HttpResponse.of("live\n"); // so far, it starts
    }
    counters.began();
    SocketAddress client = context.remoteAddress();
    Exchange exchange = new Exchange(client, request.headers(), world.clock().nanoTime());
    RequestBytes.Reservation reservation;
    try {
      if (dispatcher == null) {
        throw new Refusal(ErrorType.MASTER_NOT_DISCOVERED, "this node is starting");
      }
      reservation = requestBytes.begin();
    } catch (Refusal e) {
      request.abort();
      return HttpResponse.of(exchange.send(exchange.refused(e), 0));
    }
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
    long declared = request.headers().contentLength();
    BodyCollector collector =
        new BodyCollector(
            declared,
            limits.contentLengthMax().bytes(),
            reservation,
            new BodyCollector.Done() {
              @Override
              public void collected(RequestBody body) {
                world.tasks().start("http", () -> exchange.run(body, reservation));
              }

              @Override
              public void refused(Refusal refusal) {
                reservation.close();
                exchange.complete(exchange.refused(refusal), 0);
              }

              @Override
              public void broken(Throwable cause) {
                reservation.close();
                counters.ended(0, 0, 0, 0);
                exchange.answer.completeExceptionally(cause);
              }
            });
    request.subscribe(collector, context.eventLoop(), SubscriptionOption.WITH_POOLED_OBJECTS);
    collector.watch(context.eventLoop(), limits.stallMax());
    return response;
  }

  /// One request on its way through.
  private final class Exchange implements OpenConnections.Request {
    final CompletableFuture<HttpResponse> answer = new CompletableFuture<>();
    final AtomicBoolean isCancelled = new AtomicBoolean();
    private final SocketAddress client;
    private final RequestHeaders headers;
    private final long startNanos;

    Exchange(SocketAddress client, RequestHeaders headers, long startNanos) {
      this.client = client;
      this.headers = headers;
      this.startNanos = startNanos;
    }

    @Override
    public void left() {
      isCancelled.set(true);
    }

    void run(RequestBody body, RequestBytes.Reservation reservation) {
      try (reservation) {
        IncomingRequest incoming =
            new IncomingRequest(
                headers.method().name(),
                headers.path(),
                headers::get,
                body,
                reservation,
                isCancelled::get);
        Dispatcher open = Objects.requireNonNull(dispatcher);
        OutgoingResponse outgoing =
            RequestMemory.<OutgoingResponse, RuntimeException>during(
                world.memory().request(), "<http_request>", () -> open.dispatch(incoming));
        // Given back before the client can know: it may count on that for its next request.
        reservation.close();
        complete(outgoing, body.length());
      } catch (Throwable e) {
        LOG.error("request could not be answered [path={}]", headers.path(), e);
        counters.ended(500, body.length(), 0, world.clock().nanoTime() - startNanos);
        answer.complete(HttpResponse.of(500));
        throw e;
      }
    }

    OutgoingResponse refused(Refusal refusal) {
      Map<String, String> none = new LinkedHashMap<>();
      IncomingRequest incoming =
          new IncomingRequest(
              headers.method().name(),
              headers.path(),
              headers::get,
              RequestBody.EMPTY,
              requestBytes.new Reservation(),
              isCancelled::get);
      return ResponseRendering.error(
          incoming, ContentNegotiation.FALLBACK, none, ErrorBody.answer(refusal, false));
    }

    void complete(OutgoingResponse outgoing, long bytesIn) {
      answer.complete(send(outgoing, bytesIn));
    }

    HttpResponse send(OutgoingResponse outgoing, long bytesIn) {
      long took = world.clock().nanoTime() - startNanos;
      int bytesOut = outgoing.isBodySent() ? outgoing.length() : 0;
      counters.ended(outgoing.status(), bytesIn, bytesOut, took);
      AccessLog.answered(client, headers, outgoing.status(), bytesIn, bytesOut, took);
      ResponseHeadersBuilder builder = ResponseHeaders.builder(outgoing.status());
      outgoing.headers().forEach(header -> builder.add(header.name(), header.value()));
      builder.contentLength(outgoing.length());
      return outgoing.isBodySent() && outgoing.length() > 0
          ? HttpResponse.of(builder.build(), HttpData.wrap(outgoing.body(), 0, outgoing.length()))
          : HttpResponse.of(builder.build());
    }
  }
}
