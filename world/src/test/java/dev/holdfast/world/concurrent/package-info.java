/// Tests of work side by side and of waits.
@NullMarked
package dev.holdfast.world.concurrent;

import org.jspecify.annotations.NullMarked;
