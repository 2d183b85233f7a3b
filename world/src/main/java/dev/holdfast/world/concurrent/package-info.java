/// Work done side by side, and states that are waited for: the one way to fan out and join
/// ([FanOut]; [Begun] for what is joined later), the one loop that polls ([Await]) and the pauses
/// between tries ([RetryPauses]). All wait by the clock and the sleeper of the world, so that
/// simulated time drives them too; all block the caller, which is a virtual thread.
@NullMarked
package dev.holdfast.world.concurrent;

import org.jspecify.annotations.NullMarked;
