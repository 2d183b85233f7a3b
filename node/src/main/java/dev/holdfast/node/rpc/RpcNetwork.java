package dev.holdfast.node.rpc;

import com.linecorp.armeria.client.ClientFactory;
import com.linecorp.armeria.client.RequestOptions;
import com.linecorp.armeria.client.ResponseTimeoutException;
import com.linecorp.armeria.client.UnprocessedRequestException;
import com.linecorp.armeria.client.WebClient;
import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.RequestHeadersBuilder;
import com.linecorp.armeria.server.HttpService;
import dev.holdfast.world.Network;
import dev.holdfast.world.World;
import io.netty.channel.ConnectTimeoutException;
import java.io.IOException;
import java.net.ConnectException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// The network of a real process: HTTP/2 without TLS between nodes, few connections that are kept,
/// a bound on the calls to each peer.
public final class RpcNetwork implements Network, AutoCloseable {
  /// Calls that keep the cluster together wait behind no others.
  private static final String FIRST = "cluster/";

  private static final int WINDOW_BYTES = 16 << 20;
  private static final Duration IDLE_MAX = Duration.ofMinutes(5);

  /// After the deadline of a call, for the library to say so.
  private static final Duration GRACE = Duration.ofSeconds(1);

  private final World world;
  private final RpcConfig config;
  private final ClientFactory clients;
  private final CallService service;
  private final Map<String, Peer> peers = new ConcurrentHashMap<>();

  public RpcNetwork(World world, RpcConfig config) {
    this.world = world;
    this.config = config;
    this.service = new CallService(world, config);
    // TLS between nodes: `tls(...)` of a key pair here, and the scheme `h2` in `peer`.
    this.clients =
        ClientFactory.builder()
            .useHttp2Preface(true)
            .connectTimeout(config.connectMax())
            .idleTimeout(IDLE_MAX)
            .http2InitialConnectionWindowSize(WINDOW_BYTES)
            .http2InitialStreamWindowSize(WINDOW_BYTES)
            .build();
  }

  /// What answers calls under `/_internal/`.
  public HttpService service() {
    return service;
  }

  private record Peer(WebClient client, Semaphore calls) {}

  private Peer peer(String address) {
    return peers.computeIfAbsent(
        address,
        a ->
            new Peer(
                WebClient.builder("h2c://" + a)
                    .factory(clients)
                    .maxResponseLength(config.bodyMax().bytes())
                    .writeTimeoutMillis(0)
                    .build(),
                new Semaphore(config.callsPerPeerMax())));
  }

  @Override
  public void serve(String call, Handler handler) {
    service.serve(call, handler);
  }

  @Override
  public byte[] call(String address, String call, byte[] request, Duration deadline)
      throws IOException, InterruptedException {
    Peer peer = peer(address);
    if (call.startsWith(FIRST)) {
      return answer(address, send(peer, call, request, deadline), deadline);
    }
    long start = world.clock().nanoTime();
    if (!peer.calls().tryAcquire(deadline.toNanos(), TimeUnit.NANOSECONDS)) {
      throw new UnreachableException(
          "too many calls are under way [address=" + address + "]", false, new IOException("busy"));
    }
    try {
      Duration left = deadline.minusNanos(world.clock().nanoTime() - start);
      return answer(address, send(peer, call, request, left), left);
    } finally {
      peer.calls().release();
    }
  }

  private CompletableFuture<AggregatedHttpResponse> send(
      Peer peer, String call, byte[] request, Duration deadline) {
    boolean isCompressed = Wire.isWorthCompressing(request, config);
    RequestHeadersBuilder headers = RequestHeaders.builder(HttpMethod.POST, Wire.PATH + call);
    if (isCompressed) {
      headers.add(Wire.ENCODING, Wire.ZSTD);
    }
    RequestOptions options =
        RequestOptions.builder().responseTimeoutMillis(Math.max(1, deadline.toMillis())).build();
    HttpData body = HttpData.wrap(isCompressed ? Wire.compressed(request) : request);
    return peer.client().execute(HttpRequest.of(headers.build(), body), options).aggregate();
  }

  private byte[] answer(
      String address, CompletableFuture<AggregatedHttpResponse> sent, Duration deadline)
      throws IOException, InterruptedException {
    AggregatedHttpResponse response;
    try {
      response = world.sleeper().get(sent, deadline.plus(GRACE));
    } catch (ExecutionException e) {
      throw failure(address, e.getCause());
    } catch (TimeoutException e) {
      throw new UnreachableException("no answer [address=" + address + "]", true, e);
    } finally {
      sent.cancel(true);
    }
    byte[] body = response.content().array();
    if (Wire.ZSTD.equals(response.headers().get(Wire.ENCODING))) {
      body = Wire.decompressed(body, config.bodyMax());
    }
    return switch (response.status().code()) {
      case 200 -> body;
      case Wire.REFUSED -> throw RefusalJson.read(body);
      case Wire.FAILED -> throw new IOException(new String(body, StandardCharsets.UTF_8));
      case 404 ->
          throw new UnreachableException(
              "the node does not answer such calls yet [address=" + address + "]",
              false,
              new IOException(response.contentUtf8()));
      default ->
          throw new UnreachableException(
              "the node cannot answer [address=" + address + ", status=" + response.status() + "]",
              true,
              new IOException(response.contentUtf8()));
    };
  }

  private static UnreachableException failure(String address, @Nullable Throwable failure) {
    if (failure instanceof UnprocessedRequestException unprocessed) {
      Throwable cause = unprocessed.getCause();
      return cause instanceof ConnectException && !(cause instanceof ConnectTimeoutException)
          ? new UnreachableException("connection refused [address=" + address + "]", false, cause)
          : new UnreachableException(
              "cannot connect [address=" + address + "]",
              false,
              new IOException(String.valueOf(cause), cause));
    }
    String reason = failure instanceof ResponseTimeoutException ? "no answer" : "call broken off";
    return new UnreachableException(
        reason + " [address=" + address + "]",
        true,
        failure == null ? new IOException(reason) : failure);
  }

  @Override
  public void close() {
    var _ = clients.closeAsync();
  }
}
