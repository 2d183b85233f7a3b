package dev.holdfast.query.aggregation.kernel;

import dev.holdfast.query.QueryContext;
import java.io.IOException;

/// One aggregation of a request, read and checked, not yet bound to an index. One file a kind, one
/// line in `Aggregations`.
///
/// Law, checked by a property test for each kind: merging is associative, and any split of the
/// documents over segments and shards gives the same result.
public interface Aggregation {
  /// The name the client gave it, and its `meta`.
  Label label();

  /// The name the client gave it.
  default String name() {
    return label().name();
  }

  /// Collects the documents of one shard.
  ///
  /// @throws dev.holdfast.world.Refusal when it does not fit the mapping
  Collecting bind(QueryContext context) throws IOException;

  /// What an index without its field answers, and the start of every merge.
  Partial empty();

  /// Reads what [Partial#write] of a partial result of this aggregation wrote.
  Partial read(PartialInput in) throws IOException;

  /// Buckets that are in each of its answers, whatever documents there are, with those below them:
  /// of ranges in ranges very many.
  default long bucketsAlways() {
    return 0;
  }

  /// Whether it has a bucket for values that sub-aggregations would hang below.
  default boolean takesChildren() {
    return true;
  }
}
