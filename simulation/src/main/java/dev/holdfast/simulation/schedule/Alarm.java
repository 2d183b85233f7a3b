package dev.holdfast.simulation.schedule;

/// Told when a promise was found broken.
@FunctionalInterface
public interface Alarm {
  void violated(String what);
}
