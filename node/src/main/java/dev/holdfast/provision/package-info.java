/// Makes tiers as large as they should be (§7): by processes on this machine, by the replicas of
/// StatefulSets, or by telling somebody else. One thread calls, the leader's; what one call does
/// not do, the next does.
@NullMarked
package dev.holdfast.provision;

import org.jspecify.annotations.NullMarked;
