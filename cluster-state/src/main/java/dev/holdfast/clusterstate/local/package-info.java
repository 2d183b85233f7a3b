/// The folder of this machine that a node calls its own: locked while the process lives, marked
/// with the ids of the machine and of its boot, so that the copy of a disk does not take a living
/// node for dead.
@NullMarked
package dev.holdfast.clusterstate.local;

import org.jspecify.annotations.NullMarked;
