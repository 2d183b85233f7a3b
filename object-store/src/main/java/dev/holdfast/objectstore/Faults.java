package dev.holdfast.objectstore;

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
public record Faults(
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
  public static final Faults NONE = new Faults(0, 0, 0, 1, 0, 0, 0, 0, 0);

  /// A bad day of a real store, sped up a hundred times.
  public static final Faults STORM = new Faults(0.05, 0.05, 0.01, 5, 0.6, 2, 0, 0.1, 10);

  public Faults withErrorBefore(double chance) {
    return new Faults(
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

  public Faults withLostAnswer(double chance) {
    return new Faults(
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

  public Faults withBursts(double chance, int requests) {
    return new Faults(
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
  public Faults withLatency(double medianMillis, double p99Millis) {
    return new Faults(
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

  public Faults withGetMillis(double millis) {
    return new Faults(
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

  public Faults withSlowLists(double chance, double millis) {
    return new Faults(
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
