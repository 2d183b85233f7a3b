package dev.holdfast.query.request;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.document.MadeField;
import dev.holdfast.document.Mapping;
import dev.holdfast.document.mapping.LookupType;
import dev.holdfast.query.statistics.GatheredStatistics;
import dev.holdfast.query.suggest.SuggestRequest;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/// The parts of a search that few searches have.
///
/// @param collapse null for every hit on its own
/// @param rescores applied to the best hits, one after the other
/// @param suggest null for none
/// @param isProfiled whether the answer says where the time went
/// @param withNamedScores whether named queries show their scores
/// @param runtime fields of this search only; null for none
/// @param made fields that stand for scripts of the request
/// @param statistics that it scores by, or is asked for; null for those of each shard
public record SearchExtras(
    @Nullable Collapse collapse,
    List<Rescore> rescores,
    @Nullable SuggestRequest suggest,
    boolean isProfiled,
    boolean withNamedScores,
    @Nullable ObjectNode runtime,
    SortedMap<String, MadeField> made,
    @Nullable GatheredStatistics statistics) {
  public static final SearchExtras NONE =
      new SearchExtras(
          null, List.of(), null, false, false, null, Collections.emptySortedMap(), null);

  /// The mapping that this search sees of an index.
  public Mapping over(Mapping mapping) {
    Mapping all = runtime == null ? mapping : mapping.withRuntime(runtime);
    return made.isEmpty() ? all : all.withMade(made);
  }

  /// Whether `lookup` fields are among the fields of this search: what a node finds of one, a build
  /// that does not know them cannot read.
  public boolean hasLookups() {
    if (runtime != null) {
      for (JsonNode field : runtime) {
        if (field.path("type").asText().equals(LookupType.NAME)) {
          return true;
        }
      }
    }
    return false;
  }

  /// The same with the runtime fields and the statistics of another search.
  SearchExtras withRuntimeOf(SearchExtras other) {
    return new SearchExtras(
        collapse,
        rescores,
        suggest,
        isProfiled,
        withNamedScores,
        other.runtime,
        other.made,
        other.statistics);
  }

  /// Whether shards are to tell statistics before they search.
  public boolean gathersStatistics() {
    return statistics != null && statistics.isAsked();
  }

  SearchExtras withStatistics(GatheredStatistics all) {
    return new SearchExtras(
        collapse, rescores, suggest, isProfiled, withNamedScores, runtime, made, all);
  }
}
