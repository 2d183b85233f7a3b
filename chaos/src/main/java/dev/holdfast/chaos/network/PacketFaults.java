package dev.holdfast.chaos.network;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// What a network does to packets, by the direction they take. Hosts are the last bytes of their
/// addresses.
public final class PacketFaults {
  private final Map<Direction, Fault> faults = new ConcurrentHashMap<>();

  private record Direction(int from, int to) {}

  /// @param loss share of the packets that vanish, 0 to 1
  /// @param delay of those that arrive
  public record Fault(double loss, Duration delay) {
    static final Fault NONE = new Fault(0, Duration.ZERO);

    /// Nothing arrives.
    public static final Fault CUT = new Fault(1, Duration.ZERO);

    public Fault {
      if (!(loss >= 0 && loss <= 1) || delay.isNegative()) {
        throw new IllegalArgumentException("no fault [loss=" + loss + ", delay=" + delay + "]");
      }
    }
  }

  /// What happens to packets in one direction, instead of what did.
  public void oneWay(int from, int to, Fault fault) {
    faults.put(new Direction(from, to), fault);
  }

  public void bothWays(int one, int other, Fault fault) {
    oneWay(one, other, fault);
    oneWay(other, one, fault);
  }

  Fault at(int from, int to) {
    return faults.isEmpty() ? Fault.NONE : faults.getOrDefault(new Direction(from, to), Fault.NONE);
  }

  public void heal() {
    faults.clear();
  }
}
