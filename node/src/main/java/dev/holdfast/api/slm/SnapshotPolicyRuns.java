package dev.holdfast.api.slm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.slm.StoredSnapshotPolicies.Stored;
import dev.holdfast.api.snapshot.SnapshotMaking;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.http.ErrorBody;
import dev.holdfast.indexing.snapshot.SnapshotManifest;
import dev.holdfast.indexing.snapshot.SnapshottedShard;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.World;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Follows snapshot policies: the node that leads begins a snapshot when one is due, and at most
/// one a policy at a time. That it was due is in the state before the snapshot begins, and what
/// became of it after it has ended, so a policy that was due while nobody led runs once when
/// somebody does.
final class SnapshotPolicyRuns {
  private static final Logger LOG = LoggerFactory.getLogger(SnapshotPolicyRuns.class);

  /// How often a node looks what is due.
  private static final Duration LOOK = Duration.ofSeconds(1);

  private final World world;
  private final Metadata metadata;
  private final SnapshotMaking making;
  private final RetentionRuns retention;
  private final String self;

  /// Snapshots of policies that this node is making, by name.
  private final Set<String> here = ConcurrentHashMap.newKeySet();

  /// What became of snapshots, and is not in the state yet, by name.
  private final Map<String, Ended> ended = new ConcurrentHashMap<>();

  /// @param self this node's ephemeral id
  SnapshotPolicyRuns(SnapshotMaking making, RetentionRuns retention, String self) {
    this.world = making.world();
    this.metadata = making.metadata();
    this.making = making;
    this.retention = retention;
    this.self = self;
  }

  private record Ended(String policy, Consumer<ObjectNode> note) {}

  /// Follows the policies from now on.
  void start() {
    var _ = world.tasks().repeat("snapshot-policies", LOOK, this::lookAgain);
  }

  /// What keeps the state from changing now may have gone at the next look.
  private void lookAgain() throws InterruptedException {
    try {
      note();
      if (metadata.leaderId().equals(self)) {
        look(metadata.current());
      }
    } catch (Refusal e) {
      LOG.warn("snapshot policies will be followed later", e);
    }
  }

  private void look(ClusterState state) throws InterruptedException {
    noteLost(state);
    if (StoredSnapshotPolicies.mode(state).equals(StoredSnapshotPolicies.STOPPED)) {
      return;
    }
    long now = world.clock().epochMillis();
    for (Stored stored : StoredSnapshotPolicies.all(state).values()) {
      if (stored.running() == null && isDue(state, stored, now)) {
        runDue(stored.policy().id());
      }
    }
    retention.runWhenDue(state, now);
  }

  static boolean isDue(ClusterState state, Stored stored, long now) {
    long modified = SnapshotSchedule.known(stored.modifiedMillis(), now);
    long scheduled = SnapshotSchedule.known(stored.scheduledMillis(), now);
    long followed = SnapshotSchedule.known(StoredSnapshotPolicies.sinceMillis(state), now);
    long since = Math.max(Math.max(modified, scheduled), followed);
    long next = stored.policy().schedule().nextAfter(since, modified);
    return next >= 0 && next <= now;
  }

  private void runDue(String id) throws InterruptedException {
    try {
      LOG.info("a snapshot policy is due [policy={}, snapshot={}]", id, run(id, true));
    } catch (IOException | Refusal e) {
      LOG.warn("a snapshot policy cannot make its snapshot [policy={}]", id, e);
    }
  }

  /// Begins a snapshot of a policy.
  ///
  /// @param isScheduled whether it is due; else somebody asked for it
  /// @return its name
  /// @throws Refusal also for a policy that is not there; what is wrong with one that is, is kept
  ///   with it
  String run(String id, boolean isScheduled) throws IOException, InterruptedException {
    long now = world.clock().epochMillis();
    SnapshotPolicy policy = required(id);
    String name = policy.snapshotName(now, snapshotChance());
    here.add(name);
    boolean hasBegun = false;
    try {
      metadata.update(
          "snapshot-policy [" + id + "]",
          state ->
              StoredSnapshotPolicies.changed(
                  state, id, kept -> begin(kept, name, now, isScheduled)));
      making.begin(
          policy.repository(),
          name,
          policy.request(),
          (made, why) -> end(id, name, now, made, why));
      hasBegun = true;
      return name;
    } catch (IOException | Refusal e) {
      end(id, name, now, null, e);
      throw e;
    } finally {
      if (!hasBegun) {
        here.remove(name);
      }
    }
  }

  /// One that this node has not heard of may be in the leader's state.
  private SnapshotPolicy required(String id) throws InterruptedException {
    Stored stored = StoredSnapshotPolicies.find(metadata.current(), id);
    if (stored == null) {
      ClusterState newest = metadata.update("snapshot-policy [" + id + "]", state -> state);
      stored = StoredSnapshotPolicies.find(newest, id);
    }
    if (stored == null) {
      throw Refusal.badArgument("no such snapshot lifecycle policy [" + id + "]");
    }
    return stored.policy();
  }

