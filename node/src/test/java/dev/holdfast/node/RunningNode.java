package dev.holdfast.node;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/// A node that JUnit starts and stops: registered in a static field with the test class, in another
/// one with each test. Its folder is its own and goes with it.
///
/// Nodes over one store need `@Order`, so that the one with the store starts first and stops last.
public final class RunningNode
    implements NodeClient,
        BeforeAllCallback,
        BeforeEachCallback,
        AfterEachCallback,
        AfterAllCallback {
  private final Start start;
  private @Nullable Path folder;
  private @Nullable NodeFixture node;
  private boolean isOfClass;

  private RunningNode(Start start) {
    this.start = start;
  }

  private interface Start {
    NodeFixture in(Path folder) throws Exception;
  }

  /// A node that keeps its store among its data.
  public static RunningNode alone() {
    return new RunningNode(NodeFixture::new);
  }

  /// A node with a store that others can share.
  ///
  /// @param grace how long the store keeps blobs that nothing needs
  public static RunningNode withStore(Duration grace) {
    return new RunningNode(
        folder -> new NodeFixture(folder.resolve("data"), storeIn(folder), grace));
  }

  /// Another node over the store of this one, which was made by [#withStore].
  public RunningNode beside(Duration grace) {
    return new RunningNode(folder -> new NodeFixture(folder, storeIn(folder()), grace));
  }

  private static String storeIn(Path folder) {
    return "file:" + folder.resolve("store");
  }

  Path folder() {
    return Objects.requireNonNull(folder, "not started");
  }

  @Override
  public int port() {
    return running().port();
  }

  @Override
  public HttpResponse<String> call(String method, String target, String body) throws Exception {
    return running().call(method, target, body);
  }

  /// Stops the node and starts one over the same folder.
  public void restart() throws Exception {
    running().close();
    node = start.in(folder());
  }

  private NodeFixture running() {
    return Objects.requireNonNull(node, "not started");
  }

  @Override
  public void beforeAll(ExtensionContext context) throws Exception {
    isOfClass = true;
    start();
  }

  @Override
  public void beforeEach(ExtensionContext context) throws Exception {
    if (!isOfClass) {
      start();
    }
  }

  @Override
  public void afterEach(ExtensionContext context) throws Exception {
    if (!isOfClass) {
      stop();
    }
  }

  @Override
  public void afterAll(ExtensionContext context) throws Exception {
    stop();
  }

  private void start() throws Exception {
    folder = Files.createTempDirectory("holdfast-test-");
    node = start.in(folder);
  }

  private void stop() throws IOException {
    if (node != null) {
      node.close();
    }
    List<Path> leavesFirst;
    try (Stream<Path> all = Files.walk(folder())) {
      leavesFirst = all.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path path : leavesFirst) {
      Files.delete(path);
    }
  }
}
