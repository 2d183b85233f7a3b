package dev.holdfast.compoundcommit;

import java.io.IOException;

/// The data was written by a newer Holdfast than this one: upgrade, nothing is broken.
public final class NewerFormatException extends IOException {
  private static final long serialVersionUID = 1L;

  NewerFormatException(String what, int version, int versionMax) {
    super(
        "data of a newer format, upgrade this node ["
            + what
            + ", version="
            + version
            + ", newest known version="
            + versionMax
            + "]");
  }
}
