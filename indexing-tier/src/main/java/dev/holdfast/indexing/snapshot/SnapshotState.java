package dev.holdfast.indexing.snapshot;

/// How far a snapshot is. In each state it pins what it names.
public enum SnapshotState {
  /// Being made: it names what it will have, and nobody may rely on it yet.
  STARTED("IN_PROGRESS"),
  /// It has every shard.
  SUCCESS("SUCCESS"),
  /// It has some.
  PARTIAL("PARTIAL"),
  /// It has not all that was asked for, and who asked wanted all or nothing.
  FAILED("FAILED"),
  /// Somebody is deleting it, or has given it up: it never comes back.
  DELETING("DELETING");

  private final String shown;

  SnapshotState(String shown) {
    this.shown = shown;
  }

  /// As clients see it.
  public String shown() {
    return shown;
  }

  /// Whether it can be restored, shown and deleted.
  public boolean isFinished() {
    return this == SUCCESS || this == PARTIAL || this == FAILED;
  }
}
