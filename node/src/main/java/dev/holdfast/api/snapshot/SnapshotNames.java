package dev.holdfast.api.snapshot;

import dev.holdfast.api.indices.resolve.DateMathNames;
import dev.holdfast.indexing.repository.ObjectName;
import dev.holdfast.indexing.repository.SnapshotRepository;
import dev.holdfast.indexing.repository.SnapshotRepository.Found;
import dev.holdfast.indexing.snapshot.SnapshotManifest;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What a snapshot may be called.
public final class SnapshotNames {
  private static final Logger LOG = LoggerFactory.getLogger(SnapshotNames.class);
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

  /// That a name is taken, and by what.
  static Refusal inUse(SnapshotRepository repository, String name) {
    String how = "already exists";
    try {
      Found found = repository.find(name).orElse(null);
      SnapshotManifest there = found == null ? null : found.manifest();
      if (there != null && !there.state().isFinished()) {
        how = "is already in-progress";
      } else if (there == null && found != null) {
        how = "already exists, and cannot be read: delete it first";
      }
    } catch (IOException e) {
      LOG.debug("a snapshot of the same name cannot be read", e);
    }
    return refusal(
        ErrorType.SNAPSHOT_NAME_IN_USE,
        repository.name(),
        name,
        "snapshot with the same name " + how);
  }
}