  private String snapshotChance() {
    return world.ids().uuid();
  }

  private void begin(ObjectNode kept, String name, long now, boolean isScheduled) {
    if (isScheduled) {
      kept.put("scheduled_millis", now);
    }
    kept.putObject("running").put("name", name).put("node", self).put("start_time_millis", now);
  }

  private void end(
      String id,
      String name,
      long startMillis,
      @Nullable SnapshotManifest made,
      @Nullable Exception why)
      throws InterruptedException {
    long now = world.clock().epochMillis();
    String fault = why != null ? why(why) : made == null ? "there is no snapshot" : fault(made);
    Consumer<ObjectNode> note =
        fault.isEmpty()
            ? kept -> succeeded(kept, name, startMillis, now)
            : kept -> failed(kept, name, startMillis, now, fault);
    ended.put(name, new Ended(id, note));
    try {
      note();
    } catch (Refusal e) {
      LOG.warn("what became of a snapshot will be noted later [snapshot={}]", name, e);
    }
  }

  /// As a client would see it.
  private static String why(Exception e) {
    Refusal told = ErrorBody.refusal(e);
    return Json.object().put("type", told.type().type()).put("reason", told.reason()).toString();
  }

  private static String fault(SnapshotManifest made) {
    List<SnapshottedShard> shards = made.shards();
    long failed = shards.stream().filter(shard -> !shard.isThere()).count();
    return failed == 0
        ? ""
        : Json.object()
            .put("type", "snapshot_exception")
            .put(
                "reason",
                "["
                    + made.name()
                    + "] failed to create snapshot successfully, "
                    + failed
                    + " out of "
                    + shards.size()
                    + " total shards failed")
            .toString();
  }

  /// Puts into the state what became of snapshots of this node.
  private void note() throws InterruptedException {
    for (Map.Entry<String, Ended> one : List.copyOf(ended.entrySet())) {
      Ended what = one.getValue();
      metadata.update(
          "snapshot-policy [" + what.policy + "] ended",
          state -> StoredSnapshotPolicies.changed(state, what.policy, what.note));
      ended.remove(one.getKey(), what);
      here.remove(one.getKey());
    }
  }

  /// Snapshots whose makers are gone have failed.
  private void noteLost(ClusterState state) throws InterruptedException {
    for (Stored stored : StoredSnapshotPolicies.all(state).values()) {
      JsonNode running = stored.running();
      if (running == null) {
        continue;
      }
      String node = running.path("node").asText();
      String name = running.path("name").asText();
      boolean isLost =
          node.equals(self) ? !here.contains(name) : !state.members().containsKey(node);
      if (isLost) {
        long now = world.clock().epochMillis();
        metadata.update(
            "snapshot-policy [" + stored.policy().id() + "] lost",
            before ->
                StoredSnapshotPolicies.changed(
                    before,
                    stored.policy().id(),
                    kept ->
                        failed(
                            kept,
                            name,
                            running.path("start_time_millis").asLong(),
                            now,
                            "the node that made it is gone [node=" + node + "]")));
      }
    }
  }

  static void succeeded(ObjectNode kept, String name, long startMillis, long now) {
    if (isNoted(kept, name)) {
      return;
    }
    ended(kept, name);
    kept.putObject("last_success")
        .put("snapshot_name", name)
        .put("start_time", startMillis)
        .put("time", now);
    kept.put("failures_since_success", 0);
    StoredSnapshotPolicies.count(kept.withObjectProperty("stats"), "snapshots_taken");
  }

  static void failed(ObjectNode kept, String name, long startMillis, long now, String details) {
    if (isNoted(kept, name)) {
      return;
    }
    ended(kept, name);
    kept.putObject("last_failure")
        .put("snapshot_name", name)
        .put("start_time", startMillis)
        .put("time", now)
        .put("details", details);
    StoredSnapshotPolicies.count(kept, "failures_since_success");
    StoredSnapshotPolicies.count(kept.withObjectProperty("stats"), "snapshots_failed");
  }

  /// Who made it and who looks what is due may both find that it has ended, and a state that says
  /// it runs may be older than its end: it counts once. Names of snapshots are unique.
  private static boolean isNoted(ObjectNode kept, String name) {
    return kept.path("last_success").path("snapshot_name").asText().equals(name)
        || kept.path("last_failure").path("snapshot_name").asText().equals(name);
  }

  private static void ended(ObjectNode kept, String name) {
    if (kept.path("running").path("name").asText().equals(name)) {
      kept.remove("running");
    }
  }
}
