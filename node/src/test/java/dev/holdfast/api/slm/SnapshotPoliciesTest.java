package dev.holdfast.api.slm;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.NodeFixture;
import dev.holdfast.world.World;
import dev.holdfast.world.concurrent.Await;
import dev.holdfast.world.real.MovedClock;
import dev.holdfast.world.real.RealWorld;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Snapshot policies of whole nodes, whose days pass as the test says.
final class SnapshotPoliciesTest {
  private static final String POLICY =
      "{\"name\":\"<nightly-{now/d}>\",\"schedule\":\"0 30 1 * * ?\",\"repository\":\"r\","
          + "\"config\":{\"indices\":\"books\",\"metadata\":{\"by\":\"me\"}},"
          + "\"retention\":{\"expire_after\":\"3d\",\"min_count\":1,\"max_count\":2}}";

  private final World real = RealWorld.create();
  private final AtomicLong passedMillis = new AtomicLong();

  @TempDir Path folder;

  private NodeFixture started() throws Exception {
    return new NodeFixture(folder, MovedClock.calendar(passedMillis::get));
  }

  private static void withRepository(NodeFixture node) throws Exception {
    node.ok("PUT", "/_snapshot/r", "{\"type\":\"fs\",\"settings\":{\"location\":\"place\"}}");
    node.fill("books", 3);
  }

  private void until(Callable<Boolean> state) throws Exception {
    assertThat(
            Await.<Exception>until(
                real, Duration.ofSeconds(60), Duration.ofMillis(50), state::call))
        .isTrue();
  }

  private static JsonNode policy(NodeFixture node, String id) throws Exception {
    return node.ok("GET", "/_slm/policy/" + id, "").path(id);
  }

  private static int taken(NodeFixture node, String id) throws Exception {
    return policy(node, id).path("stats").path("snapshots_taken").asInt();
  }

  private static List<String> snapshots(NodeFixture node) throws Exception {
    return node.json("/_snapshot/r/_all").path("snapshots").findValuesAsText("snapshot");
  }

  /// To some time after the next half past one.
  private void night() {
    Instant now = Instant.ofEpochMilli(real.clock().epochMillis() + passedMillis.get());
    ZonedDateTime next = now.atZone(ZoneOffset.UTC).plusDays(1).withHour(2);
    passedMillis.addAndGet(Duration.between(now, next).toMillis());
  }

  @Test
  void aSnapshotIsMadeWhenItIsDueAndGoesWhenItIsOld() throws Exception {
    try (NodeFixture node = started()) {
      withRepository(node);
      node.ok("PUT", "/_slm/policy/nightly", POLICY);
      JsonNode made = policy(node, "nightly");
      assertThat(made.path("version").asInt()).isEqualTo(1);
      long next = made.path("next_execution_millis").asLong();
      assertThat(Instant.ofEpochMilli(next).toString()).endsWith("T01:30:00Z");
      assertThat(made.path("policy").path("schedule").asText()).isEqualTo("0 30 1 * * ?");

      night();
      until(() -> taken(node, "nightly") == 1);
      JsonNode success = policy(node, "nightly").path("last_success");
      String name = success.path("snapshot_name").asText();
      String day = Instant.ofEpochMilli(real.clock().epochMillis() + passedMillis.get()).toString();
      assertThat(name).startsWith("nightly-" + day.substring(0, 10).replace('-', '.') + "-");
      JsonNode snapshot = node.json("/_snapshot/r/" + name).path("snapshots").path(0);
      assertThat(snapshot.path("metadata").toString())
          .isEqualTo("{\"by\":\"me\",\"policy\":\"nightly\"}");
      assertThat(snapshot.path("indices").toString()).isEqualTo("[\"books\"]");
      assertThat(node.json("/_snapshot/r/_all?slm_policy_filter=nightly").path("total").asInt())
          .isEqualTo(1);

      night();
      until(() -> taken(node, "nightly") == 2);
      night();
      until(() -> taken(node, "nightly") == 3);
      // Retention runs at the same time: no more than two stay in the end.
      node.ok("POST", "/_slm/_execute_retention", "");
      until(() -> snapshots(node).size() == 2);
      assertThat(snapshots(node)).doesNotContain(name);
      passedMillis.addAndGet(Duration.ofDays(9).toMillis());
      until(() -> taken(node, "nightly") == 4);
      node.ok("POST", "/_slm/_execute_retention", "");
      until(() -> snapshots(node).size() == 1);
      // Counted once they are gone.
      until(() -> node.json("/_slm/stats").path("total_snapshots_deleted").asInt() == 3);
      until(() -> node.json("/_slm/stats").path("retention_runs").asInt() > 0);
      JsonNode stats = node.json("/_slm/stats");
      assertThat(stats.path("total_snapshots_taken").asInt()).isEqualTo(4);
      assertThat(stats.path("total_snapshots_failed").asInt()).isZero();
      assertThat(stats.path("policy_stats").path(0).path("policy").asText()).isEqualTo("nightly");
    }
    // What a policy did outlives the node.
    try (NodeFixture node = started()) {
      assertThat(taken(node, "nightly")).isEqualTo(4);
      node.ok("DELETE", "/_slm/policy/nightly", "");
      node.refused(404, "GET", "/_slm/policy/nightly", "");
      node.refused(404, "DELETE", "/_slm/policy/nightly", "");
      assertThat(node.json("/_slm/policy").size()).isZero();
    }
  }

