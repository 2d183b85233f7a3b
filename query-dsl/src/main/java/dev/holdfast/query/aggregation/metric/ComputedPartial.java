package dev.holdfast.query.aggregation.metric;

import dev.holdfast.compoundcommit.call.WireOutput;
import dev.holdfast.query.aggregation.kernel.Partial;

/// What a pipeline computes of results that are complete: nothing is added to it, and it never
/// travels between nodes.
public interface ComputedPartial extends Partial {
  @Override
  default Partial merge(Partial other) {
    throw new IllegalStateException("results of pipelines are final");
  }

  @Override
  default void write(WireOutput out) {
    throw new IllegalStateException("results of pipelines are final");
  }
}
