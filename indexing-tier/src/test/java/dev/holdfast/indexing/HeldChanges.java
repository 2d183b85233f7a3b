package dev.holdfast.indexing;

import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// A cluster state some of whose changes fail for those who make them, and the first of which comes
/// late.
public final class HeldChanges implements Metadata {
  private final Metadata metadata;
  private volatile @Nullable String heldReason;
  private volatile @Nullable UnaryOperator<ClusterState> late;
  private volatile UnaryOperator<ClusterState> view = UnaryOperator.identity();

  HeldChanges(Metadata metadata) {
    this.metadata = metadata;
  }

  /// From now on changes whose reason ends so fail, until [#letGo].
  public void hold(String reason) {
    heldReason = reason;
  }

  public boolean isAnyHeld() {
    return late != null;
  }

  /// The first that was held comes now.
  public void comeLate() throws InterruptedException {
    UnaryOperator<ClusterState> change = late;
    if (change != null) {
      ClusterState _ = metadata.update("late", change);
    }
  }

  public void letGo() {
    heldReason = null;
  }

  /// From now on whoever looks at the state sees it so, while listeners hear of what it is; the
  /// look may take its time.
  public void seenAs(UnaryOperator<ClusterState> seen) {
    view = seen;
  }

  @Override
  public ClusterState current() {
    return view.apply(metadata.current());
  }

  @Override
  public String leaderId() {
    return metadata.leaderId();
  }

  @Override
  public ClusterState update(String reason, UnaryOperator<ClusterState> change)
      throws InterruptedException {
    String held = heldReason;
    if (held == null || !reason.endsWith(held)) {
      return metadata.update(reason, change);
    }
    if (late == null) {
      late = change;
    }
    throw new Refusal(ErrorType.PROCESS_CLUSTER_EVENT_TIMEOUT, "nobody knows: " + reason);
  }

  @Override
  public void listen(Listener listener) {
    metadata.listen(listener);
  }
}
