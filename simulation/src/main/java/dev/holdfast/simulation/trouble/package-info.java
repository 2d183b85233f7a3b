/// What goes wrong in a history: crashes, freezes, partitions, lost objects, a lost cluster state;
/// and the operator who starts what has stopped.
@NullMarked
package dev.holdfast.simulation.trouble;

import org.jspecify.annotations.NullMarked;
