@NullMarked
package dev.holdfast.world.trace;

import org.jspecify.annotations.NullMarked;
