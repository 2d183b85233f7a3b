package dev.holdfast.provision;

import java.io.IOException;
import java.time.Duration;

/// The cluster's API did not do what it was asked.
final class KubernetesFailure extends IOException {
  private static final long serialVersionUID = 1;

  private final int status;
  private final Duration pause;

  /// @param status of HTTP; 0 when there was no answer
  /// @param pause that the server asked for
  KubernetesFailure(String message, int status, Duration pause) {
    super(message);
    this.status = status;
    this.pause = pause;
  }

  KubernetesFailure(String message) {
    this(message, 0, Duration.ZERO);
  }

  /// Somebody else changed what was to be changed: a new look shows to what.
  boolean isConflict() {
    return status == 409;
  }

  Duration pause() {
    return pause;
  }
}
