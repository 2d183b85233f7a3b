/// Micro-benchmarks (JMH) of the loops that a node spends its time in: the scanner, the columns of
/// a batch, kernels over doc values, frames of the log. They show that a move of code cost nothing;
/// what a user sees is measured elsewhere. `./holdfast benchmark micro` runs them.
@NullMarked
package dev.holdfast.benchmark.micro;

import org.jspecify.annotations.NullMarked;
