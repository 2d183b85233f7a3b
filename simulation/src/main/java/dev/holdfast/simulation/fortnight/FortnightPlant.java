package dev.holdfast.simulation.fortnight;

import dev.holdfast.simulation.cluster.Plant;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/// A known fault that is planted into a fortnight, and must be found.
public enum FortnightPlant {
  NONE,
  /// An index is deleted before its time.
  DELETES_WHAT_IS_YOUNG,
  /// Nothing is deleted.
  KEEPS_WHAT_IS_OLD,
  /// With nodes: what is acknowledged is not durable yet, and goes with its owner.
  ACKNOWLEDGES_AT_ONCE,
  /// With nodes: an index is deleted when it is as old as its documents may become.
  COUNTS_FROM_CREATION,
  /// With nodes: a document is left out when an index becomes coarser.
  MISSES_WHEN_DOWNSAMPLED;

  /// Whether it is one of fortnights with nodes and documents.
  boolean hasNodes() {
    return this == ACKNOWLEDGES_AT_ONCE
        || this == COUNTS_FROM_CREATION
        || this == MISSES_WHEN_DOWNSAMPLED;
  }

  /// What of it is a fault of nodes.
  Plant ofNodes() {
    return this == ACKNOWLEDGES_AT_ONCE ? Plant.ACKNOWLEDGES_AT_ONCE : Plant.NONE;
  }

  /// As the command line has it: `keeps-what-is-old`.
  public String option() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /// @throws IllegalArgumentException for a name of none
  public static FortnightPlant named(String option) {
    return Arrays.stream(values())
        .filter(one -> one.option().equals(option))
        .findFirst()
        .orElseThrow(() ->
            new IllegalArgumentException(
                "unknown plant ["
                    + option
                    + "] of a fortnight: "
                    + Arrays.stream(values())
                        .map(FortnightPlant::option)
                        .collect(Collectors.joining(", "))));
  }
}
