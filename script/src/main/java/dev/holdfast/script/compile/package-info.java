/// From a tree to a class: types are found, casts decided, and bytecode written with the JDK's own
/// class-file API. One thread a script.
@NullMarked
package dev.holdfast.script.compile;

import org.jspecify.annotations.NullMarked;
