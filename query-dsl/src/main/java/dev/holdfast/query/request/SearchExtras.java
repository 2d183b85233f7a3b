package dev.holdfast.query.request;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.document.Mapping;
import dev.holdfast.query.suggest.SuggestRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The parts of a search that few searches have.
///
/// @param collapse null for every hit on its own
/// @param rescores applied to the best hits, one after the other
/// @param suggest null for none
/// @param isProfiled whether the answer says where the time went
/// @param withNamedScores whether named queries show their scores
/// @param runtime fields of this search only; null for none
public record SearchExtras(
    @Nullable Collapse collapse,
    List<Rescore> rescores,
    @Nullable SuggestRequest suggest,
    boolean isProfiled,
    boolean withNamedScores,
    @Nullable ObjectNode runtime) {
  public static final SearchExtras NONE =
      new SearchExtras(null, List.of(), null, false, false, null);

  /// The mapping that this search sees of an index.
  public Mapping over(Mapping mapping) {
    return runtime == null ? mapping : mapping.withRuntime(runtime);
  }

  /// The same with the runtime fields of another search.
  SearchExtras withRuntimeOf(SearchExtras other) {
    return new SearchExtras(
        collapse, rescores, suggest, isProfiled, withNamedScores, other.runtime);
  }
}
