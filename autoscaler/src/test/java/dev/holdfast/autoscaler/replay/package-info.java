/// What autoscaling costs and gains.
@NullMarked
package dev.holdfast.autoscaler.replay;

import org.jspecify.annotations.NullMarked;
