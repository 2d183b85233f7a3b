package dev.holdfast.compoundcommit;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// A blob is not what was written: a checksum or a length does not fit.
public final class CorruptBlobException extends IOException {
  private static final long serialVersionUID = 1L;

  CorruptBlobException(String blob, String what) {
    this(blob, what, null);
  }

  CorruptBlobException(String blob, String what, @Nullable Throwable cause) {
    super("corrupt blob [" + blob + "]: " + what, cause);
  }
}
