/// What compiled scripts call while they run: arithmetic and calls on what has no known type,
/// limits, and the methods that are added to those of the JDK.
@NullMarked
package dev.holdfast.script.runtime;

import org.jspecify.annotations.NullMarked;
