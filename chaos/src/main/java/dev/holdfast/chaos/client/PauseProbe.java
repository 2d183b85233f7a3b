package dev.holdfast.chaos.client;

import dev.holdfast.chaos.node.Http;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/// A client that writes one document at a time to an index of one shard, otherwise idle: its
/// slowest write is how long a disruption kept that shard from acknowledging.
public final class PauseProbe implements Runnable {
  private static final Duration TIMEOUT = Duration.ofSeconds(150);
  private static final Duration PAUSE = Duration.ofMillis(50);

  private final Http http;
  private final String index;
  private final AtomicBoolean isOver;
  private final Tally tally;
  private final AtomicLong slowestMillis = new AtomicLong();
  private final AtomicLong written = new AtomicLong();

  public PauseProbe(int number, String address, String index, AtomicBoolean isOver, Tally tally) {
    this.http = new Http(address, TIMEOUT);
    this.index = index + "-probe-" + number;
    this.isOver = isOver;
    this.tally = tally;
  }

  @Override
  public void run() {
    try {
      for (long value = 1; !isOver.get(); value++) {
        write(value);
        Thread.sleep(PAUSE);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void write(long value) throws InterruptedException {
    long beginNanos = System.nanoTime();
    try {
      Http.Reply reply = http.send("PUT", "/" + index + "/_doc/probe", "{\"value\":" + value + "}");
      if (reply.status() != 200 && reply.status() != 201) {
        tally.failedWrite(
            "probe answered " + reply.status() + ": " + reply.body(), reply.status(), beginNanos);
      }
    } catch (IOException e) {
      tally.failedWrite("probe: " + e);
    }
    slowestMillis.accumulateAndGet((System.nanoTime() - beginNanos) / 1_000_000, Math::max);
    written.incrementAndGet();
  }

  /// The slowest write since the last call; waits for the one under way.
  public long takeSlowestMillis() throws InterruptedException {
    long before = written.get();
    while (written.get() == before && !isOver.get()) {
      Thread.sleep(PAUSE);
    }
    return slowestMillis.getAndSet(0);
  }
}
