package dev.holdfast.query.aggregation.kernel;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.holdfast.compoundcommit.call.WireOutput;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// What an aggregation knows after some of the documents: immutable, mergeable, and the only thing
/// that travels between nodes.
public interface Partial {
  /// This of no documents, which may still know what the request made of them: how far empty
  /// buckets reach.
  ///
  /// @param empty of the same request, which knows nothing
  default Partial emptied(Partial empty) {
    return empty;
  }

  /// Both together; `other` is of the same kind and request.
  Partial merge(Partial other);

  /// The final step after all merges: cut to size, fill gaps, compute pipelines. Called once,
  /// before rendering.
  default Partial reduce(Reduction reduction) {
    return this;
  }

  /// Elasticsearch's internal name, before `#` under `typed_keys`: `lterms`, `avg`.
  String typeName();

  /// Writes the members of this aggregation's answer (`"buckets": …`, `"value": …`) into the open
  /// object.
  ///
  /// @param isTyped whether names of sub-aggregations carry their type (`typed_keys`)
  void render(JsonGenerator out, boolean isTyped) throws IOException;

  /// Writes its members for another node, which may be of another build: a later one goes last, and
  /// [Aggregation#read] of the same request has a default for it. What buckets gain goes behind all
  /// buckets, in a list of its own.
  void write(WireOutput out) throws IOException;

  /// One of its numbers, for ordering and pipelines: `value`, `avg`, `95.0`; NaN when it has none.
  ///
  /// @param property empty for the only one
  /// @throws Refusal when it has no such number
  default double metric(String property) {
    throw Refusal.badArgument(
        "Invalid aggregation order path or buckets path: ["
            + typeName()
            + "] has no number ["
            + property
            + "]");
  }

  /// Whether it has one number alone, whose name is `value`: a path that asks for another is wrong.
  default boolean isSingleNumber() {
    return false;
  }

  /// Whether [#metric] needs to be told which of several numbers is meant.
  default boolean hasSeveralNumbers() {
    return false;
  }

  /// Sub-aggregations of a single-bucket kind; null for the others.
  default @Nullable Results children() {
    return null;
  }
}
