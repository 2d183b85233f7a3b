/// Laws of the decision.
@NullMarked
package dev.holdfast.autoscaler;

import org.jspecify.annotations.NullMarked;
