package dev.holdfast.rpc;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.ResponseHeadersBuilder;
import com.linecorp.armeria.common.stream.SubscriptionOption;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.compoundcommit.call.Call;
import dev.holdfast.http.RequestBody;
import dev.holdfast.http.server.BodyCollector;
import dev.holdfast.http.server.CallCounters;
import dev.holdfast.http.server.RequestBytes;
import dev.holdfast.translog.Log;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Network;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.World;
import dev.holdfast.world.concurrent.Await;
import dev.holdfast.world.trace.Cause;
import dev.holdfast.world.trace.Span;
import dev.holdfast.world.trace.Tracer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Answers the calls of other nodes: each on a virtual thread, bounded in number and in bytes. Who
/// does not prove by the secret of the cluster that it belongs to it is answered 401, before
/// anything of its request is read ([Signature]).
final class CallService implements HttpService {
  private static final Logger LOG = LoggerFactory.getLogger(CallService.class);

  /// How long a call is held that may be answered when this node has started.
  private static final Duration HELD_MAX = Duration.ofSeconds(2);

  private static final Duration HELD_LOOK = Duration.ofMillis(5);

  private final World world;
  private final RpcConfig config;
  private final Map<String, Network.Handler> handlers = new ConcurrentHashMap<>();
  private final AtomicInteger serving = new AtomicInteger();
  private final RequestBytes bytes;
  private final CallCounters counters;
  private final Tracer tracer;
  private final SeenCallNumbers seen = new SeenCallNumbers();
  private volatile @Nullable CallSecret secret;
  private volatile boolean isComplete;

  CallService(World world, RpcConfig config, CallCounters counters, Tracer tracer) {
    this.tracer = tracer;
    this.world = world;
    this.counters = counters;
    this.config = config;
    this.bytes = new RequestBytes(config.servedBytesMax().bytes());
  }

  void serve(String call, Network.Handler handler) {
    if (handlers.putIfAbsent(call, handler) != null) {
      throw new IllegalStateException("the call is served already [call=" + call + "]");
    }
  }

  SortedSet<String> calls() {
    return new TreeSet<>(handlers.keySet());
  }

  /// Calls are answered from now on.
  void protect(CallSecret theSecret) {
    secret = theSecret;
  }

  /// Every call that this node will ever answer is served.
  void complete() {
    isComplete = true;
  }

  /// A call of a process of this cluster.
  ///
  /// @param signature by the secret that it was made with
  /// @param mac of its head
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Proven(
      Signature.Head head, Signature signature, byte[] mac, CallCounters counters) {
    boolean isBody(RequestHeaders headers, byte[] body) {
      return Signature.isEqual(signature.ofBody(mac, body), headers.get(RpcWire.BODY_PROOF));
    }

    HttpResponse response(int status, byte[] body, boolean isCompressed) {
      ResponseHeadersBuilder headers = ResponseHeaders.builder(status).contentLength(body.length);
      if (isCompressed) {
        headers.add(RpcWire.ENCODING, RpcWire.ZSTD);
      }
      counters.sent(body.length);
      byte[] proof = signature.ofAnswer(mac, status, isCompressed, body);
      headers.add(RpcWire.BODY_PROOF, Signature.text(proof));
      return HttpResponse.of(headers.build(), HttpData.wrap(body));
    }

    HttpResponse refused(Refusal refusal) {
      return response(RpcWire.REFUSED, RefusalJson.bytes(refusal), false);
    }
  }

  @Override
  public HttpResponse serve(ServiceRequestContext context, HttpRequest request) {
    String call = context.path().substring(RpcWire.PATH.length());
    CallSecret known = secret;
    if (known == null) {
      request.abort();
      return HttpResponse.of(404);
    }
    Proven proven = proven(known, call, request.headers());
    if (proven == null) {
      request.abort();
      return stranger();
    }
    if (isComplete && !handlers.containsKey(call)) {
      request.abort();
      return proven.refused(Call.unsupported(call));
    }
    boolean isFirst = call.startsWith("cluster/");
    if (!isFirst && serving.get() >= config.servedMax()) {
      request.abort();
      return proven.refused(tooMany());
    }
    try {
      return answered(context, request, proven, bytes.begin());
    } catch (Refusal e) {
      request.abort();
      return proven.refused(e);
    }
  }

  private @Nullable Proven proven(CallSecret known, String call, RequestHeaders headers) {
    boolean isCompressed = RpcWire.ZSTD.equals(headers.get(RpcWire.ENCODING));
    Signature.Head head = Signature.Head.of(call, headers.get(RpcWire.FROM), isCompressed);
    if (head == null) {
      return null;
    }
    Signature signature = new Signature(known.known());
    byte[] mac = signature.of(head);
    if (!Signature.isEqual(mac, headers.get(RpcWire.HEAD_PROOF))) {
      look(known, signature.secret());
      return null;
    }
    return seen.take(head.caller(), head.number())
        ? new Proven(head, signature, mac, counters)
        : null;
  }

