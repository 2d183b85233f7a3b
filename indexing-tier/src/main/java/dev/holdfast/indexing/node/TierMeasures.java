package dev.holdfast.indexing.node;

import dev.holdfast.world.metric.Histogram;

/// What is measured of an indexing tier, all shards together.
///
/// @param uploadBytes sizes of uploaded batches
/// @param uploadSeconds how long their uploads took, retries included
/// @param replaySeconds how long shards took to open, replay of the log included
/// @param lagSeconds from a commit being durable to a search copy serving it, each copy alone
/// @param inFlight operations that are being written
public record TierMeasures(
    Histogram uploadBytes,
    Histogram uploadSeconds,
    Histogram replaySeconds,
    Histogram lagSeconds,
    InFlightBytes inFlight) {
  static TierMeasures begin(InFlightBytes inFlight) {
    return new TierMeasures(
        Histogram.ofBytes(),
        Histogram.ofSeconds(),
        Histogram.ofSeconds(),
        Histogram.ofSeconds(),
        inFlight);
  }
}
