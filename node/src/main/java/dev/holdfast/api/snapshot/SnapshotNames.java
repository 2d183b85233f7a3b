package dev.holdfast.api.snapshot;

import dev.holdfast.api.indices.resolve.DateMathNames;
import dev.holdfast.indexing.repository.ObjectName;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.util.Locale;

/// What a snapshot may be called.
public final class SnapshotNames {
  private static final String FORBIDDEN = "\\/*?\"<>| ,#";

  /// Of the name as it stands in a key.
  private static final int LENGTH_MAX = 230;

  private SnapshotNames() {}

  /// @throws Refusal `invalid_snapshot_name_exception`
  static void require(String repository, String name) {
    String why = fault(name);
    if (!why.isEmpty()) {
      throw refusal(ErrorType.INVALID_SNAPSHOT_NAME, repository, name, why);
    }
  }

  /// The name that a request means: `<nightly-{now/d}>` is one with a date in it.
  ///
  /// @throws Refusal `invalid_snapshot_name_exception`, `parse_exception`
  static String resolve(String repository, String given, long nowMillis) {
    String name = DateMathNames.resolve(given, nowMillis);
    require(repository, name);
    return name;
  }

  /// Why no snapshot may be called so; empty when one may.
  public static String fault(String name) {
    if (name.isBlank()) {
      return "cannot be empty";
    }
    for (int i = 0; i < FORBIDDEN.length(); i++) {
      if (name.indexOf(FORBIDDEN.charAt(i)) >= 0) {
        return "must not contain "
            + (FORBIDDEN.charAt(i) == ' ' ? "whitespace" : "'" + FORBIDDEN.charAt(i) + "'");
      }
    }
    if (name.startsWith("_")) {
      return "must not start with '_'";
    }
    if (!name.equals(name.toLowerCase(Locale.ROOT))) {
      return "must be lowercase";
    }
    return ObjectName.of(name).length() > LENGTH_MAX ? "is too long" : "";
  }

  static Refusal refusal(ErrorType type, String repository, String name, String why) {
    return new Refusal(
        type, "[" + repository + ":" + name + "] Invalid snapshot name [" + name + "], " + why);
  }

  static Refusal missing(String repository, String name) {
    return new Refusal(ErrorType.SNAPSHOT_MISSING, "[" + repository + ":" + name + "] is missing");
  }
}
