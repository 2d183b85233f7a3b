/// The phases of searches over the copies of this node, in the search pool: query phase of several
/// shards, the best first where a good bottom value saves work; fetch phase over the readers that
/// were kept; answers to all other questions that a search node is asked.
@NullMarked
package dev.holdfast.search.execution;

import org.jspecify.annotations.NullMarked;
