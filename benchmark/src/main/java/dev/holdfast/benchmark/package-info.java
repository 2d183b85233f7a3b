/// The paper's experiments (§8) and other measurements, run on the product's own classes. Each says
/// what it ran on; figures are worth nothing on a machine that does something else.
@NullMarked
package dev.holdfast.benchmark;

import org.jspecify.annotations.NullMarked;
