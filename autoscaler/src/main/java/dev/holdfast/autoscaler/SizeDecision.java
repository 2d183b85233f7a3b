package dev.holdfast.autoscaler;

import java.util.List;

/// How large a tier should be, and why.
///
/// @param size wanted now
/// @param change against what was asked before
/// @param signals what each figure asks for
/// @param words the reasons in the order in which they counted, for people
/// @param history to give to the next decision
public record SizeDecision(
    TierSize size,
    Change change,
    List<ScalingSignal> signals,
    List<String> words,
    SizeHistory history) {
  public SizeDecision {
    signals = List.copyOf(signals);
    words = List.copyOf(words);
  }

  /// A direction.
  public enum Change {
    UP,
    NONE,
    DOWN
  }
}
