package dev.holdfast.api.indices.resolve;

import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/// What may not be done with the whole cluster: `cluster.blocks.read_only` refuses writes and
/// changes of metadata, `cluster.blocks.read_only_allow_delete` the same, but for the deletion of
/// indices. Cluster settings can be changed all the same.
public final class ClusterBlocks {
  public static final String READ_ONLY = "cluster.blocks.read_only";
  public static final String READ_ONLY_ALLOW_DELETE = "cluster.blocks.read_only_allow_delete";

  private static final List<String> LEVELS = List.of("write", "metadata_write");
  private static final IndexBlocks WHOLE =
      new IndexBlocks(6, "FORBIDDEN", "cluster read-only (api)", LEVELS);
  private static final IndexBlocks BUT_DELETION =
      new IndexBlocks(13, "FORBIDDEN", "cluster read-only / allow delete (api)", LEVELS);

  private ClusterBlocks() {}

  public static List<IndexBlocks> of(ClusterState state) {
    List<IndexBlocks> blocks = new ArrayList<>();
    if (isSet(state, READ_ONLY)) {
      blocks.add(WHOLE);
    }
    if (isSet(state, READ_ONLY_ALLOW_DELETE)) {
      blocks.add(BUT_DELETION);
    }
    return blocks;
  }

  private static boolean isSet(ClusterState state, String name) {
    return "true".equals(String.valueOf(state.setting(name)));
  }

  /// Writes of documents, changes of metadata.
  ///
  /// @throws Refusal `cluster_block_exception` while a block is set
  public static void requireNone(ClusterState state) {
    refuse(of(state));
  }

  /// Deletion of indices.
  ///
  /// @throws Refusal `cluster_block_exception` while nothing may be deleted
  public static void requireDeletable(ClusterState state) {
    refuse(of(state).stream().filter(WHOLE::equals).toList());
  }

  private static void refuse(List<IndexBlocks> blocks) {
    if (!blocks.isEmpty()) {
      throw new Refusal(ErrorType.CLUSTER_BLOCK, "blocked by: " + IndexBlocks.described(blocks));
    }
  }

  /// Metadata that change only while no block is set. It is looked at in order with all changes.
  public static Metadata guarded(Metadata metadata) {
    return new Guarded(metadata, false);
  }

  /// The same for what deletes indices.
  public static Metadata guardedForDeletion(Metadata metadata) {
    Metadata inner = metadata instanceof Guarded guarded ? guarded.inner : metadata;
    return new Guarded(inner, true);
  }

  private record Guarded(Metadata inner, boolean isForDeletion) implements Metadata {
    @Override
    public ClusterState current() {
      return inner.current();
    }

    @Override
    public String leaderId() {
      return inner.leaderId();
    }

    @Override
    public ClusterState update(String reason, UnaryOperator<ClusterState> change)
        throws InterruptedException {
      return inner.update(
          reason,
          state -> {
            if (isForDeletion) {
              requireDeletable(state);
            } else {
              requireNone(state);
            }
            return change.apply(state);
          });
    }

    @Override
    public void listen(Listener listener) {
      inner.listen(listener);
    }
  }
}
