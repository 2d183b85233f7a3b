package dev.holdfast.query.result;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// A document that competes for a place among the hits of a search.
///
/// @param doc number within the shard's reader
/// @param score NaN when not computed
/// @param sortValues one a sort key: Long, Double, Float or BytesRef, null for a missing term;
///   empty when sorted by score
/// @param group value of the field collapsed on: Long or BytesRef; null for none
public record ShardHit(
    int doc, float score, List<@Nullable Object> sortValues, @Nullable Object group) {
  public ShardHit(int doc, float score, List<@Nullable Object> sortValues) {
    this(doc, score, sortValues, null);
  }
}
