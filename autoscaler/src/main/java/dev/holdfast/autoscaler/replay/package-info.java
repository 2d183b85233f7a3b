/// Loads replayed against the decision, a second at a time, with a model of a tier in place of its
/// nodes: what autoscaling would cost and gain beside a fleet of fixed size. The same seed gives
/// the same figures. One thread; throws nothing.
@NullMarked
package dev.holdfast.autoscaler.replay;

import org.jspecify.annotations.NullMarked;
