/// Data streams as the cluster state keeps them: a name, the indices behind it, the newest of which
/// is written to, and what the next one is made with. Pure functions of a state.
@NullMarked
package dev.holdfast.clusterstate.stream;

import org.jspecify.annotations.NullMarked;
