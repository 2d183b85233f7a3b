package dev.holdfast.simulation;

/// Told when a promise was found broken.
@FunctionalInterface
interface Alarm {
  void violated(String what);
}
