package dev.holdfast.objectstore.faulty;

/// What a [Faulty] store does wrong, and how often. Chances are in `[0, 1]`, for each request.
///
/// @param errorBefore fails without having done anything
/// @param lostAnswer does the write, then fails as if the answer had got lost
/// @param burst begins a burst: this and the next `burstRequests - 1` requests fail as "503 slow
///   down"
/// @param burstRequests length of a burst
/// @param latencyMedianMillis half of the requests take longer than this; 0 for no delay
/// @param latencyP99Millis one in a hundred takes longer than this
/// @param getMillis added to every get
/// @param slowList a list takes `slowListMillis` more
public record StoreFaults(
    double errorBefore,
    double lostAnswer,
    double burst,
    int burstRequests,
    double latencyMedianMillis,
    double latencyP99Millis,
    double getMillis,
    double slowList,
    double slowListMillis) {
  /// Nothing wrong at all.
  public static final StoreFaults NONE = new StoreFaults(0, 0, 0, 1, 0, 0, 0, 0, 0);

  /// A bad day of a real store, sped up a hundred times.
  public static final StoreFaults STORM = new StoreFaults(0.05, 0.05, 0.01, 5, 0.6, 2, 0, 0.1, 10);

  public StoreFaults withErrorBefore(double chance) {
    return new StoreFaults(
        chance,
        lostAnswer,
        burst,
        burstRequests,
        latencyMedianMillis,
        latencyP99Millis,
        getMillis,
        slowList,
        slowListMillis);
  }

  public StoreFaults withLostAnswer(double chance) {
    return new StoreFaults(
        errorBefore,
        chance,
        burst,
        burstRequests,
        latencyMedianMillis,
        latencyP99Millis,
        getMillis,
        slowList,
        slowListMillis);
  }

  public StoreFaults withBursts(double chance, int requests) {
    return new StoreFaults(
        errorBefore,
        lostAnswer,
        chance,
        requests,
        latencyMedianMillis,
        latencyP99Millis,
        getMillis,
        slowList,
        slowListMillis);
  }

  /// Log-normal between the two.
  public StoreFaults withLatency(double medianMillis, double p99Millis) {
    return new StoreFaults(
        errorBefore,
        lostAnswer,
        burst,
        burstRequests,
        medianMillis,
        p99Millis,
        getMillis,
        slowList,
        slowListMillis);
  }

  public StoreFaults withGetMillis(double millis) {
    return new StoreFaults(
        errorBefore,
        lostAnswer,
        burst,
        burstRequests,
        latencyMedianMillis,
        latencyP99Millis,
        millis,
        slowList,
        slowListMillis);
  }

  public StoreFaults withSlowLists(double chance, double millis) {
    return new StoreFaults(
        errorBefore,
        lostAnswer,
        burst,
        burstRequests,
        latencyMedianMillis,
        latencyP99Millis,
        getMillis,
        chance,
        millis);
  }
}
