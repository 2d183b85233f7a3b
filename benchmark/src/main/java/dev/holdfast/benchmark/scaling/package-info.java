/// Loads replayed against the autoscaler's decision; run from the command line, prints its figures.
@NullMarked
package dev.holdfast.benchmark.scaling;

import org.jspecify.annotations.NullMarked;
