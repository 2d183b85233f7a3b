/// Two weeks of data streams: the code that cuts, shards, thins out and deletes them, on a calendar
/// that leaps, under leaders that die before and after their changes are durable. What it does is
/// compared with the formulas, written down a second time here. Each seed is two fortnights: one
/// without nodes, in which a document is a time at which somebody wrote to an index, with very many
/// looks of leaders; and one of a simulated cluster, whose clients write documents, which must be
/// there until their time is over, and add up in what they were summed up to. One thread, one seed,
/// one history.
@NullMarked
package dev.holdfast.simulation.fortnight;

import org.jspecify.annotations.NullMarked;
