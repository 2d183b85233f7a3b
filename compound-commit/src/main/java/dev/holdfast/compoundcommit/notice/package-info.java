/// What the two tiers say to each other (§4.1, §6.1): notices of new and uploaded commits one way;
/// chunks, real-time gets and registrations the other. A notice is sent only when every operation
/// in its commit is durable; its answer says what the copy still reads, on which the deletion of
/// blobs rests. The tiers share these records and nothing else.
@NullMarked
package dev.holdfast.compoundcommit.notice;

import org.jspecify.annotations.NullMarked;
