package dev.holdfast.node;

import dev.holdfast.http.Routes;
import dev.holdfast.settings.NodeSettings;
import dev.holdfast.settings.SettingsReader;
import dev.holdfast.world.World;
import dev.holdfast.world.real.RealWorld;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;

/// A whole node over a folder, on a free port, and a client of it, for a test that starts and stops
/// its node itself; [RunningNode] is one for a whole test class.
public final class NodeFixture implements NodeClient, AutoCloseable {
  private final Node node;
  private final HttpClient client = HttpClient.newHttpClient();

  public NodeFixture(Path folder) throws Exception {
    NodeSettings settings = NodeSettings.defaults(folder);
    node = Node.start(settings.at(0, settings.store()), RealWorld.create(), why -> {});
  }

  /// One in a world of the test's own: with a clock that it sets, whatever the disk says of its
  /// files.
  public NodeFixture(Path folder, World world) throws Exception {
    this(folder, Map.of("gc.clock_difference", "36500d"), world);
  }

  /// A node with settings of its own, on a free port.
  ///
  /// @param given by their names
  public NodeFixture(Path folder, Map<String, String> given) throws Exception {
    this(folder, given, RealWorld.create());
  }

  /// A node with settings of its own in a world of the test's own.
  public NodeFixture(Path folder, Map<String, String> given, World world) throws Exception {
    Map<String, String> all = new TreeMap<>(given);
    all.put("port", "0");
    all.put("data", folder.toString());
    NodeSettings settings = SettingsReader.read(all, Map.of(), null, folder);
    node = Node.start(settings, world, why -> {});
  }

  /// One of several nodes over a store.
  ///
  /// @param grace how long the store keeps blobs that nothing needs
  NodeFixture(Path folder, String store, Duration grace) throws Exception {
    NodeSettings settings = NodeSettings.defaults(folder).at(0, store).withGrace(grace);
    node = Node.start(settings, RealWorld.create(), why -> {});
  }

  SortedSet<String> calls() {
    return node.calls();
  }

  public Routes routes() {
    return node.routes();
  }

  @Override
  public int port() {
    return node.identity().port();
  }

  @Override
  public HttpResponse<String> call(String method, String target, String body) throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://" + node.identity().address() + target))
            .version(HttpClient.Version.HTTP_1_1)
            .method(method, BodyPublishers.ofString(body));
    if (!body.isEmpty()) {
      boolean isLines = target.contains("_bulk");
      request.header("Content-Type", isLines ? "application/x-ndjson" : "application/json");
    }
    return client.send(request.build(), BodyHandlers.ofString());
  }

  @Override
  public void close() {
    client.close();
    node.close();
  }
}
