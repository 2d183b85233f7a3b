/// What every aggregation is made of (§2), and the interfaces between them: [Aggregation] (the
/// request), [Collecting] (at work on one shard, into numbered buckets), [Partial] (what it knows
/// after some documents: immutable, mergeable, the only thing that travels), [PipelineAggregation]
/// (computed once, from results). Knows no kind: `parse.Aggregations` lists them.
///
/// The law that all kinds obey, and that a property test checks: collecting documents in parts and
/// merging gives what collecting them at once gives. Documents come in bulk, ascending over all
/// calls, so that columns are read in blocks; hot loops are in `Collecting.Leaf` and allocate
/// nothing a document. One thread collects; results of threads are merged.
///
/// What may fail: binding, when a field has no doc values of the right kind; collecting, when a
/// budget of buckets is used up (`too_many_buckets_exception`) or the search is cancelled;
/// reducing, for a path that leads nowhere.
@NullMarked
package dev.holdfast.query.aggregation.kernel;

import org.jspecify.annotations.NullMarked;
