package dev.holdfast.api.ilm.action;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.api.ilm.action.IndexReplacement.Replacing;
import dev.holdfast.api.indices.resolve.CopiedSource;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.TestCluster;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// What was written to an index after another was made of it does not go with it.
final class IndexReplacementTest {
  private static final IndexMetadata SOURCE =
      with(TestCluster.index("logs", 2, 0), "index.blocks.write", "true");
  private static final IndexMetadata OF_EARLIER_BUILD =
      with(TestCluster.index("shrink-logs", 1, 0), "index.resize.source.uuid", SOURCE.id().uuid());
  private static final IndexMetadata SHRUNKEN = CopiedSource.noted(OF_EARLIER_BUILD, SOURCE);

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
    return replacing(source, state(source));
  }

  private static Outcome.Done replacing(IndexMetadata source, ClusterState state) {
    LifecycleState lifecycle =
        new LifecycleState(Json.object()).at(new StepKey("warm", "shrink", "replace-index"), 1);
    return (Outcome.Done)
        new Replacing(
                source,
                lifecycle,
                "days",
                "shrink-logs",
                "is-shrunken-index",
                (index, of) -> index.setting("index.resize.source.uuid", "").equals(of.id().uuid()),
                2)
            .outcome(state);
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
    for (IndexMetadata source : List.of(lifted, lifted.withOpen(false), blockedAgain)) {
      assertMadeAgain(replacing(source), state(source));
    }
  }

  /// Nobody knows under which settings of its source it was made.
  @Test
  void oneThatAnEarlierBuildMadeIsMadeAgain() {
    ClusterState state = state(SOURCE).withIndex(OF_EARLIER_BUILD);

    assertMadeAgain(replacing(SOURCE, state), state);
  }

  private static void assertMadeAgain(Outcome.Done outcome, ClusterState state) {
    assertThat(outcome.change().apply(state).indices()).containsOnlyKeys("logs");
    assertThat(outcome.after().apply(new LifecycleState(Json.object())).key())
        .isEqualTo(new StepKey("warm", "shrink", "readonly"));
  }

  /// Closing is no change of the settings: it may have been open, and written to, meanwhile.
  @Test
  void oneThatIsOnlyClosedWasPerhapsWrittenTo() {
    IndexMetadata open = with(SOURCE, "index.blocks.write", "false");
    IndexMetadata closed = open.withOpen(false);
    ClusterState state = state(closed).withIndex(CopiedSource.noted(OF_EARLIER_BUILD, open));

    assertMadeAgain(replacing(closed, state), state);
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
