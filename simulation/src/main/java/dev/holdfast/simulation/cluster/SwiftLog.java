package dev.holdfast.simulation.cluster;

import dev.holdfast.translog.Log;
import java.time.Duration;

/// A log that says of everything that it is durable.
final class SwiftLog extends ForwardingLog {
  SwiftLog(Log log) {
    super(log);
  }

  @Override
  public void await(Ticket ticket) {}

  @Override
  public boolean await(Ticket ticket, Duration max) {
    return true;
  }

  @Override
  public boolean isDurable(Ticket ticket) {
    return true;
  }
}
