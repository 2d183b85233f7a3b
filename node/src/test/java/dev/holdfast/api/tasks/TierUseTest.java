package dev.holdfast.api.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.clusterstate.Role;
import dev.holdfast.identity.NodeIdentity;
import dev.holdfast.world.World;
import dev.holdfast.world.real.RealWorld;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A tier is needed by what cannot be answered without it.
@Timeout(30)
final class TierUseTest {
  private final World world = RealWorld.create();
  private final TierUse use = TierUse.ofNode(world.clock());
  private final RunningTasks tasks = tasks(use);

  private RunningTasks tasks(TierUse use) {
    return new RunningTasks(
        world, new NodeIdentity("id", "name", "127.0.0.1", 9200, Set.of(Role.PROXY), 0), use);
  }

  @Test
  void writesAndGetsNeedTheIndexingTier() {
    assertNeeds("indices:data/write/bulk", true, false);
    assertNeeds("indices:data/read/get", true, false);
    assertNeeds("indices:data/read/mget", true, false);
    assertNeeds("indices:admin/refresh", true, false);
  }

  @Test
  void searchesNeedTheSearchTier() {
    assertNeeds("indices:data/read/search", false, true);
    assertNeeds("indices:data/read/async_search/submit", false, true);
    assertNeeds("indices:admin/validate/query", false, true);
  }

  @Test
  void whatSearchesAndWritesNeedsBoth() {
    assertNeeds("indices:data/write/update/byquery", true, true);
    assertNeeds("indices:data/write/reindex", true, true);
  }

  @Test
  void looksAtTheClusterNeedNone() {
    assertNeeds("cluster:monitor/health", false, false);
    assertNeeds("indices:admin/analyze", false, false);
    assertNeeds("indices:data/write/simulate/bulk", false, false);
    assertNeeds(TaskActions.of("GET", "/{index}"), false, false);
    assertNeeds(TaskActions.of("GET", "/{index}/_alias"), false, false);
  }

  /// Dashboards read mappings all day long, from the state of the cluster.
  @Test
  void aLookAtAMappingNeedsNoneAndAChangeOfItDoes() {
    assertNeeds(TaskActions.of("GET", "/{index}/_mapping"), false, false);
    assertNeeds(TaskActions.of("GET", "/_mapping/field/{fields}"), false, false);
    assertNeeds(TaskActions.of("GET", "/{index}/_settings/{name}"), false, false);
    assertNeeds(TaskActions.of("PUT|POST", "/{index}/_mapping"), true, false);
    assertNeeds(TaskActions.of("PUT", "/{index}/_settings"), true, false);
  }

  @Test
  void aTierIsIdleSinceItsLastRequest() throws Exception {
    Thread.sleep(50);
    tasks.end(tasks.begin("indices:data/write/bulk", "", null, false));
    assertThat(tasks.idle(Role.INDEX)).isLessThan(tasks.idle(Role.SEARCH));
    tasks.end(tasks.begin("indices:data/read/search", "", null, false));
    assertThat(tasks.idle(Role.SEARCH)).isLessThan(tasks.idle(Role.INDEX));
  }

  /// An action that does not tell what it needs needs something when it takes long.
  @Test
  void whoWaitsForLongWaitsForSomething() throws Exception {
    RunningTask task = tasks.begin("indices:monitor/stats", "", null, false);
    assertThat(tasks.isAwaited(Role.SEARCH)).isFalse();
    while (!tasks.isAwaited(Role.SEARCH)) {
      Thread.sleep(20);
    }
    assertThat(task.runningNanos()).isGreaterThan(Duration.ofMillis(500).toNanos());
    tasks.end(task);
    assertThat(tasks.isAwaited(Role.SEARCH)).isFalse();
  }

  /// A tier that is away is woken at once, not at the next look.
  @Test
  void whoListensHearsOfARequestThatIsUnderWay() {
    AtomicBoolean isAwaited = new AtomicBoolean();
    tasks.onBegin(() -> isAwaited.set(tasks.isAwaited(Role.SEARCH)));

    tasks.end(tasks.begin("indices:data/read/search", "", null, false));

    assertThat(isAwaited).isTrue();
  }

  /// Tiers that are away come back for the request of a project, too; another project does not hear
  /// of it.
  @Test
  void aProjectsRequestsNeedTheTiersOfTheNode() throws Exception {
    TierUse ofProject = use.ofProject();
    RunningTasks its = tasks(ofProject);
    RunningTasks others = tasks(use.ofProject());
    AtomicBoolean isAwaited = new AtomicBoolean();
    tasks.onBegin(() -> isAwaited.set(tasks.isAwaited(Role.SEARCH)));
    Thread.sleep(50);

    RunningTask task = its.begin("indices:data/read/search", "", null, false);

    assertThat(isAwaited).isTrue();
    assertThat(its.isAwaited(Role.SEARCH)).isTrue();
    assertThat(others.isAwaited(Role.SEARCH)).isFalse();
    assertThat(tasks.idle(Role.SEARCH)).isLessThan(tasks.idle(Role.INDEX));
    assertThat(others.idle(Role.SEARCH)).isGreaterThan(Duration.ofMillis(40));
    ofProject.close(); // what it left running waits for nothing any more
    assertThat(tasks.isAwaited(Role.SEARCH)).isFalse();
    its.end(task);
  }

  private void assertNeeds(String action, boolean indexing, boolean search) {
    RunningTask task = tasks.begin(action, "", null, false);
    assertThat(tasks.isAwaited(Role.INDEX)).as(action).isEqualTo(indexing);
    assertThat(tasks.isAwaited(Role.SEARCH)).as(action).isEqualTo(search);
    tasks.end(task);
    assertThat(tasks.isAwaited(Role.INDEX)).isFalse();
  }
}
