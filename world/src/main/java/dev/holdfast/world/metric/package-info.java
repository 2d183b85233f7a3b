/// What is measured while it happens, cheaply enough for any path: [Histogram]. Thread-safe; throws
/// nothing.
@NullMarked
package dev.holdfast.world.metric;

import org.jspecify.annotations.NullMarked;
