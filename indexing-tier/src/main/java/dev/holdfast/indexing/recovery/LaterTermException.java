package dev.holdfast.indexing.recovery;

import java.io.IOException;

/// Another node has opened the shard since, or this one for a later owner: the state will say so
/// soon. No operator has anything to do.
public final class LaterTermException extends IOException {
  private static final long serialVersionUID = 1;

  LaterTermException(String message) {
    super(message);
  }
}
