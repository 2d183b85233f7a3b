/// What the two tiers say to each other (§4.1, §6.1): notices of new and uploaded commits one way;
/// chunks, real-time gets and registrations the other.
@NullMarked
package dev.holdfast.compoundcommit.notice;

import org.jspecify.annotations.NullMarked;
