package dev.holdfast.http.server;

import java.util.concurrent.atomic.LongAdder;

/// What a node has sent to others and received from them since its start: calls and answers, their
/// bodies in bytes as they travelled.
public final class CallCounters {
  private final LongAdder received = new LongAdder();
  private final LongAdder receivedBytes = new LongAdder();
  private final LongAdder sent = new LongAdder();
  private final LongAdder sentBytes = new LongAdder();
  private final LongAdder peers = new LongAdder();

  /// Another node is called for the first time.
  public void connected() {
    peers.increment();
  }

  /// Nodes that were ever called.
  public long peers() {
    return peers.sum();
  }

  public void received(long bytes) {
    received.increment();
    receivedBytes.add(bytes);
  }

  public void sent(long bytes) {
    sent.increment();
    sentBytes.add(bytes);
  }

  public long received() {
    return received.sum();
  }

  public long receivedBytes() {
    return receivedBytes.sum();
  }

  public long sent() {
    return sent.sum();
  }

  public long sentBytes() {
    return sentBytes.sum();
  }
}
