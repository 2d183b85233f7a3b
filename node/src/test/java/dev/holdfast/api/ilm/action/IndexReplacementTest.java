package dev.holdfast.api.ilm.action;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.api.ilm.action.IndexReplacement.Replacing;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.TestCluster;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// What was written to an index after another was made of it does not go with it.
final class IndexReplacementTest {
  private static final IndexMetadata SOURCE =
      with(TestCluster.index("logs", 2, 0), "index.blocks.write", "true");
  private static final IndexMetadata SHRUNKEN =
      with(TestCluster.index("shrink-logs", 1, 0), "index.resize.source.uuid", SOURCE.id().uuid());

  private static IndexMetadata with(IndexMetadata index, String setting, String value) {
    SortedMap<String, Object> settings = new TreeMap<>(index.settings());
    settings.put(setting, value);
    return index.withSettings(settings);
  }

  private static ClusterState state(IndexMetadata source) {
    return ClusterState.empty("cluster").withIndex(source).withIndex(SHRUNKEN);
  }

  /// @param source as it is when its turn comes
  private static Outcome.Done replacing(IndexMetadata source) {
    LifecycleState lifecycle =
        new LifecycleState(Json.object())
            .at(new StepKey("warm", "shrink", "replace-index"), 1)
            .withSourceSettings(SOURCE.settingsVersion());
    return (Outcome.Done)
        new Replacing(
                source,
                lifecycle,
                "days",
                "shrink-logs",
                "is-shrunken-index",
                (index, of) -> index.setting("index.resize.source.uuid", "").equals(of.id().uuid()),
                2)
            .outcome();
  }

  @Test
  void oneThatNobodyWroteToIsReplaced() {
    ClusterState after = replacing(SOURCE).change().apply(state(SOURCE));

    assertThat(after.indices()).containsOnlyKeys("shrink-logs");
    IndexMetadata placed = Objects.requireNonNull(after.indices().get("shrink-logs"));
    assertThat(placed.aliases()).containsOnlyKeys("logs");
  }

  @Test
  void oneThatMayBeWrittenToIsBlockedAndAnotherIsMadeOfIt() {
    IndexMetadata lifted = with(SOURCE, "index.blocks.write", "false");
    IndexMetadata blockedAgain = with(lifted, "index.blocks.write", "true");
    for (IndexMetadata source : new IndexMetadata[] {lifted, blockedAgain}) {
      Outcome.Done again = replacing(source);

      assertThat(again.change().apply(state(source)).indices()).containsOnlyKeys("logs");
      assertThat(again.after().apply(new LifecycleState(Json.object())).key())
          .isEqualTo(new StepKey("warm", "shrink", "readonly"));
    }
  }

  @Test
  void oneThatIsMadeWritableInTheSameMomentIsLookedAtAgain() {
    Outcome.Done done = replacing(SOURCE);
    ClusterState meanwhile = state(with(SOURCE, "index.blocks.write", "false"));

    assertThatThrownBy(() -> done.change().apply(meanwhile))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("index [logs] has changed while it was replaced");
  }
}
