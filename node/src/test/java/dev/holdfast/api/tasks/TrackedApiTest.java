package dev.holdfast.api.tasks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.holdfast.clusterstate.Role;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.http.HeaderValues;
import dev.holdfast.http.RequestBody;
import dev.holdfast.http.Routes;
import dev.holdfast.http.Verb;
import dev.holdfast.identity.NodeIdentity;
import dev.holdfast.node.NodeFixture;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.StopSignal;
import dev.holdfast.world.real.RealWorld;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What only computes ends when nobody waits for it any more; what writes does not.
final class TrackedApiTest {
  @TempDir Path folder;

  private final RunningTasks tasks =
      new RunningTasks(
          RealWorld.create(),
          new NodeIdentity("id", "name", "127.0.0.1", 9200, Set.of(Role.PROXY), 0),
          TierUse.ofNode(RealWorld.create().clock()));

  @ParameterizedTest
  @CsvSource({
    "/_analyze,indices:admin/analyze",
    "/{index}/_analyze,indices:admin/analyze",
    "/{index}/_validate/query,indices:admin/validate/query",
    "/_field_caps,indices:data/read/field_caps",
    "/{index}/_rank_eval,indices:data/read/rank_eval",
    "/{index}/_termvectors/{id},indices:data/read/tv",
    "/_mtermvectors,indices:data/read/mtv",
    "/{index}/_explain/{id},indices:data/read/explain",
    "/{index}/_terms_enum,indices:data/read/xpack/termsenum/list",
    "/{index}/_mvt/{field}/{zoom}/{x}/{y},indices:data/read/search",
    "/_render/template,indices:data/read/search/template",
    "/_scripts/painless/_execute,cluster:admin/scripts/painless/execute",
    "/_ingest/pipeline/{id}/_simulate,cluster:admin/ingest/pipeline/simulate",
    "/_ingest/_simulate,indices:data/write/simulate/bulk",
    "/{index}/_search,indices:data/read/search",
  })
  void aClientThatLeavesEndsWhatOnlyComputes(String path, String action) {
    Refusal refusal = catchThrowableOfType(Refusal.class, () -> handle("GET|POST", path));

    assertThat(refusal).as(path).isNotNull();
    assertThat(refusal.type()).isEqualTo(ErrorType.TASK_CANCELLED);
    assertThat(TaskActions.of("GET|POST", path)).isEqualTo(action);
  }

  /// Names by the thousand are compared with indices, aliases and fields by the thousand.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "/_cat/indices",
        "/_alias/{name}",
        "/{index}/_settings/{name}",
        "/_mapping/field/{fields}",
        "/_stats"
      })
  void aClientThatLeavesEndsWhatOnlyReads(String path) throws Exception {
    assertThat(catchThrowableOfType(Refusal.class, () -> handle("GET", path)).type())
        .isEqualTo(ErrorType.TASK_CANCELLED);
    assertThat(handle("GET|POST", path).status()).as("may write").isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/_snapshot/{repository}/_analyze",
        "/_slm/policy/{policy_id}/_execute",
        "/_enrich/policy/{name}/_execute",
        "/_bulk",
        "/{index}/_doc/{id}",
        "/{index}/_update_by_query"
      })
  void aClientThatLeavesDoesNotEndWrites(String path) throws Exception {
    assertThat(handle("POST", path).status()).isEqualTo(200);
  }

  @Test
  void everyRouteThatComputesIsARoute() throws Exception {
    Set<String> paths = new TreeSet<>();
    try (NodeFixture node = new NodeFixture(folder)) {
      for (Routes.Line line : node.routes().lines()) {
        paths.add(line.path());
      }
    }

    assertThat(paths).containsAll(ComputingRoutes.paths());
  }

  @Test
  void whoWaitsForATaskIsNotWaitedForWhenItHasLeft() throws Exception {
    RunningTask task = tasks.begin("cluster:admin/x", "", null, false);

    assertThat(task.await(Duration.ofDays(1_000), () -> true)).isFalse();

    tasks.end(task);
    assertThat(task.await(Duration.ofDays(1_000), () -> true)).isTrue();
  }

  /// A thousand short ones that were sent ahead of their answers had kept others waiting after
  /// their connections were closed: none of them looks.
  @Test
  void aReadWhoseClientHasLeftDoesNotBegin() throws Exception {
    Api never =
        _ -> {
          throw new AssertionError("it began");
        };
    TrackedApi api =
        new TrackedApi(tasks, RealWorld.create().clock(), "GET|POST", "/{index}/_search", never);

    Refusal refusal = catchThrowableOfType(Refusal.class, () -> api.handle(left("/a/_search")));

    assertThat(refusal.type()).isEqualTo(ErrorType.TASK_CANCELLED);
  }

  /// An API whose work looks whether anybody waits for it, for a client that has left.
  private Answer handle(String verbs, String path) throws Exception {
    TrackedApi api =
        new TrackedApi(
            tasks,
            RealWorld.create().clock(),
            verbs,
            path,
            request -> {
              StopSignal.look();
              return Answer.text(200, "");
            });
    return api.handle(left(path));
  }

  /// A request whose client has left.
  private static ApiRequest left(String path) {
    return new ApiRequest(
        Verb.POST,
        path,
        Map.of(),
        Map.of(),
        HeaderValues.NONE,
        RequestBody.EMPTY,
        null,
        () -> true);
  }
}
