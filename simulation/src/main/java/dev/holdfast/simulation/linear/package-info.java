/// Whether what several clients asked of a document, and were told, could have happened one after
/// the other: linearizability (Herlihy and Wing 1990), by the search of Wing and Gong with Lowe's
/// memory of what was tried. Pure functions of a history.
@NullMarked
package dev.holdfast.simulation.linear;

import org.jspecify.annotations.NullMarked;
