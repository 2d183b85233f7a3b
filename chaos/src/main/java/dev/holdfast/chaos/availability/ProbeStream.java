package dev.holdfast.chaos.availability;

import dev.holdfast.chaos.node.Http;
import dev.holdfast.chaos.node.NodeProcess;
import java.io.IOException;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// Requests of one kind to one index through one node, one every so often, however long earlier
/// ones take: what a population of clients sees.
final class ProbeStream implements Runnable {
  /// Requests that may be unanswered at a time; beyond them none is sent.
  private static final int UNDER_WAY_MAX = 1_000;

  private static final int IDS = 10;

  private final ProbeKind kind;
  private final NodeProcess through;
  private final String index;
  private final Http http;
  private final Duration every;
  private final AtomicBoolean isOver;
  private final Semaphore permits = new Semaphore(UNDER_WAY_MAX);

  // Guarded by this.
  private ProbeWindow window = new ProbeWindow();
  private long lastGoodNanos = System.nanoTime();
  private boolean isPaused;

  ProbeStream(
      HttpClient client,
      ProbeKind kind,
      NodeProcess through,
      String index,
      Duration every,
      AtomicBoolean isOver) {
    this.kind = kind;
    this.through = through;
    this.index = index;
    this.http = new Http(client, through.place().address(), Duration.ofSeconds(90));
    this.every = every;
    this.isOver = isOver;
  }

  ProbeKind kind() {
    return kind;
  }

  NodeProcess through() {
    return through;
  }

  @Override
  public void run() {
    try {
      for (long number = 1; !isOver.get(); number++) {
        long value = number;
        ProbeWindow now = next();
        if (now != null && permits.tryAcquire()) {
          now.sent();
          Thread.ofVirtual().start(() -> ask(value, now));
        }
        Thread.sleep(every);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized @Nullable ProbeWindow next() {
    return isPaused ? null : window;
  }

  private void ask(long value, ProbeWindow began) {
    long beginNanos = System.nanoTime();
    try {
      Http.Reply reply =
          http.send(kind.method(), kind.path(index, "probe-" + value % IDS), kind.body(value));
      if (kind.isGood(reply)) {
        good();
      } else {
        began.failed(reply.status() + " " + reply.body());
      }
    } catch (IOException e) {
      began.failed(e.toString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      began.took(System.nanoTime() - beginNanos);
      began.ended();
      permits.release();
    }
  }

  private synchronized void good() {
    long now = System.nanoTime();
    if (!isPaused) {
      window.gap(now - lastGoodNanos);
    }
    lastGoodNanos = now;
  }

  /// Asks nothing until it goes on: its node is to be down.
  synchronized void pause() {
    isPaused = true;
  }

  synchronized void goOn() {
    isPaused = false;
    lastGoodNanos = System.nanoTime();
  }

  /// How long there has been no success; none while it is paused.
  synchronized Duration sinceGood() {
    return isPaused ? Duration.ZERO : Duration.ofNanos(System.nanoTime() - lastGoodNanos);
  }

  /// Begins anew, and returns what was seen since the last time.
  synchronized ProbeWindow take() {
    ProbeWindow taken = window;
    window = new ProbeWindow();
    return taken;
  }

  @Override
  public String toString() {
    return kind + " of " + index + " through " + through;
  }
}
