package dev.holdfast.api.ilm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.api.ilm.action.LifecycleState;
import dev.holdfast.api.ilm.action.StepKey;
import dev.holdfast.api.ilm.action.StepTools;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.TestCluster;
import dev.holdfast.world.Json;
import dev.holdfast.world.World;
import dev.holdfast.world.real.RealWorld;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// What one index cannot do keeps no other from its policy.
final class PolicyRunsTest {
  private final World world = RealWorld.create();
  private final Kept metadata = new Kept();

  @AfterEach
  void endTasks() {
    world.tasks().close();
  }

  /// A cluster state of one node.
  private static final class Kept implements Metadata {
    private ClusterState state =
        StoredPolicies.with(
            ClusterState.empty("cluster"),
            "days",
            LifecyclePolicy.read(
                Json.parseObject("{\"policy\":{\"phases\":{\"hot\":{\"actions\":{}}}}}")),
            1);

    @Override
    public ClusterState current() {
      return state;
    }

    @Override
    public ClusterState update(String reason, UnaryOperator<ClusterState> change) {
      state = change.apply(state);
      return state;
    }

    @Override
    public void listen(Listener listener) {}
  }

  private void add(String name, String setting, String value) {
    IndexMetadata index = TestCluster.index(name, 1, 0);
    SortedMap<String, Object> settings = new TreeMap<>(index.settings());
    settings.put("index.lifecycle.name", "days");
    settings.put(setting, value);
    metadata.state = metadata.state.withIndex(index.withSettings(settings));
  }

  private String phase(String name) {
    IndexMetadata index = Objects.requireNonNull(metadata.state.indices().get(name));
    LifecycleState kept = LifecycleState.of(index);
    return kept == null ? "" : kept.phase();
  }

  /// As of one that was restored under another name by an earlier build.
  @Test
  @SuppressWarnings("NullAway") // nothing has any work to do
  void anIndexWithoutTheDateThatItsSettingsPromiseStopsNoOther() throws Exception {
    add("a-undated", "index.lifecycle.parse_origination_date", "true");
    add("b-dated", "index.lifecycle.indexing_complete", "false");
    StepTools tools = new StepTools(world, metadata, null, null, null, null, null, null);

    new PolicyRuns(tools, "self").run(false);

    assertThat(phase("b-dated")).isEqualTo("hot");
    assertThat(phase("a-undated")).isEqualTo("new");
  }

  /// It may wait for a rollover, or for a number of shards that never fits.
  @Test
  @SuppressWarnings("NullAway") // nothing has any work to do
  void whatWaitsBeforeItHasMadeAnythingKeepsNobodyFromStopping() throws Exception {
    add("waiting", "index.lifecycle.indexing_complete", "false");
    add("skipped", "index.lifecycle.skip", "true");
    stands("waiting", "check-not-write-index");
    stands("skipped", "shrunk-shards-allocated");
    metadata.state = StoredPolicies.with(metadata.state, StoredPolicies.Mode.STOPPING);
    StepTools tools = new StepTools(world, metadata, null, null, null, null, null, null);

    new PolicyRuns(tools, "self").run(false);

    assertThat(StoredPolicies.mode(metadata.state)).isEqualTo(StoredPolicies.Mode.STOPPED);
  }

  private void stands(String name, String step) {
    IndexMetadata index = Objects.requireNonNull(metadata.state.indices().get(name));
    LifecycleState at = LifecycleState.begun(index, 1).at(new StepKey("warm", "shrink", step), 1);
    metadata.state = metadata.state.withIndex(index.withCustom(LifecycleState.CUSTOM, at.json()));
  }
}
