@NullMarked
package dev.holdfast.simulation.linear;

import org.jspecify.annotations.NullMarked;
