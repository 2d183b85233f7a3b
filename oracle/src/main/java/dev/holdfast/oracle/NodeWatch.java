package dev.holdfast.oracle;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;

/// Looks whether a node still answers, so that a load ends with it: what is sent to a dead node
/// says nothing, and one that hangs would be waited for once a request.
final class NodeWatch implements AutoCloseable {
  private static final Duration PAUSE = Duration.ofSeconds(1);

  /// Looks in a row that were not answered, after which the node is dead.
  private static final int LOOKS_MAX = 5;

  private final URI url;
  private final Duration patience;
  private final Runnable onDeath;
  private final Thread thread;
  private volatile boolean isStopped;
  private volatile boolean isDead;

  /// @param patience how long one look waits
  /// @param onDeath told once
  NodeWatch(URI url, Duration patience, Runnable onDeath) {
    this.url = url;
    this.patience = patience;
    this.onDeath = onDeath;
    this.thread = Thread.ofPlatform().daemon().unstarted(this::watch);
  }

  void start() {
    thread.start();
  }

  /// Whether it has been found dead.
  boolean isDead() {
    return isDead;
  }

  private void watch() {
    int missed = 0;
    while (!isStopped && !isDead) {
      missed = answers() ? 0 : missed + 1;
      if (missed == LOOKS_MAX && !isStopped) {
        isDead = true;
        onDeath.run();
      }
      if (!isStopped && !isDead && !pause()) {
        return;
      }
    }
  }

  /// Whether it answers any of several looks.
  boolean lives() {
    for (int tries = 0; tries < LOOKS_MAX; tries++) {
      if (answers()) {
        return true;
      }
      if (!pause()) {
        return false;
      }
    }
    return false;
  }

  private boolean answers() {
    try (Server fresh = new Server(url, patience)) {
      return fresh.send("GET", "/", "").status() == 200;
    } catch (IOException | NumberFormatException e) {
      return false;
    }
  }

  /// @return whether the thread may go on
  private static boolean pause() {
    try {
      Thread.sleep(PAUSE);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  @Override
  public void close() {
    isStopped = true;
    thread.interrupt();
  }
}
