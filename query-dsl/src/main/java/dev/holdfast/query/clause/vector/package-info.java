/// The nearest vectors: `knn` as a query and as a section of a search (several shards must agree on
/// the `k` nearest, see `phase.KnnPhase`), over documents and over nested objects, and sparse
/// vectors. The graph of an index is searched within `num_candidates` a segment.
@NullMarked
package dev.holdfast.query.clause.vector;

import org.jspecify.annotations.NullMarked;
