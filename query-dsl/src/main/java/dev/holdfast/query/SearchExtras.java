package dev.holdfast.query;

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
public record SearchExtras(
    @Nullable Collapse collapse,
    List<Rescore> rescores,
    @Nullable SuggestRequest suggest,
    boolean isProfiled,
    boolean withNamedScores) {
  static final SearchExtras NONE = new SearchExtras(null, List.of(), null, false, false);
}
