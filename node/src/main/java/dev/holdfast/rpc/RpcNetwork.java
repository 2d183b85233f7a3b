package dev.holdfast.rpc;

import com.linecorp.armeria.client.ClientFactory;
import com.linecorp.armeria.client.RequestOptions;
import com.linecorp.armeria.client.ResponseTimeoutException;
import com.linecorp.armeria.client.UnprocessedRequestException;
import com.linecorp.armeria.client.WebClient;
import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.RequestHeadersBuilder;
import com.linecorp.armeria.server.HttpService;
import dev.holdfast.http.server.CallCounters;
import dev.holdfast.world.Network;
import dev.holdfast.world.World;
import dev.holdfast.world.tls.NobodyTrusted;
import dev.holdfast.world.trace.Cause;
import dev.holdfast.world.trace.Tracer;
import io.netty.channel.ConnectTimeoutException;
import java.io.IOException;
import java.net.ConnectException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.SortedSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
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
  private final String caller;
  private final AtomicLong calls = new AtomicLong();
  private final CallCounters counters = new CallCounters();
  private volatile @Nullable CallSecret secret;
  private final Map<String, Peer> peers = new ConcurrentHashMap<>();

  /// One whose calls no trace shows.
  public RpcNetwork(World world, RpcConfig config) {
    this(world, config, Tracer.OFF);
  }

  /// @param tracer records calls that are answered for requests that are traced
  public RpcNetwork(World world, RpcConfig config, Tracer tracer) {
    this.world = world;
    this.config = config;
    this.service = new CallService(world, config, counters, tracer);
    this.caller = world.ids().uuid();
    // TLS between nodes: `tls(...)` of a key pair here, whom to trust, the scheme `h2` in `peer`,
    // and
    // the build no longer takes the contexts for it out of the library (`NoSpareParts`).
    this.clients =
        ClientFactory.builder()
            .useHttp2Preface(true)
            .tlsCustomizer(tls -> tls.trustManager(new NobodyTrusted()))
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

  /// Where the secret of the cluster lies.
  @FunctionalInterface
  public interface SecretSource {
    byte[] read() throws IOException;

    /// Puts another in its place; the secret that lies there then.
    default byte[] change() throws IOException {
      return read();
    }
  }

  /// Reads the secret of the cluster: from now on calls can be made and are answered.
  public void protect(SecretSource source) throws IOException {
    CallSecret read = new CallSecret(world.clock(), source);
    secret = read;
    service.protect(read);
  }

  @Override
  public void changeSecret() throws IOException {
    CallSecret known = secret;
    if (known != null) {
      known.change();
    }
  }

  /// What went to other nodes and came from them.
  public CallCounters counters() {
    return counters;
  }

  /// The names of the calls that are answered.
  public SortedSet<String> calls() {
    return service.calls();
  }

  /// Every call that this node will ever answer is served: others are refused as unsupported
  /// ([dev.holdfast.compoundcommit.call.Call#isUnsupported]), not as ones that may come.
  public void complete() {
    service.complete();
  }

  private record Peer(WebClient client, Semaphore calls) {}

  private Peer peer(String address) {
    return peers.computeIfAbsent(
        address,
        a -> {
          counters.connected();
          return new Peer(
              WebClient.builder("h2c://" + a)
                  .factory(clients)
                  .maxResponseLength(config.bodyMax().bytes())
                  .writeTimeoutMillis(0)
                  .build(),
              new Semaphore(config.callsPerPeerMax()));
        });
  }

  @Override
  public void serve(String call, Handler handler) {
    service.serve(call, handler);
  }

  @Override
  public byte[] call(String address, String call, byte[] request, Duration deadline)
      throws IOException, InterruptedException {
    return Cause.<byte[], IOException, InterruptedException>call(
        "call " + call,
        () -> {
          Cause.note("server.address", address);
          return called(address, call, request, deadline);
        });
  }

  private byte[] called(String address, String call, byte[] request, Duration deadline)
      throws IOException, InterruptedException {
    Peer peer = peer(address);
    if (call.startsWith(FIRST)) {
      return exchange(address, peer, call, request, deadline);
    }
    long start = world.clock().nanoTime();
    if (!world.sleeper().acquire(peer.calls(), deadline)) {
      throw new UnreachableException(
          "too many calls are under way [address=" + address + "]", false, new IOException("busy"));
    }
    try {
      Duration left = deadline.minusNanos(world.clock().nanoTime() - start);
      return exchange(address, peer, call, request, left);
    } finally {
      peer.calls().release();
    }
  }

  /// A call with the proofs that it carries.
  ///
  /// @param mac of its head
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Sent(
      Signature signature, byte[] mac, CompletableFuture<AggregatedHttpResponse> answer) {
    boolean isAnswer(AggregatedHttpResponse response, byte[] body, boolean isCompressed) {
      return Signature.isEqual(
          signature.ofAnswer(mac, response.status().code(), isCompressed, body),
          response.headers().get(RpcWire.BODY_PROOF));
    }
  }

  private byte[] exchange(String address, Peer peer, String call, byte[] request, Duration deadline)
      throws IOException, InterruptedException {
    CallSecret known = secret;
    if (known == null) {
      throw new IllegalStateException("the secret of the cluster is not known yet");
    }
    boolean isCompressed = RpcWire.isWorthCompressing(request, config);
    byte[] body = isCompressed ? RpcWire.compressed(request) : request;
    long start = world.clock().nanoTime();
    Duration left = deadline;
    while (true) {
      Sent sent = send(peer, call, body, isCompressed, known, left);
      AggregatedHttpResponse response = await(address, sent, left);
      if (response.status().code() != HttpStatus.UNAUTHORIZED.code()) {
        return answer(address, sent, response);
      }
      if (!known.isChanged(sent.signature().secret())) {
        throw new UnreachableException(
            "the node does not take calls with this secret of the cluster [address="
                + address
                + "]",
            false,
            new IOException(response.contentUtf8()));
      }
      left = deadline.minusNanos(world.clock().nanoTime() - start);
    }
  }

  private Sent send(
      Peer peer,
      String call,
      byte[] body,
      boolean isCompressed,
      CallSecret known,
      Duration deadline) {
    Signature signature = new Signature(known.known());
    Signature.Head head = new Signature.Head(call, caller, calls.incrementAndGet(), isCompressed);
    byte[] mac = signature.of(head);
    RequestHeadersBuilder headers = RequestHeaders.builder(HttpMethod.POST, RpcWire.PATH + call);
    headers.add(RpcWire.FROM, head.from());
    headers.add(RpcWire.HEAD_PROOF, Signature.text(mac));
    headers.add(RpcWire.BODY_PROOF, Signature.text(signature.ofBody(mac, body)));
    if (isCompressed) {
      headers.add(RpcWire.ENCODING, RpcWire.ZSTD);
    }
    Cause.current().tell(headers::add);
    RequestOptions options =
        RequestOptions.builder().responseTimeoutMillis(Math.max(1, deadline.toMillis())).build();
    HttpRequest request = HttpRequest.of(headers.build(), HttpData.wrap(body));
    counters.sent(body.length);
    return new Sent(signature, mac, peer.client().execute(request, options).aggregate());
  }

  private AggregatedHttpResponse await(String address, Sent sent, Duration deadline)
      throws IOException, InterruptedException {
    try {
      return world.sleeper().get(sent.answer(), deadline.plus(GRACE));
    } catch (ExecutionException e) {
      throw failure(address, e.getCause());
    } catch (TimeoutException e) {
      throw new UnreachableException("no answer [address=" + address + "]", true, e);
    } finally {
      sent.answer().cancel(true);
    }
  }

  private byte[] answer(String address, Sent sent, AggregatedHttpResponse response)
      throws IOException {
    byte[] body = response.content().array();
    counters.received(body.length);
    boolean isCompressed = RpcWire.ZSTD.equals(response.headers().get(RpcWire.ENCODING));
    if (response.status().code() == HttpStatus.NOT_FOUND.code()) {
      throw new UnreachableException(
          "the node does not answer such calls yet [address=" + address + "]",
          false,
          new IOException(response.contentUtf8()));
    }
    if (!sent.isAnswer(response, body, isCompressed)) {
      throw new UnreachableException(
          "the node cannot answer [address=" + address + ", status=" + response.status() + "]",
          true,
          new IOException(response.contentUtf8()));
    }
    if (isCompressed) {
      body = RpcWire.decompressed(body, config.bodyMax(), _ -> {});
    }
    return switch (response.status().code()) {
      case 200 -> body;
      case RpcWire.REFUSED -> throw RefusalJson.read(body);
      default -> throw new IOException(new String(body, StandardCharsets.UTF_8));
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
