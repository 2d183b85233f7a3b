package dev.holdfast.indexing.write;

import dev.holdfast.indexing.version.Row;
import dev.holdfast.translog.Log;
import dev.holdfast.world.ByteSize;
import dev.holdfast.world.trace.Cause;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What one request has given to the log, and waits for.
///
/// Updates of a few bytes make documents of any length. How much of the log is in memory only
/// because no store has it yet is bounded by what requests say of themselves, if each waits for the
/// store before it gives much more than that.
final class LoggedWrites {
  /// Of what a node writes at once, what one request may give to the log between two waits.
  private static final int GIVEN_SHARE = 4;

  private final Log log;
  private final long givenMax;
  private Log.@Nullable Ticket last;
  private long givenBytes;

  /// @param inFlightMax what a node writes at once
  LoggedWrites(Log log, ByteSize inFlightMax) {
    this.log = log;
    this.givenMax = inFlightMax.bytes() / GIVEN_SHARE;
  }

  boolean isEmpty() {
    return last == null;
  }

  /// An earlier attempt at the request gave it to the log, where it may not be durable yet.
  void addEarlier() {
    last = log.barrier();
  }

  /// @param ticket null when nothing was applied
  void add(Log.@Nullable Ticket ticket, List<Row> applied) {
    if (ticket != null) {
      last = ticket;
    }
    for (Row row : applied) {
      givenBytes += row.source == null ? 0 : row.source.length();
    }
  }

  /// Returns when more may be given.
  void awaitRoom() throws IOException, InterruptedException {
    if (givenBytes > givenMax) {
      awaitDurable();
      givenBytes = 0;
    }
  }

  /// Returns when all of it is durable.
  void awaitDurable() throws IOException, InterruptedException {
    Log.Ticket ticket = last;
    if (ticket != null) {
      Cause.<Log.Ticket, IOException, InterruptedException>span(
          "wait for the log",
          () -> {
            Cause.note("holdfast.log.ordinal", ticket.ordinal());
            log.await(ticket);
            return ticket;
          });
    }
  }
}
