/// The paper's experiments (§8) and other measurements, run on the product's own classes.
@NullMarked
package dev.holdfast.benchmark;

import org.jspecify.annotations.NullMarked;
