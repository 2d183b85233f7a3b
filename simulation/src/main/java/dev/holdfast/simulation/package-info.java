/// The whole cluster in one thread from one seed: real nodes over a faulty store, killed, frozen
/// and cut off, with an oracle that remembers what was acknowledged. One seed is one history:
/// threads, time, chance and names are simulated, so a failure is replayed by its seed (`./holdfast
/// simulate`).
///
/// A history troubles a cluster for a while, then leaves it alone, and then everything that was
/// acknowledged must be there, and searchable, and every node healthy. A plant is a known bug that
/// is switched on by name and that the same checks must find.
@NullMarked
package dev.holdfast.simulation;

import org.jspecify.annotations.NullMarked;
