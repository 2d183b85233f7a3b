/// Contexts of aggregations that scripts compute: `scripted_metric`, and the `script_heuristic` of
/// significant terms.
@NullMarked
package dev.holdfast.script.metric;

import org.jspecify.annotations.NullMarked;
