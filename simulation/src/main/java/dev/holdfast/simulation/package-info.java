/// The whole cluster in one thread from one seed: real nodes over a faulty store, killed, frozen
/// and cut off, with an oracle that remembers what was acknowledged. One seed is one history:
/// threads, time, chance and names are simulated, so a failure is replayed by its seed.
@NullMarked
package dev.holdfast.simulation;

import org.jspecify.annotations.NullMarked;
