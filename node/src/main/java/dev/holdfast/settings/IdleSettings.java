package dev.holdfast.settings;

import dev.holdfast.clusterstate.Role;
import dev.holdfast.objectstore.BucketPrefix;
import dev.holdfast.world.ByteSize;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Settings that mean nothing beside others. Those that nobody can have wanted are refused; those
/// that another node of the same file reads, or a repository of snapshots, are told of in the log.
record IdleSettings(SettingsParser given) {
  /// Settings of a kind of store, by the scheme of its URLs.
  private static final Map<String, String> KINDS =
      Map.of("store.s3.", "s3", "store.gcs.", "gs", "store.azure.", "az");

  private static final String CONNECTION = "store.azure.connection_string";
  private static final String CORS = "http.cors.enabled";
  private static final String SCRUB_RATE = "scrub.rate";

  /// @throws SettingsException in one line
  void refuse() {
    if (!given.flag(CORS)) {
      for (String name :
          List.of(
              "http.cors.allow-methods",
              "http.cors.allow-headers",
              "http.cors.expose-headers",
              "http.cors.max-age",
              "http.cors.allow-credentials")) {
        refuse(name, "without [" + CORS + ": true]");
      }
    }
    String regex = given.value(ScriptSettings.REGEX, "limited", text -> text);
    if (!regex.equals("limited")) {
      refuse(ScriptSettings.FACTOR, "with [" + ScriptSettings.REGEX + ": " + regex + "]");
    }
    if (given.value(SCRUB_RATE, "1mb", text -> ByteSize.parse(SCRUB_RATE, text)).bytes() == 0) {
      refuse("scrub.every", "with [" + SCRUB_RATE + ": 0]");
    }
    String file = CONNECTION + "_file";
    if (given.isGiven(file) && !given.value(file, "", text -> text).isEmpty()) {
      refuse(CONNECTION, "beside [" + file + "]");
    }
  }

  private void refuse(String name, String besides) {
    if (given.isGiven(name)) {
      throw new SettingsException("setting [" + name + "] has no effect " + besides);
    }
  }

  /// What is not refused, a line each.
  List<String> told(String store, Set<Role> roles) {
    List<String> told = new ArrayList<>();
    for (Setting setting : Setting.ALL) {
      String name = setting.name();
      String why = given.isGiven(name) ? why(name, BucketPrefix.scheme(store), roles) : null;
      if (why != null) {
        told.add("setting [" + name + "] " + why);
      }
    }
    return told;
  }

  private static @Nullable String why(String name, String scheme, Set<Role> roles) {
    for (Map.Entry<String, String> kind : KINDS.entrySet()) {
      if (name.startsWith(kind.getKey()) && !kind.getValue().equals(scheme)) {
        return "is not for the store, which is of kind ["
            + scheme
            + ":]: only repositories of snapshots read it";
      }
    }
    return switch (name) {
      case CacheSettings.FIELD_DATA -> "has no effect: field data take no heap";
      case CacheSettings.QUERIES, CacheSettings.QUERIES_MAX, CacheSettings.REQUESTS ->
          roles.contains(Role.SEARCH) ? null : "has no effect without the role [search]";
      case Setting.CACHE_SIZE ->
          roles.contains(Role.SEARCH) || roles.contains(Role.INDEX)
              ? null
              : "has no effect without one of the roles [index] and [search]";
      default -> null;
    };
  }
}
