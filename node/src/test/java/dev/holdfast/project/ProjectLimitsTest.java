package dev.holdfast.project;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ProjectLimitsTest {
  @Test
  void areKeptAsTheyWereGiven() throws Exception {
    String given =
        "{\"shards\":7,\"bulk_bytes_per_second\":\"2mb\",\"search_threads\":\"2\","
            + "\"write_threads\":1,\"heap_percent\":20,\"store_budget\":25}";
    ProjectLimits limits = ProjectLimits.of(Json.parse(given));

    assertThat(limits).isEqualTo(new ProjectLimits(7, 2 << 20, 2, 1, 20, "25"));
    assertThat(ProjectLimits.of(limits.json())).isEqualTo(limits);

    Project project = new Project("acme", "u", 5, limits);
    ClusterState state = Projects.with(ClusterState.empty("c"), project);
    assertThat(Projects.find(state, "acme")).isEqualTo(project);
    assertThat(Projects.find(state, "acm")).isNull();
  }

  @Test
  void ofNewerNodesArePassedOver() throws Exception {
    assertThat(ProjectLimits.kept(Json.parse("{\"shards\":7,\"gpus\":1}")).shards()).isEqualTo(7);
    assertThat(ProjectLimits.kept(Json.parse("{\"shards\":7,\"heap_percent\":200}")).shards())
        .isEqualTo(7);
  }

  @Test
  void boundOnlyWhatIsGiven() throws Exception {
    ProjectLimits none = ProjectLimits.of(null);
    assertThat(none).isEqualTo(ProjectLimits.of(Json.parse("{\"search_threads\":null}")));
    assertThat(none.bulkBytesPerSecond()).isZero();
    assertThat(none.shards()).isEqualTo(1000);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"shards\":0}",
        "{\"shards\":-1}",
        "{\"shards\":1.5}",
        "{\"shards\":{}}",
        "{\"shards\":9999999999}",
        "{\"heap_percent\":61}",
        "{\"bulk_bytes_per_second\":5}",
        "{\"bulk_bytes_per_second\":\"0\"}",
        "{\"store_budget\":0}",
        "{\"store_budget\":\"much\"}",
        "{\"shard\":1}",
        "[]",
        "\"shards\""
      })
  void thatAreNoneAreRefused(String given) throws Exception {
    var json = Json.parse(given);
    assertThatThrownBy(() -> ProjectLimits.of(json)).isInstanceOf(Refusal.class);
  }

  @Test
  void aDeletedProjectIsRememberedUntilItIsGone() throws Exception {
    Project project = new Project("acme", "u", 5, ProjectLimits.of(null));
    ClusterState made = Projects.with(ClusterState.empty("c"), project);
    ClusterState deleted = Projects.without(made, project, 77);

    assertThat(Projects.all(deleted)).isEmpty();
    assertThat(Projects.deleted(deleted)).containsEntry("projects/acme/u/", 77L).hasSize(1);
    assertThat(Projects.deleted(Projects.gone(deleted, "projects/acme/u/"))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "-a", "a-", "A", "a.b", "a/b", "..", "ä", "a b"})
  void namesAreThoseOfHosts(String name) {
    assertThatThrownBy(() -> Project.requireName(name)).isInstanceOf(Refusal.class);
    Project.requireName("a");
    Project.requireName("a-1");
    Project.requireName("a".repeat(63));
    assertThatThrownBy(() -> Project.requireName("a".repeat(64))).isInstanceOf(Refusal.class);
  }
}
