package dev.holdfast.api.indices.settings;

import dev.holdfast.document.analysis.Analysis;
import dev.holdfast.http.Answer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/// Tells clients which of the index settings that they gave have no effect here, and why.
public final class SettingWarnings {
  private static final List<String> IDLE_FAMILIES =
      List.of(
          "index.routing.allocation.include.",
          "index.routing.allocation.exclude.",
          "index.routing.allocation.require.",
          "index.routing.allocation.initial_recovery.");
  private static final String ANALYSIS = "index.analysis.";
  private static final String UNREAD = "nothing of that type of analysis reads them";
  private static final String NO_DISKS = "shards lie in the object store, not on disks of nodes";

  private SettingWarnings() {}

  /// The answer, with a `Warning` header for each reason.
  ///
  /// @param settings with their values, all those of an index or of a template
  public static Answer warn(Answer answer, SortedMap<String, Object> settings) {
    Answer warned = warn(answer, settings.keySet());
    boolean isAnalysed = !settings.tailMap(ANALYSIS).isEmpty();
    List<String> unread = isAnalysed ? Analysis.unread(settings) : List.of();
    return unread.isEmpty()
        ? warned
        : warned.warn("settings " + unread + " have no effect here: " + UNREAD);
  }

  /// The same by their names alone.
  public static Answer warn(Answer answer, Collection<String> settings) {
    SortedMap<String, List<String>> idle = new TreeMap<>();
    for (String name : new TreeSet<>(settings)) {
      String why = why(name);
      if (!why.isEmpty()) {
        idle.computeIfAbsent(why, _ -> new ArrayList<>()).add(name);
      }
    }
    Answer warned = answer;
    for (Map.Entry<String, List<String>> one : idle.entrySet()) {
      warned = warned.warn("settings " + one.getValue() + " have no effect here: " + one.getKey());
    }
    return warned;
  }

  private static String why(String name) {
    IndexSetting declared = IndexSettings.declared().get(name);
    if (declared != null) {
      return declared.idle();
    }
    return IDLE_FAMILIES.stream().anyMatch(name::startsWith) ? NO_DISKS : "";
  }
}
