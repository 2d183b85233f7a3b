package dev.holdfast.indexing.repository;

import dev.holdfast.clusterstate.repository.Repository;
import dev.holdfast.world.ByteSize;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.Suggestions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Every kind of repository, a line each, and the settings that all of them have.
public final class RepositoryTypes {
  /// How many snapshots a repository takes at most.
  static final String SNAPSHOTS_MAX = "max_number_of_snapshots";

  private static final String READ_ONLY = "readonly";
  private static final String RATE =
      "the store copies, or as fast as both stores are: nothing is slowed down";

  /// Settings of all kinds that are taken and not needed.
  private static final Map<String, String> IDLE =
      Map.of(
          "compress",
          "what a snapshot says of itself is compressed always",
          "chunk_size",
          "objects are as large as they were written",
          "max_snapshot_bytes_per_sec",
          RATE,
          "max_restore_bytes_per_sec",
          RATE);

  private static final SortedMap<String, RepositoryType> ALL = all();

  private RepositoryTypes() {}

  private static SortedMap<String, RepositoryType> all() {
    SortedMap<String, RepositoryType> all = new TreeMap<>();
    List<RepositoryType> types =
        List.of(
            new FolderRepository(),
            new UrlRepository(),
            new BucketRepository("s3", "s3", "bucket"),
            new BucketRepository("gcs", "gs", "bucket"),
            new BucketRepository("azure", "az", "container"));
    types.forEach(type -> all.put(type.name(), type));
    return all;
  }

  /// Where a repository lies.
  ///
  /// @throws Refusal `repository_exception` when there is no such type, or its settings are not
  ///   understood or name no place
  public static RepositoryPlace place(Repository repository, RepositoryConfig config) {
    RepositoryType type = ALL.get(repository.type());
    if (type == null) {
      throw refused(
          repository.name(),
          Suggestions.didYouMean(
              "repository type [" + repository.type() + "] does not exist",
              repository.type(),
              ALL.keySet()),
          null);
    }
    try {
      checkSettings(repository, type);
      RepositoryPlace place = type.place(repository, config);
      if (config.isOwnOnly() && !place.isOwn()) {
        throw Refusal.badArgument(
            "the snapshots of a project lie in its own part of the store: use type [fs] with a"
                + " relative [location]");
      }
      return place;
    } catch (Refusal e) {
      throw refused(repository.name(), "failed to create repository", e);
    }
  }

  private static void checkSettings(Repository repository, RepositoryType type) {
    SortedSet<String> known = new TreeSet<>(type.settings());
    known.addAll(type.idle().keySet());
    known.addAll(IDLE.keySet());
    known.add(READ_ONLY);
    known.add(SNAPSHOTS_MAX);
    repository
        .settings()
        .forEach((name, value) -> {
          if (!known.contains(name)) {
            throw refused(
                repository.name(),
                Suggestions.didYouMean(
                    "unknown setting [" + name + "] of repository type [" + type.name() + "]",
                    name,
                    known),
                null);
          }
          checkValue(name, value);
        });
  }

  private static void checkValue(String name, String value) {
    switch (name) {
      case READ_ONLY, "compress" -> {
        if (!value.equals("true") && !value.equals("false")) {
          throw Refusal.badArgument(
              "Failed to parse value ["
                  + value
                  + "] as only [true] or [false] are allowed for setting ["
                  + name
                  + "]");
        }
      }
      case SNAPSHOTS_MAX -> {
        if (!value.matches("[1-9][0-9]{0,8}")) {
          throw Refusal.badArgument(
              "Failed to parse value [" + value + "] for setting [" + name + "] must be >= 1");
        }
      }
      case "chunk_size", "max_snapshot_bytes_per_sec", "max_restore_bytes_per_sec" -> {
        try {
          ByteSize _ = ByteSize.parse(name, value);
        } catch (IllegalArgumentException e) {
          throw Refusal.badArgument(
              "failed to parse setting [" + name + "] with value [" + value + "] as a size");
        }
      }
      default -> {}
    }
  }

  /// What is set and has no effect, each with the reason, for a `Warning`.
  public static List<String> warnings(Repository repository) {
    RepositoryType type = ALL.get(repository.type());
    List<String> warnings = new ArrayList<>();
    for (String name : repository.settings().keySet()) {
      String why = type == null ? null : IDLE.getOrDefault(name, type.idle().get(name));
      if (why != null) {
        warnings.add("setting [" + name + "] has no effect: " + why);
      }
    }
    return warnings;
  }

  static Refusal refused(String repository, String why, @Nullable Throwable cause) {
    return new Refusal(ErrorType.REPOSITORY, "[" + repository + "] " + why, cause);
  }
}
