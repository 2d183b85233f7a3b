package dev.holdfast.objectstore.budget;

/// What a node spends, and whether it would spend more.
///
/// @param prompt dollars a second of requests that nobody holds up
/// @param deferred the same of those that can wait
/// @param isHeld whether any of those waits for money
public record Demand(double prompt, double deferred, boolean isHeld) {
  public Demand {
    prompt = sound(prompt);
    deferred = sound(deferred);
  }

  /// Other nodes say it: what is no amount is none.
  private static double sound(double dollars) {
    return Double.isFinite(dollars) && dollars > 0 ? dollars : 0;
  }
}
