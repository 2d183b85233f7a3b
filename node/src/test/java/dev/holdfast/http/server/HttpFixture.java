package dev.holdfast.http.server;

import dev.holdfast.http.Routes;
import dev.holdfast.http.spool.Spool;
import dev.holdfast.world.ByteSize;
import dev.holdfast.world.World;
import dev.holdfast.world.real.RealWorld;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// A server on a free port with routes of a test's own, and a client of it.
final class HttpFixture implements AutoCloseable {
  final World world = RealWorld.create();
  final RequestBytes requestBytes;
  final HttpCounters counters = new HttpCounters();
  final HttpClient client = HttpClient.newHttpClient();
  private final HttpServer server;

  HttpFixture(Routes routes, ByteSize contentLengthMax, long inFlightMax) throws Exception {
    this(routes, new HttpLimits(contentLengthMax, 100), inFlightMax);
  }

  HttpFixture(Routes routes, HttpLimits limits, long inFlightMax) throws Exception {
    this(routes, limits, inFlightMax, null);
  }

  /// @param spool where large bodies go; null for nowhere
  HttpFixture(Routes routes, HttpLimits limits, long inFlightMax, @Nullable Spool spool)
      throws Exception {
    requestBytes = new RequestBytes(inFlightMax);
    server =
        HttpServer.start(
            "127.0.0.1",
            0,
            limits,
            (context, request) -> com.linecorp.armeria.common.HttpResponse.of(404),
            requestBytes,
            counters,
            world);
    server.open(routes, _ -> null, spool);
  }

  static HttpFixture of(Routes routes) throws Exception {
    return new HttpFixture(routes, ByteSize.mib(1), 64 << 20);
  }

  /// Connections open now.
  int connections() {
    return server.connections();
  }

  int seen() {
    return server.seen();
  }

  /// Bytes of requests and answers that have not gone.
  long unanswered() {
    return server.unanswered();
  }

  int port() {
    return server.port();
  }

  HttpRequest.Builder request(String target) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + target))
        .version(HttpClient.Version.HTTP_1_1);
  }

  HttpResponse<String> get(String target) throws Exception {
    return send(request(target).GET());
  }

  HttpResponse<String> call(String method, String target, String contentType, String body)
      throws Exception {
    return send(
        request(target)
            .header("Content-Type", contentType)
            .method(method, BodyPublishers.ofString(body)));
  }

  HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
    return client.send(request.build(), BodyHandlers.ofString(StandardCharsets.UTF_8));
  }

  HttpResponse<byte[]> bytes(HttpRequest.Builder request) throws Exception {
    return client.send(request.build(), BodyHandlers.ofByteArray());
  }

  @Override
  public void close() throws Exception {
    server.close();
    client.close();
    world.tasks().close();
  }
}