  /// The caller may know a newer secret.
  private void look(CallSecret known, byte[] used) {
    if (known.mayLook()) {
      var _ =
          world
              .tasks()
              .start(
                  "call secret",
                  () -> {
                    if (known.isChanged(used)) {
                      LOG.info("the secret of the cluster was changed");
                    }
                  });
    }
  }

  private static HttpResponse stranger() {
    return HttpResponse.of(
        HttpStatus.UNAUTHORIZED,
        MediaType.JSON_UTF_8,
        "{\"error\":{\"type\":\"security_exception\",\"reason\":\"calls between nodes are closed to"
            + " others: the proof by the secret of the cluster is missing or wrong\"},"
            + "\"status\":401}");
  }

  private HttpResponse answered(
      ServiceRequestContext context,
      HttpRequest request,
      Proven proven,
      RequestBytes.Reservation reservation) {
    serving.incrementAndGet();
    CompletableFuture<HttpResponse> answer = new CompletableFuture<>();
    BodyCollector collector =
        new BodyCollector(
            request.headers().contentLength(),
            config.bodyMax().bytes(),
            reservation,
            new BodyCollector.Done() {
              @Override
              public void collected(RequestBody body) {
                var _ =
                    world
                        .tasks()
                        .start(
                            "call " + proven.head().call(),
                            () -> {
                              byte[] bytes = bytes(body);
                              answer.complete(
                                  proven.isBody(request.headers(), bytes)
                                      ? held(proven, request.headers(), bytes, reservation)
                                      : stranger());
                            });
              }

              @Override
              public void refused(Refusal refusal) {
                answer.complete(proven.refused(refusal));
              }

              @Override
              public void broken(Throwable cause) {
                answer.completeExceptionally(cause);
              }
            });
    var _ =
        answer.whenComplete((_, _) -> {
          serving.decrementAndGet();
          reservation.close();
        });
    request.subscribe(collector, context.eventLoop(), SubscriptionOption.WITH_POOLED_OBJECTS);
    return HttpResponse.of(answer);
  }

  private Refusal tooMany() {
    return new Refusal(
        ErrorType.REJECTED_EXECUTION,
        "rejected execution: too many calls of other nodes [max=" + config.servedMax() + "]");
  }

  private static byte[] bytes(RequestBody body) {
    return body.offset() == 0 && body.length() == body.bytes().length
        ? body.bytes()
        : Arrays.copyOfRange(body.bytes(), body.offset(), body.offset() + body.length());
  }

  /// A node is a member before it answers all calls: who asks then waits for that moment here, not
  /// for the end of its own pause before it asks again.
  private HttpResponse held(
      Proven proven, RequestHeaders headers, byte[] request, RequestBytes.Reservation held) {
    String call = proven.head().call();
    try {
      boolean _ =
          Await.until(world, HELD_MAX, HELD_LOOK, () -> isComplete || handlers.containsKey(call));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return proven.refused(new Refusal(ErrorType.NODE_CLOSED, "the node is stopping"));
    }
    Network.Handler handler = handlers.get(call);
    if (handler == null) {
      return isComplete
          ? proven.refused(Call.unsupported(call))
          : proven.response(404, new byte[0], false);
    }
    return traced(proven, headers, handler, request, held);
  }

  /// For the request that the other node works for.
  private HttpResponse traced(
      Proven proven,
      RequestHeaders headers,
      Network.Handler handler,
      byte[] request,
      RequestBytes.Reservation held) {
    return tracer
        .begin("call " + proven.head().call(), headers::get, true)
        .<HttpResponse, RuntimeException, RuntimeException>serve(
            () -> run(proven, handler, request, held));
  }

  private HttpResponse run(
      Proven proven, Network.Handler handler, byte[] request, RequestBytes.Reservation held) {
    String call = proven.head().call();
    counters.received(request.length);
    try {
      byte[] answer =
          handler.answer(
              proven.head().isCompressed()
                  ? RpcWire.decompressed(request, config.bodyMax(), held::add)
                  : request);
      return RpcWire.isWorthCompressing(answer, config)
          ? proven.response(200, RpcWire.compressed(answer), true)
          : proven.response(200, answer, false);
    } catch (Refusal e) {
      return proven.refused(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return proven.refused(new Refusal(ErrorType.NODE_CLOSED, "the node is stopping"));
    } catch (Log.EvictedException e) {
      LOG.debug("a call of another node came too late: this node was evicted [call={}]", call, e);
      return proven.response(RpcWire.FAILED, failure(e), false);
    } catch (IOException e) {
      // It says what happened, and whoever asked hears it.
      LOG.warn("a call of another node failed [call={}, why={}]", call, e.toString());
      LOG.debug("a call of another node failed [call={}]", call, e);
      return proven.response(RpcWire.FAILED, failure(e), false);
    } catch (Exception | Error e) {
      LOG.warn("a call of another node failed [call={}]", call, e);
      return proven.response(RpcWire.FAILED, failure(e), false);
    }
  }

  private static byte[] failure(Throwable failure) {
    Span span = Cause.current().span();
    if (span != null) {
      span.failed(failure);
    }
    return failure.toString().getBytes(StandardCharsets.UTF_8);
  }
}
