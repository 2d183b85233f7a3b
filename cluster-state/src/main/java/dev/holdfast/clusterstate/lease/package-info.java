/// `cluster/lease`: the register that says who leads and under which term, changed by
/// compare-and-set only. `Claim` decides purely over what a candidate has seen, by its own
/// monotonic clock: the leader writes nothing while nobody doubts it, a challenge that stays
/// unanswered hands the lease over. Safety never rests on that decision: a leader that was replaced
/// finds its next state's name taken.
@NullMarked
package dev.holdfast.clusterstate.lease;

import org.jspecify.annotations.NullMarked;
