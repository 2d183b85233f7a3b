package dev.holdfast.document.date;

import java.time.Instant;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;

/// The time between two changes of a zone's offset: `[start, end)` in milliseconds since 1970, and
/// the offset that holds there and the one that held before.
record ZoneSpan(long start, long end, long offsetMillis, long offsetBeforeMillis) {
  /// All of time in one offset.
  static ZoneSpan always(long offsetMillis) {
    return new ZoneSpan(Long.MIN_VALUE, Long.MAX_VALUE, offsetMillis, offsetMillis);
  }

  /// The span that holds an instant.
  static ZoneSpan of(ZoneRules rules, long millis) {
    Instant instant = Instant.ofEpochMilli(millis);
    ZoneOffsetTransition before = rules.previousTransition(instant.plusNanos(1));
    ZoneOffsetTransition after = rules.nextTransition(instant);
    long offset = rules.getOffset(instant).getTotalSeconds() * 1000L;
    return new ZoneSpan(
        before == null ? Long.MIN_VALUE : Saturated.times(before.toEpochSecond(), 1000),
        after == null ? Long.MAX_VALUE : Saturated.times(after.toEpochSecond(), 1000),
        offset,
        before == null ? offset : before.getOffsetBefore().getTotalSeconds() * 1000L);
  }

  boolean contains(long millis) {
    return millis >= start && millis < end;
  }

  /// Whether a local time was skipped by the change that begins this span.
  boolean isSkipped(long localMillis) {
    return localMillis >= start + offsetBeforeMillis && localMillis < start + offsetMillis;
  }
}
