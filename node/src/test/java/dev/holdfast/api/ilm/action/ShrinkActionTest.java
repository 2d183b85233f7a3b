package dev.holdfast.api.ilm.action;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.TestCluster;
import dev.holdfast.world.Json;
import dev.holdfast.world.World;
import dev.holdfast.world.real.RealWorld;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class ShrinkActionTest {
  private static final ObjectNode ONE_SHARD = Json.object().put("number_of_shards", 1);

  private final World world = RealWorld.create();

  @AfterEach
  void endTasks() {
    world.tasks().close();
  }

  /// The name that the index is given which is made of another.
  @SuppressWarnings("NullAway") // nothing but names are made
  private String named(String index, LifecycleState before) throws Exception {
    IndexMetadata source = TestCluster.index(index, 2, 0);
    StepContext context =
        new StepContext(
            ClusterState.empty("cluster").withIndex(source),
            source,
            before,
            ONE_SHARD,
            "days",
            new StepTools(world, null, null, null, null, null, null, null));
    LifecycleAction.Step naming =
        new ShrinkAction()
            .steps(ONE_SHARD).stream()
                .filter(step -> step.name().equals("generate-shrink-index-name"))
                .findFirst()
                .orElseThrow();
    Outcome.Done done = (Outcome.Done) naming.work().run(context);
    return done.after().apply(before).shrunkenName();
  }

  @Test
  void theNameStaysWhateverIsTriedAgain() throws Exception {
    LifecycleState lifecycle = new LifecycleState(Json.object());
    String name = named("logs", lifecycle);

    assertThat(name).startsWith("shrink-").endsWith("-logs");
    assertThat(named("logs", lifecycle.withShrunkenName(name))).isEqualTo(name);
  }

  /// It has taken the place of the index that it was made of, with all that was known of that.
  @Test
  void anIndexThatWasShrunkBeforeIsShrunkUnderAnotherName() throws Exception {
    LifecycleState lifecycle = new LifecycleState(Json.object()).withShrunkenName("shrink-1-logs");

    assertThat(named("shrink-1-logs", lifecycle))
        .isNotEqualTo("shrink-1-logs")
        .startsWith("shrink-")
        .endsWith("-shrink-1-logs");
  }
}
