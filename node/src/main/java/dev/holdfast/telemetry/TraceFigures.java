package dev.holdfast.telemetry;

/// What became of spans since the process started.
///
/// @param begun spans that were begun
/// @param exported that a collector took
/// @param failed that it did not take
public record TraceFigures(long begun, long exported, long failed) {
  public static final TraceFigures NONE = new TraceFigures(0, 0, 0);
}
