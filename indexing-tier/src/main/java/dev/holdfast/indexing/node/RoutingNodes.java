package dev.holdfast.indexing.node;

import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.translog.WriteOrigin;
import java.util.Set;
import java.util.stream.Collectors;

/// The members of the cluster by the names that the log has for them. A node that has left can't
/// send a write again: what its writes did is forgotten, and what comes of it late is refused.
public final class RoutingNodes {
  private final Metadata metadata;
  private volatile Known known = new Known(-1, Set.of());

  private record Known(long version, Set<Long> names) {}

  public RoutingNodes(Metadata metadata) {
    this.metadata = metadata;
  }

  public boolean isMember(long name) {
    ClusterState state = metadata.current();
    Known now = known;
    if (now.version != state.version()) {
      now =
          new Known(
              state.version(),
              state.members().keySet().stream()
                  .map(WriteOrigin::node)
                  .collect(Collectors.toUnmodifiableSet()));
      known = now;
    }
    return now.names.contains(name);
  }
}
