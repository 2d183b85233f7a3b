package dev.holdfast.node;

import dev.holdfast.identity.Version;
import dev.holdfast.settings.NodeSettings;
import dev.holdfast.world.ByteSize;
import dev.holdfast.world.FromTheWorld;
import dev.holdfast.world.real.RealWorld;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.lang.management.RuntimeMXBean;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// Runs a node in this process: says when it is ready, stops it when the process is told to stop.
final class NodeLauncher {
  private static final Duration STOP_MAX = Duration.ofSeconds(10);

  /// As of a process that SIGTERM ends.
  private static final int EXIT_TERMINATED = 128 + 15;

  private NodeLauncher() {}

  /// Returns when the node was stopped from within; a signal ends the process.
  ///
  /// @throws StartFailure in one line
  @FromTheWorld
  static void run(NodeSettings settings, PrintWriter out) throws Exception {
    CountDownLatch stopped = new CountDownLatch(1);
    AtomicReference<@Nullable String> evicted = new AtomicReference<>();
    Node node =
        Node.start(
            settings,
            RealWorld.create(),
            why -> {
              evicted.set(why);
              stopped.countDown();
            });
    Thread stop = new Thread(() -> stop(settings, node, evicted), "stop");
    Runtime.getRuntime().addShutdownHook(stop);
    out.println(ready(settings, node));
    out.flush();
    stopped.await();
    throw new StartFailure(
        "this node is no longer a member of its cluster and has stopped: " + evicted.get(),
        new IllegalStateException());
  }

  /// A node that cannot stop in time is left: nothing acknowledged is lost by that.
  ///
  /// @param evicted why it is no member any more, null while nobody says so
  @FromTheWorld
  private static void stop(
      NodeSettings settings, Node node, AtomicReference<@Nullable String> evicted) {
    Thread limit =
        new Thread(
            () -> {
              try {
                Thread.sleep(STOP_MAX.plus(settings.networking().cluster().drainMax()));
                Runtime.getRuntime().halt(lateStatus(evicted.get()));
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            },
            "stop-limit");
    limit.setDaemon(true);
    limit.start();
    try {
      node.drain();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      node.close();
    }
  }

  /// The exit status of a process whose stop does not end: one that nobody has told to stop must be
  /// started again, and is no less evicted for taking long.
  static int lateStatus(@Nullable String evicted) {
    return evicted == null ? EXIT_TERMINATED : 1;
  }

  /// What is printed when a node is ready.
  @FromTheWorld
  static String ready(NodeSettings settings, Node node) {
    RuntimeMXBean process = ManagementFactory.getRuntimeMXBean();
    String heap =
        process.getInputArguments().stream()
            .filter(argument -> argument.startsWith("-Xmx"))
            .map(argument -> argument.substring("-Xmx".length()) + "b")
            .map(size -> ByteSize.parse("heap", size).toString())
            .findFirst()
            .orElseGet(() -> new ByteSize(Runtime.getRuntime().maxMemory()).toString());
    return String.format(
        Locale.ROOT,
        "holdfast %s ready on http://%s (store %s, heap %s) in %.1f s",
        Version.CURRENT.holdfast(),
        node.identity().address(),
        settings.store(),
        heap,
        (System.currentTimeMillis() - process.getStartTime()) / 1000.0);
  }
}
