package dev.holdfast.node.project;

import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.project.Project;
import dev.holdfast.world.Refusal;
import java.util.function.UnaryOperator;

/// The metadata of a project, which take no more shards than it may have.
record LimitedMetadata(Metadata metadata, Project project) implements Metadata {
  @Override
  public ClusterState current() {
    return metadata.current();
  }

  @Override
  public String leaderId() {
    return metadata.leaderId();
  }

  @Override
  public ClusterState update(String reason, UnaryOperator<ClusterState> change)
      throws InterruptedException {
    return metadata.update(
        reason,
        state -> {
          ClusterState changed = change.apply(state);
          requireFewShards(shards(state), shards(changed));
          return changed;
        });
  }

  @Override
  public void listen(Listener listener) {
    metadata.listen(listener);
  }

  private static long shards(ClusterState state) {
    return state.indices().values().stream().mapToLong(index -> index.shards()).sum();
  }

  private void requireFewShards(long before, long after) {
    int max = project.limits().shards();
    if (after > max && after > before) {
      throw Refusal.badArgument(
          "this action would add ["
              + (after - before)
              + "] shards, but project ["
              + project.name()
              + "] has ["
              + before
              + "]/["
              + max
              + "] shards; delete indices, or raise the limit [shards] of the project");
    }
  }
}
