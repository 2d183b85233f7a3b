package dev.holdfast.http.server;

import java.util.concurrent.atomic.LongAdder;

/// What the HTTP edge counts since start.
public final class HttpCounters {
  private final LongAdder requests = new LongAdder();
  private final LongAdder finished = new LongAdder();
  private final LongAdder requestBytes = new LongAdder();
  private final LongAdder answerBytes = new LongAdder();
  private final LongAdder clientErrors = new LongAdder();
  private final LongAdder serverErrors = new LongAdder();
  private final LongAdder nanos = new LongAdder();

  void began() {
    requests.increment();
  }

  void ended(int status, long bytesIn, long bytesOut, long tookNanos) {
    finished.increment();
    requestBytes.add(bytesIn);
    answerBytes.add(bytesOut);
    nanos.add(tookNanos);
    if (status >= 500) {
      serverErrors.increment();
    } else if (status >= 400) {
      clientErrors.increment();
    }
  }

  public long requests() {
    return requests.sum();
  }

  /// Requests being collected or handled now.
  public long current() {
    return Math.max(0, requests.sum() - finished.sum());
  }

  public long requestBytes() {
    return requestBytes.sum();
  }

  public long answerBytes() {
    return answerBytes.sum();
  }

  /// Answers with a status of 4xx.
  public long clientErrors() {
    return clientErrors.sum();
  }

  /// Answers with a status of 5xx.
  public long serverErrors() {
    return serverErrors.sum();
  }

  /// Time from the first byte of a request to its answer, all together.
  public long millis() {
    return nanos.sum() / 1_000_000;
  }
}
