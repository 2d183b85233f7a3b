@NullMarked
package dev.holdfast.benchmark.process;

import org.jspecify.annotations.NullMarked;
