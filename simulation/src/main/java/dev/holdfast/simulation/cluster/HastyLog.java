package dev.holdfast.simulation.cluster;

import dev.holdfast.simulation.schedule.Scheduler;
import dev.holdfast.translog.Log;
import java.io.IOException;
import java.time.Duration;

/// A log that lets refreshes, or answers, go on before what they show is durable.
final class HastyLog extends ForwardingLog {
  private final Scheduler scheduler;
  private final boolean tells;

  HastyLog(Log log, Scheduler scheduler, boolean tells) {
    super(log);
    this.scheduler = scheduler;
    this.tells = tells;
  }

  @Override
  public void await(Ticket ticket) throws IOException, InterruptedException {
    if (tells || !scheduler.running().name().equals("refresh")) {
      log.await(ticket);
    }
  }

  @Override
  public boolean await(Ticket ticket, Duration max) throws IOException, InterruptedException {
    return tells || log.await(ticket, max);
  }

  @Override
  public boolean isDurable(Ticket ticket) {
    return tells || log.isDurable(ticket);
  }
}
