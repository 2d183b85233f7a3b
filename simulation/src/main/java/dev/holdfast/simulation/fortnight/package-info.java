/// Two weeks of data streams: the code that cuts, shards, thins out and deletes them, on a clock
/// that is turned by hand, under leaders that die before and after their changes are durable. What
/// it does is compared with the formulas, written down a second time here. There are no nodes and
/// no documents in it: what becomes of those when processes die is what the other histories are
/// about; here a document is a time at which somebody wrote to an index. One thread, one seed, one
/// history.
@NullMarked
package dev.holdfast.simulation.fortnight;

import org.jspecify.annotations.NullMarked;