  @Test
  void oneIsMadeAtOnceAndWhatFailsIsTold() throws Exception {
    try (NodeFixture node = started()) {
      withRepository(node);
      node.ok("PUT", "/_slm/policy/p", POLICY.replace("0 30 1 * * ?", "30m"));
      String name = node.ok("PUT", "/_slm/policy/p/_execute", "").path("snapshot_name").asText();
      until(() -> taken(node, "p") == 1);
      assertThat(snapshots(node)).containsExactly(name);
      node.refused(400, "PUT", "/_slm/policy/none/_execute", "");

      node.ok("DELETE", "/books", "");
      node.refused(404, "PUT", "/_slm/policy/p/_execute", "");
      JsonNode after = policy(node, "p");
      assertThat(after.path("last_failure").path("details").asText())
          .contains("index_not_found_exception");
      assertThat(after.path("last_success").path("snapshot_name").asText()).isEqualTo(name);
      assertThat(after.path("stats").path("snapshots_failed").asInt()).isEqualTo(1);
      assertThat(after.has("in_progress")).isFalse();
      assertThat(node.json("/_health_report/slm").toString()).contains("\"status\":\"green\"");
      for (int i = 0; i < 4; i++) {
        node.refused(404, "PUT", "/_slm/policy/p/_execute", "");
      }
      assertThat(
              node.json("/_health_report/slm")
                  .path("indicators")
                  .path("slm")
                  .path("details")
                  .path("unhealthy_policies")
                  .path("invocations_since_last_success")
                  .path("p")
                  .asInt())
          .isEqualTo(5);
    }
  }

  @Test
  void noneIsFollowedWhileTheyAreStopped() throws Exception {
    try (NodeFixture node = started()) {
      withRepository(node);
      assertThat(node.json("/_slm/status").path("operation_mode").asText()).isEqualTo("RUNNING");
      node.ok("PUT", "/_slm/policy/a", POLICY.replace("0 30 1 * * ?", "1h"));
      node.ok("POST", "/_slm/stop", "");
      assertThat(node.json("/_slm/status").path("operation_mode").asText()).isEqualTo("STOPPED");
      assertThat(node.json("/_health_report").path("status").asText()).isEqualTo("yellow");
      passedMillis.addAndGet(Duration.ofHours(5).toMillis());
      node.ok("POST", "/_slm/start", "");
      assertThat(policy(node, "a").path("stats").path("snapshots_taken").asInt()).isZero();
      passedMillis.addAndGet(Duration.ofHours(1).toMillis());
      until(() -> taken(node, "a") == 1);
    }
  }

