/// What a measurement leaves behind: a table, a chart, and what machine it was.
@NullMarked
package dev.holdfast.benchmark.report;

import org.jspecify.annotations.NullMarked;
