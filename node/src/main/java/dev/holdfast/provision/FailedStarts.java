package dev.holdfast.provision;

/// Starts of nodes of a tier that failed, one after the other.
final class FailedStarts {
  /// Steps without a start after one that failed; doubled with each that fails again.
  private static final int PAUSE_STEPS = 2;

  private static final int PAUSE_DOUBLINGS = 5;

  private int many;
  private int skipped;
  private String why = "";

  void add(String reason) {
    many = Math.min(many + 1, PAUSE_DOUBLINGS);
    skipped = 0;
    why = reason;
  }

  /// None was tried, for want of room.
  void noRoom(String reason) {
    why = reason;
  }

  void none() {
    many = 0;
    why = "";
  }

  boolean isAny() {
    return many > 0;
  }

  /// Of the last, until the tier is as it should be; empty for none.
  String why() {
    return why;
  }

  /// Whether the pause after the last failure is over; counted in steps.
  boolean mayTry() {
    if (many == 0) {
      why = ""; // none failed: there was no room, and now there is
      return true;
    }
    skipped++;
    return skipped >= (PAUSE_STEPS << many);
  }
}