  @Test
  void anIndexThatWaitsForASnapshotGoesWhenThereIsOne() throws Exception {
    try (NodeFixture node = started()) {
      withRepository(node);
      node.ok(
          "PUT",
          "/_cluster/settings",
          "{\"persistent\":{\"indices.lifecycle.poll_interval\":\"1s\"}}");
      node.ok("PUT", "/_slm/policy/p", POLICY);
      node.ok(
          "PUT",
          "/_ilm/policy/waiting",
          "{\"policy\":{\"phases\":{\"delete\":{\"min_age\":\"0ms\",\"actions\":{"
              + "\"wait_for_snapshot\":{\"policy\":\"p\"},\"delete\":{}}}}}}");
      node.ok("PUT", "/films", "{\"settings\":{\"index.lifecycle.name\":\"waiting\"}}");
      until(() ->
          node.json("/films/_ilm/explain")
              .path("indices")
              .path("films")
              .path("step")
              .asText()
              .equals("wait-for-snapshot"));
      assertThat(node.get("/films").statusCode()).isEqualTo(200);

      passedMillis.addAndGet(1000);
      node.ok("PUT", "/_slm/policy/p/_execute", "");
      until(() -> node.get("/films").statusCode() == 404);
    }
  }

  @Test
  void aScheduleThatNeverComesIsAnsweredWithAWarning() throws Exception {
    try (NodeFixture node = started()) {
      withRepository(node);
      String never = POLICY.replace("0 30 1 * * ?", "0 0 0 31 2 ?");
      assertThat(node.call("PUT", "/_slm/policy/p", never).headers().firstValue("Warning"))
          .hasValueSatisfying(warning -> assertThat(warning).contains("never comes"));
      assertThat(node.call("PUT", "/_slm/policy/p", POLICY).headers().firstValue("Warning"))
          .isEmpty();
    }
  }

  @Test
  void whatMakesNoSenseIsRefused() throws Exception {
    try (NodeFixture node = started()) {
      withRepository(node);
      for (String body :
          List.of(
              "{}",
              POLICY.replace("0 30 1 * * ?", "0 30 1 * * *"),
              POLICY.replace("0 30 1 * * ?", "whenever"),
              POLICY.replace("0 30 1 * * ?", "0 * * * * ?"),
              POLICY.replace("0 30 1 * * ?", "14m"),
              POLICY.replace("0 30 1 * * ?", "0s"),
              POLICY.replace("nightly", "NIGHTLY"),
              POLICY.replace("<nightly-{now/d}>", "a b"),
              POLICY.replace("<nightly-{now/d}>", "<a-{now/x}>"),
              POLICY.replace("<nightly-{now/d}>", ""),
              POLICY.replace("\"r\"", "\"none\""),
              POLICY.replace("\"r\"", "\"\""),
              POLICY.replace("\"by\"", "\"policy\""),
              POLICY.replace("\"indices\"", "\"indexes\""),
              POLICY.replace("\"books\"", "5"),
              POLICY.replace("\"min_count\":1", "\"min_count\":3"),
              POLICY.replace("\"min_count\":1", "\"min_count\":0"),
              POLICY.replace("\"max_count\":2", "\"max_count\":0"),
              POLICY.replace("3d", "soon"),
              POLICY.replace("\"retention\"", "\"keep\""))) {
        node.refused(400, "PUT", "/_slm/policy/p", body);
      }
      for (String id : List.of("_p", "p%2Cq", "p%23", "p%20q", "p".repeat(256))) {
        assertThat(
                node.refused(400, "PUT", "/_slm/policy/" + id, POLICY)
                    .path("error")
                    .path("type")
                    .asText())
            .isEqualTo("action_request_validation_exception");
      }
      assertThat(node.json("/_slm/policy").size()).isZero();
      node.refused(
          400,
          "PUT",
          "/_cluster/settings",
          "{\"persistent\":{\"slm.retention_schedule\":\"often\"}}");
      node.ok("PUT", "/_cluster/settings", "{\"persistent\":{\"slm.minimum_interval\":\"1s\"}}");
      node.ok("PUT", "/_slm/policy/p", POLICY.replace("0 30 1 * * ?", "14m"));
      node.ok("PUT", "/_slm/policy/p", POLICY);
      assertThat(policy(node, "p").path("version").asInt()).isEqualTo(2);
    }
  }
}
