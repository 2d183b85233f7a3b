package dev.holdfast.api.snapshot;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.indices.settings.IndexSettings;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.text.BoundedText;
import dev.holdfast.world.text.RegularExpressions;
import dev.holdfast.world.text.Wildcards;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.PatternSyntaxException;

/// What a restore is asked for.
///
/// @param indices names and patterns of indices and data streams; none: all
/// @param renaming what of a name is replaced by `replacement`; empty for nothing
/// @param settings of the restored indices, flat, in place of those in the snapshot
/// @param ignored names and patterns of settings that are left out
record RestoreRequest(
    List<String> indices,
    boolean ignoresUnavailable,
    boolean hasGlobalState,
    boolean hasAliases,
    boolean isPartial,
    String renaming,
    String replacement,
    String aliasRenaming,
    String aliasReplacement,
    SortedMap<String, Object> settings,
    List<String> ignored,
    List<String> features) {
  private static final List<String> MEMBERS =
      List.of(
          "indices",
          "ignore_unavailable",
          "include_global_state",
          "include_aliases",
          "partial",
          "rename_pattern",
          "rename_replacement",
          "rename_alias_pattern",
          "rename_alias_replacement",
          "index_settings",
          "ignore_index_settings",
          "feature_states",
          "quiet");

  /// What names of indices behind data streams begin with.
  private static final List<String> BACKING_PREFIXES = List.of(".ds-", ".fs-");

  /// @throws Refusal for what is not understood
  static RestoreRequest read(ObjectNode body) {
    SnapshotBodies.requireKnown(body, MEMBERS);
    ObjectNode given = body.path("index_settings") instanceof ObjectNode object ? object : null;
    if (body.has("index_settings") && given == null) {
      throw Refusal.badArgument("malformed index_settings section");
    }
    SortedMap<String, Object> settings =
        given == null ? new TreeMap<>() : IndexSettings.read(given);
    IndexSettings.check(settings);
    IndexSettings.requireNoPrivate(settings);
    boolean _ = SnapshotBodies.flag(body, "quiet", false);
    return new RestoreRequest(
        SnapshotBodies.names(body, "indices"),
        SnapshotBodies.flag(body, "ignore_unavailable", false),
        SnapshotBodies.flag(body, "include_global_state", false),
        SnapshotBodies.flag(body, "include_aliases", true),
        SnapshotBodies.flag(body, "partial", false),
        pattern(body, "rename_pattern", "rename_replacement"),
        SnapshotBodies.text(body, "rename_replacement"),
        pattern(body, "rename_alias_pattern", "rename_alias_replacement"),
        SnapshotBodies.text(body, "rename_alias_replacement"),
        settings,
        SnapshotBodies.names(body, "ignore_index_settings"),
        SnapshotBodies.names(body, "feature_states"));
  }

  /// The same, with settings more.
  RestoreRequest with(SortedMap<String, Object> more) {
    SortedMap<String, Object> all = new TreeMap<>(settings);
    all.putAll(more);
    return new RestoreRequest(
        indices,
        ignoresUnavailable,
        hasGlobalState,
        hasAliases,
        isPartial,
        renaming,
        replacement,
        aliasRenaming,
        aliasReplacement,
        all,
        ignored,
        features);
  }

  /// What does not say by what it is replaced would take parts of names away, and for Elasticsearch
  /// does nothing.
  private static String pattern(ObjectNode body, String member, String replacement) {
    String text = SnapshotBodies.text(body, member);
    if (!text.isEmpty() && !body.has(replacement)) {
      throw Refusal.badArgument("[" + member + "] has no effect without [" + replacement + "]");
    }
    try {
      var _ = RegularExpressions.compile(text, 0);
      return text;
    } catch (PatternSyntaxException e) {
      throw new Refusal(
          ErrorType.PATTERN_SYNTAX,
          e.getDescription() + " near index " + e.getIndex() + "\n" + text);
    }
  }

  /// The name that an index or a data stream gets.
  String renamed(String name) {
    return renamed(name, renaming, replacement);
  }

  /// The name that an index behind a restored data stream gets: what says that it is one stays.
  String renamedBacking(String name) {
    for (String prefix : BACKING_PREFIXES) {
      if (name.startsWith(prefix)) {
        return prefix + renamed(name.substring(prefix.length()));
      }
    }
    return renamed(name);
  }

  /// The name that an alias gets.
  String renamedAlias(String alias) {
    return renamed(alias, aliasRenaming, aliasReplacement);
  }

  private static String renamed(String name, String pattern, String replacement) {
    if (pattern.isEmpty()) {
      return name;
    }
    try {
      return new BoundedText(name)
          .replaced(RegularExpressions.compile(pattern, 0), replacement, true);
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      throw Refusal.badArgument("[" + replacement + "] is no replacement: " + e.getMessage());
    }
  }

  /// Whether a setting of the snapshot is left out, as far as an index can do without it.
  boolean isIgnored(String setting) {
    return ignored.stream().anyMatch(one -> Wildcards.matches(whole(one), setting));
  }

  /// Whether a setting is to be left out by its name, not by a pattern that it happens to match.
  boolean names(String setting) {
    return ignored.stream().anyMatch(one -> whole(one).equals(setting));
  }

  private static String whole(String name) {
    return name.startsWith("index.") ? name : "index." + name;
  }
}
