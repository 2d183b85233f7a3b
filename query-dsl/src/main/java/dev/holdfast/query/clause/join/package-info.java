/// Queries over other documents than the hits: nested objects, which are rows of the same block,
/// and parents and children, which a `join` field relates. A join keeps the ids that it found in
/// memory: [JoinMemory] bounds them and refuses the search beyond, as one shard must not take a
/// node down. Queries here may show some of what they found as inner hits.
@NullMarked
package dev.holdfast.query.clause.join;

import org.jspecify.annotations.NullMarked;
