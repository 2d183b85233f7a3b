package dev.holdfast.query.aggregation.column;

import dev.holdfast.world.Reservation;

/// Memory that an aggregation takes for one segment at a time: what the next segment needs takes
/// the place of what the last one did.
public final class SegmentMemory {
  private final Reservation memory;
  private long asked;

  /// @param memory of the request
  public SegmentMemory(Reservation memory) {
    this.memory = memory;
  }

  /// Asks for what a segment needs beyond the largest one before.
  ///
  /// @param bytes in all, of this segment
  public void need(long bytes) {
    if (bytes > asked) {
      memory.add(bytes - asked);
      asked = bytes;
    }
  }
}
