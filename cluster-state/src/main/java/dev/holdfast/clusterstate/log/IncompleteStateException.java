package dev.holdfast.clusterstate.log;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// The store does not hold a whole cluster state although there is a cluster in it: nobody may
/// conclude from it which indices there are. Nothing was written by who found it.
public final class IncompleteStateException extends IOException {
  private static final long serialVersionUID = 1L;

  /// What a person can do.
  static final String CURE =
      "; nothing was changed. Stop all nodes of this cluster, then rebuild the state with:"
          + " ./holdfast store repair --store STORE (--dry-run shows what it would do)";

  private final String key;
  private final String what;

  /// @param key of the object that is missing or broken
  /// @param what is the matter with it
  public IncompleteStateException(String key, String what, @Nullable Throwable cause) {
    super("the cluster state is incomplete: [" + key + "] " + what + CURE, cause);
    this.key = key;
    this.what = what;
  }

  /// Of the object that is missing or broken.
  public String key() {
    return key;
  }

  /// What is the matter with it.
  public String what() {
    return what;
  }
}
