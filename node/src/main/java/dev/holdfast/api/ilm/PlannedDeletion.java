package dev.holdfast.api.ilm;

import dev.holdfast.api.ilm.StoredPolicies.Stored;
import dev.holdfast.api.ilm.action.LifecycleState;
import dev.holdfast.api.indices.lifecycle.StreamLifecycles;
import dev.holdfast.api.indices.settings.LifecycleSettings;
import dev.holdfast.api.indices.stream.LifecycleRuns;
import dev.holdfast.api.indices.stream.ManagedIndices;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.stream.DataStream;
import dev.holdfast.clusterstate.stream.DataStream.Component;
import dev.holdfast.clusterstate.stream.DataStreams;
import dev.holdfast.world.Refusal;
import java.time.Duration;
import java.util.Objects;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// When an index will be deleted, by what its policy, or the lifecycle of its data stream, says
/// today: no later than that, unless somebody changes it or the deletion is held up.
public final class PlannedDeletion {
  private static final Logger LOG = LoggerFactory.getLogger(PlannedDeletion.class);

  /// The phase that ends with it.
  private static final String DELETE = "delete";

  private PlannedDeletion() {}

  /// Epoch milliseconds, which may be over; empty when nothing deletes it.
  public static OptionalLong millis(ClusterState state, IndexMetadata index, long nowMillis) {
    if (ManagedIndices.byPolicy(state, index)) {
      return byPolicy(state, index, nowMillis);
    }
    DataStream stream = DataStreams.owning(state, index.id().name());
    return stream != null && ManagedIndices.byStream(state, stream, index)
        ? byStream(state, stream, index, nowMillis)
        : OptionalLong.empty();
  }

  private static OptionalLong byPolicy(ClusterState state, IndexMetadata index, long nowMillis) {
    String name = Objects.requireNonNull(LifecycleSettings.of(index).policy());
    Stored policy = StoredPolicies.find(state, name);
    if (policy == null || policy.policy().phase(DELETE) == null) {
      return OptionalLong.empty();
    }
    LifecycleState kept = LifecycleState.of(index);
    LifecycleState lifecycle = kept == null ? LifecycleState.begun(index, nowMillis) : kept;
    long since;
    try {
      since = PolicySteps.sinceMillis(index, lifecycle);
    } catch (Refusal e) { // its name lacks the date, and its policy cannot be followed
      LOG.debug("nobody knows how old an index is [index={}]", index.id().name(), e);
      return OptionalLong.empty();
    }
    return OptionalLong.of(since + policy.policy().minAge(DELETE).toMillis());
  }

  /// One that is still written to is kept for as long from its next rollover, which may come now.
  private static OptionalLong byStream(
      ClusterState state, DataStream stream, IndexMetadata index, long nowMillis) {
    String name = index.id().name();
    Component component = ManagedIndices.component(stream, name);
    Duration keeps = StreamLifecycles.effective(state, stream, component).keeps();
    if (keeps == null) {
      return OptionalLong.empty();
    }
    long closed = LifecycleRuns.closedMillis(state, stream, component, index);
    return OptionalLong.of((closed == 0 ? nowMillis : closed) + keeps.toMillis());
  }
}
