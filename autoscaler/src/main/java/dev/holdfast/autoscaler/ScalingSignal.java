package dev.holdfast.autoscaler;

import java.util.List;
import java.util.Locale;

/// What one figure asks for, by itself.
///
/// @param name of the figure
/// @param enough the smallest size that is enough, the largest allowed when none is
/// @param isBeyond whether even that is too small
/// @param why with places for the values, put together only when somebody reads it
public record ScalingSignal(
    String name, TierSize enough, boolean isBeyond, String why, List<Double> values) {
  public ScalingSignal {
    values = List.copyOf(values);
  }

  /// Why, for people.
  public String words() {
    return String.format(Locale.ROOT, why, values.toArray());
  }
}
