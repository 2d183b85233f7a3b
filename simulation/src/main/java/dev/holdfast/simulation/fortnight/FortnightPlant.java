package dev.holdfast.simulation.fortnight;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/// A fault that is planted into a fortnight, and must be found.
public enum FortnightPlant {
  NONE,
  /// An index is deleted before its time.
  DELETES_WHAT_IS_YOUNG,
  /// Nothing is deleted.
  KEEPS_WHAT_IS_OLD;

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
