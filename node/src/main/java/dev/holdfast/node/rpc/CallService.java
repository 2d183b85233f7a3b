package dev.holdfast.node.rpc;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.ResponseHeadersBuilder;
import com.linecorp.armeria.common.stream.SubscriptionOption;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.node.http.BodyCollector;
import dev.holdfast.node.http.RequestBody;
import dev.holdfast.node.http.RequestBytes;
import dev.holdfast.translog.Log;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Network;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.World;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Answers the calls of other nodes: each on a virtual thread, bounded in number and in bytes.
final class CallService implements HttpService {
  private static final Logger LOG = LoggerFactory.getLogger(CallService.class);

  private final World world;
  private final RpcConfig config;
  private final Map<String, Network.Handler> handlers = new ConcurrentHashMap<>();
  private final AtomicInteger serving = new AtomicInteger();
  private final RequestBytes bytes;

  CallService(World world, RpcConfig config) {
    this.world = world;
    this.config = config;
    this.bytes = new RequestBytes(config.servedBytesMax().bytes());
  }

  void serve(String call, Network.Handler handler) {
    if (handlers.putIfAbsent(call, handler) != null) {
      throw new IllegalStateException("the call is served already [call=" + call + "]");
    }
  }

  @Override
  public HttpResponse serve(ServiceRequestContext context, HttpRequest request) {
    String call = context.path().substring(Wire.PATH.length());
    Network.Handler handler = handlers.get(call);
    if (handler == null) {
      request.abort();
      return HttpResponse.of(404);
    }
    boolean isFirst = call.startsWith("cluster/");
    if (!isFirst && serving.get() >= config.servedMax()) {
      request.abort();
      return refused(tooMany());
    }
    RequestBytes.Reservation reservation;
    try {
      reservation = bytes.begin();
    } catch (Refusal e) {
      request.abort();
      return refused(e);
    }
    serving.incrementAndGet();
    CompletableFuture<HttpResponse> answer = new CompletableFuture<>();
    boolean isCompressed = Wire.ZSTD.equals(request.headers().get(Wire.ENCODING));
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
                            "call " + call,
                            () -> answer.complete(run(call, handler, body, isCompressed)));
              }

              @Override
              public void refused(Refusal refusal) {
                answer.complete(CallService.refused(refusal));
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

  private HttpResponse run(
      String call, Network.Handler handler, RequestBody body, boolean isCompressed) {
    try {
      byte[] request =
          body.offset() == 0 && body.length() == body.bytes().length
              ? body.bytes()
              : Arrays.copyOfRange(body.bytes(), body.offset(), body.offset() + body.length());
      byte[] answer =
          handler.answer(isCompressed ? Wire.decompressed(request, config.bodyMax()) : request);
      return Wire.isWorthCompressing(answer, config)
          ? response(200, Wire.compressed(answer), true)
          : response(200, answer, false);
    } catch (Refusal e) {
      return refused(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return refused(new Refusal(ErrorType.NODE_CLOSED, "the node is stopping"));
    } catch (Log.EvictedException e) {
      LOG.debug("a call of another node came too late: this node was evicted [call={}]", call, e);
      return response(Wire.FAILED, e.toString().getBytes(StandardCharsets.UTF_8), false);
    } catch (IOException e) {
      // It says what happened, and whoever asked hears it.
      LOG.warn("a call of another node failed [call={}, why={}]", call, e.toString());
      LOG.debug("a call of another node failed [call={}]", call, e);
      return response(Wire.FAILED, e.toString().getBytes(StandardCharsets.UTF_8), false);
    } catch (Exception | Error e) {
      LOG.warn("a call of another node failed [call={}]", call, e);
      return response(Wire.FAILED, e.toString().getBytes(StandardCharsets.UTF_8), false);
    }
  }

  private static HttpResponse refused(Refusal refusal) {
    return response(Wire.REFUSED, RefusalJson.bytes(refusal), false);
  }

  private static HttpResponse response(int status, byte[] body, boolean isCompressed) {
    ResponseHeadersBuilder headers = ResponseHeaders.builder(status).contentLength(body.length);
    if (isCompressed) {
      headers.add(Wire.ENCODING, Wire.ZSTD);
    }
    return HttpResponse.of(headers.build(), HttpData.wrap(body));
  }
}
