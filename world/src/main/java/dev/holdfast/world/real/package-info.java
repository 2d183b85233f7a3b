/// The [dev.holdfast.world.World] of a real process: the JDK's clocks, random numbers, threads and
/// heap. Made once in `main`; nothing else names it but tests and tools.
@NullMarked
package dev.holdfast.world.real;

import org.jspecify.annotations.NullMarked;
