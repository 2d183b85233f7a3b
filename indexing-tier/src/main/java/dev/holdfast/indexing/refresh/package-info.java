/// Makes writes searchable (§4.1): commits, appends the commit to the batch, tells the internal
/// reader, and when its operations are durable the search tier. One cycle at a time; everybody who
/// asks while one runs is served by the next. [ReplayDebt] is what a recovery would have to do
/// again (§5, decision 010).
@NullMarked
package dev.holdfast.indexing.refresh;

import org.jspecify.annotations.NullMarked;
