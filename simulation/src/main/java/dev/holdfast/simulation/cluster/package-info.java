/// A simulated cluster: nodes wired as the product wires them, the network between them and the way
/// to the store, each of which can be late, lossy or cut; the store seen from the inside, where
/// every request that takes effect is checked; and known bugs that stand in for a collaborator.
@NullMarked
package dev.holdfast.simulation.cluster;

import org.jspecify.annotations.NullMarked;
