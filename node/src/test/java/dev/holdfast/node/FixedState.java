package dev.holdfast.node;

import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.Metadata;
import java.util.function.UnaryOperator;

/// A cluster state that stays what it is, whoever changes it.
public record FixedState(ClusterState current) implements Metadata {
  @Override
  public ClusterState update(String reason, UnaryOperator<ClusterState> change) {
    return change.apply(current);
  }

  @Override
  public void listen(Listener listener) {
    listener.changed(current, current);
  }
}
