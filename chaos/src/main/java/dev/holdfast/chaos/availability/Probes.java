package dev.holdfast.chaos.availability;

import dev.holdfast.chaos.node.ClusterNodes;
import dev.holdfast.chaos.node.Http;
import dev.holdfast.chaos.node.NodeProcess;
import java.io.IOException;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

/// Probes of every kind, to an index of one shard for each indexing node, through the proxy and
/// through each other node.
final class Probes implements AutoCloseable {
  /// A request that was sent during an event is waited for so long.
  private static final Duration ANSWERED_MAX = Duration.ofSeconds(100);

  private static final Duration POLL = Duration.ofMillis(20);

  private final AtomicBoolean isOver = new AtomicBoolean();
  private final List<ProbeStream> streams = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();
  private final NodeProcess proxy;

  /// @param every between two requests of a stream through the proxy
  /// @param everyAtNodes between two requests of a stream through another node
  Probes(ClusterNodes nodes, List<String> indices, Duration every, Duration everyAtNodes) {
    this.proxy = nodes.proxy();
    HttpClient client = Http.client();
    List<NodeProcess> ways = new ArrayList<>(nodes.all());
    ways.add(proxy);
    for (NodeProcess way : ways) {
      for (String index : indices) {
        for (ProbeKind kind : ProbeKind.values()) {
          Duration pace = way == proxy ? every : everyAtNodes;
          streams.add(new ProbeStream(client, kind, way, index, pace, isOver));
        }
      }
    }
    for (ProbeStream stream : streams) {
      threads.add(Thread.ofVirtual().name(stream.toString()).start(stream));
    }
  }

  /// What probes of one kind saw of an event.
  ///
  /// @param proxyGapMillis longest time without a success through the proxy, to one index
  /// @param nodeGapMillis the same through any other node
  record Seen(
      long proxyGapMillis,
      long nodeGapMillis,
      long slowestMillis,
      int failed,
      List<String> reasons) {
    long gapMillis() {
      return Math.max(proxyGapMillis, nodeGapMillis);
    }
  }

  /// Nothing is asked through that node until [#goOn]: it is to be down.
  void pause(NodeProcess node) {
    streams.stream().filter(s -> s.through() == node).forEach(ProbeStream::pause);
  }

  void goOn(NodeProcess node) {
    streams.stream().filter(s -> s.through() == node).forEach(ProbeStream::goOn);
  }

  /// What is done to the cluster while it is waited for.
  interface Care {
    void take() throws IOException, InterruptedException;
  }

  /// Waits until each stream has had a success lately, for a while without a break.
  void awaitGood(Duration lately, Duration steady, Duration max, Care care)
      throws IOException, InterruptedException {
    long endNanos = System.nanoTime() + max.toNanos();
    long goodNanos = System.nanoTime();
    while (System.nanoTime() - goodNanos < steady.toNanos()) {
      Thread.sleep(POLL);
      care.take();
      for (ProbeStream stream : streams) {
        if (stream.sinceGood().compareTo(lately) > 0) {
          goodNanos = System.nanoTime();
          if (goodNanos > endNanos) {
            throw new IOException("no success for " + stream.sinceGood() + " of " + stream);
          }
        }
      }
    }
  }

  /// Forgets what was seen so far.
  void begin() {
    streams.forEach(ProbeStream::take);
  }

  /// What was seen since [#begin], when the requests of that time have been answered.
  Map<ProbeKind, Seen> end() throws InterruptedException {
    Map<ProbeStream, ProbeWindow> taken = new LinkedHashMap<>();
    streams.forEach(stream -> taken.put(stream, stream.take()));
    long endNanos = System.nanoTime() + ANSWERED_MAX.toNanos();
    while (System.nanoTime() < endNanos && !taken.values().stream().allMatch(ProbeWindow::isOver)) {
      Thread.sleep(POLL);
    }
    Map<ProbeKind, Seen> seen = new LinkedHashMap<>();
    for (ProbeKind kind : ProbeKind.values()) {
      seen.put(kind, seen(kind, taken));
    }
    return seen;
  }

  private Seen seen(ProbeKind kind, Map<ProbeStream, ProbeWindow> taken) {
    long atProxy = 0;
    long atNodes = 0;
    long slowest = 0;
    int failed = 0;
    List<String> reasons = new ArrayList<>();
    for (Map.Entry<ProbeStream, ProbeWindow> entry : taken.entrySet()) {
      ProbeStream stream = entry.getKey();
      ProbeWindow window = entry.getValue();
      if (stream.kind() != kind) {
        continue;
      }
      if (stream.through() == proxy) {
        atProxy = Math.max(atProxy, window.gapMillis());
      } else {
        atNodes = Math.max(atNodes, window.gapMillis());
      }
      slowest = Math.max(slowest, window.slowestMillis());
      failed += window.failures();
      window.reasons().forEach(why -> reasons.add(stream + ": " + why));
    }
    return new Seen(atProxy, atNodes, slowest, failed, reasons);
  }

  @Override
  public void close() {
    isOver.set(true);
    try {
      for (Thread thread : threads) {
        thread.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
