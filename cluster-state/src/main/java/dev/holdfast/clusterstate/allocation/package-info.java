/// Which member holds which shard: a pure function of the state and of what the leader has heard of
/// loads, of who is draining and of who does not reach whom (decision 013). Number, writes and
/// bytes are each spread over the members in proportion to their heaps; a move is planned only when
/// it makes the spread clearly more even, so moves end. What is heard is kept by the leader alone
/// and is lost with it.
@NullMarked
package dev.holdfast.clusterstate.allocation;

import org.jspecify.annotations.NullMarked;
