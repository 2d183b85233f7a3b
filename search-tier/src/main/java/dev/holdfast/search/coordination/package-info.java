/// One search from its coordinator's side: query phase on a copy of every shard, merge, fetch phase
/// where the hits are, begun anew when the hits were lost in between; collapsed groups; questions
/// to all search nodes at once. Runs on the request's thread.
@NullMarked
package dev.holdfast.search.coordination;

import org.jspecify.annotations.NullMarked;
