/// Virtual threads on one thread: a step at a time, in an order drawn from the seed; time that
/// moves when all wait; pools, tasks and processes that can be frozen or killed between two steps.
/// The few places that reach into the JDK are here.
@NullMarked
package dev.holdfast.simulation.schedule;

import org.jspecify.annotations.NullMarked;
