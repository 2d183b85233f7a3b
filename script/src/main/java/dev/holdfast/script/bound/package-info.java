/// More of what scripts call in the place of methods of the JDK that go on, or grow, without a step
/// of theirs. Guards nothing: a script is of one thread.
@NullMarked
package dev.holdfast.script.bound;

import org.jspecify.annotations.NullMarked;
