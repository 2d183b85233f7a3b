package dev.holdfast.world;

import java.io.IOException;

/// Data written by a newer Holdfast than this one: it must not be touched.
public final class NewerFormatException extends IOException {
  private static final long serialVersionUID = 1L;

  public NewerFormatException(String name, int written, int known) {
    super(
        "data of a newer format: start a newer holdfast [object="
            + name
            + ", format="
            + written
            + ", newest format known here="
            + known
            + "]");
  }
}
