package dev.holdfast.api.slm;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.slm.SnapshotRetention.Made;
import dev.holdfast.api.slm.StoredSnapshotPolicies.Stored;
import dev.holdfast.api.snapshot.SnapshotDeletion;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.repository.Repositories;
import dev.holdfast.http.TimeValue;
import dev.holdfast.indexing.repository.RepositoryStores;
import dev.holdfast.indexing.repository.SnapshotRepository;
import dev.holdfast.indexing.repository.SnapshotRepository.Found;
import dev.holdfast.indexing.snapshot.SnapshotManifest;
import dev.holdfast.indexing.snapshot.SnapshotState;
import dev.holdfast.objectstore.open.StoreClock;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.World;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Deletes the snapshots of policies that have grown too old or too many: at the time of
/// `slm.retention_schedule`, or when somebody asks for it, one run at a time on a node. Who asks
/// while one runs gets another after it: that one may have looked before what is meant was there.
final class RetentionRuns {
  private static final Logger LOG = LoggerFactory.getLogger(RetentionRuns.class);
  private static final String SCHEDULE = "slm.retention_schedule";
  private static final String SCHEDULE_BY_DEFAULT = "0 30 1 * * ?";
  private static final String DURATION = "slm.retention_duration";
  private static final Duration DURATION_BY_DEFAULT = Duration.ofHours(1);

  private final World world;
  private final Metadata metadata;
  private final RepositoryStores stores;
  private final SnapshotDeletion deletion;
  private final StoreClock storeClock;
  private final long openedMillis;

  /// Runs that were asked for and have not ended: the one that runs, and one for all who asked
  /// since.
  private final AtomicInteger asked = new AtomicInteger();

  RetentionRuns(
      World world,
      Metadata metadata,
      RepositoryStores stores,
      SnapshotDeletion deletion,
      StoreClock storeClock) {
    this.world = world;
    this.metadata = metadata;
    this.stores = stores;
    this.deletion = deletion;
    this.storeClock = storeClock;
    this.openedMillis = world.clock().epochMillis();
  }

  /// Begins a run if one is due: one that was due before this node was there is not made up for.
  void runWhenDue(ClusterState state, long now) throws InterruptedException {
    Object set = state.setting(SCHEDULE);
    String schedule = set == null ? SCHEDULE_BY_DEFAULT : set.toString();
    long ran =
        SnapshotSchedule.known(
            StoredSnapshotPolicies.retention(state).path("ran_millis").asLong(), now);
    long opened = SnapshotSchedule.known(openedMillis, now);
    long next;
    try {
      next =
          schedule.isBlank()
              ? -1 // never
              : SnapshotSchedule.parse(schedule).nextAfter(Math.max(ran, opened), opened);
    } catch (IllegalArgumentException e) {
      LOG.debug("[{}] is no schedule", schedule, e);
      return;
    }
    if (next >= 0 && next <= now) {
      metadata.update(
          "snapshot retention",
          before ->
              StoredSnapshotPolicies.withRetention(before, kept -> kept.put("ran_millis", now)));
      begin();
    }
  }

  /// Begins a run behind the request, or has one follow that which runs.
  void begin() {
    if (asked.getAndUpdate(runs -> Math.min(runs + 1, 2)) == 0) {
      var _ = world.tasks().start("snapshot-retention", this::runAll, () -> asked.set(0));
    }
  }

  private void runAll() throws InterruptedException {
    boolean hasEnded = false;
    try {
      do {
        run();
      } while (asked.decrementAndGet() > 0);
      hasEnded = true;
    } finally {
      if (!hasEnded) {
        asked.set(0);
      }
    }
  }

  private void run() throws InterruptedException {
    long startNanos = world.clock().nanoTime();
    boolean hasFailed = false;
    boolean isLate = false;
    ClusterState state = metadata.current();
    long max = duration(state).toNanos();
    for (Stored stored : StoredSnapshotPolicies.all(state).values()) {
      SnapshotRetention retention = stored.policy().retention();
      if (retention != null && !isLate) {
        try {
          isLate = !retain(state, stored.policy(), retention, startNanos, max);
        } catch (IOException | Refusal e) {
          LOG.warn("the retention of a policy failed [policy={}]", stored.policy().id(), e);
          hasFailed = true;
        }
      }
    }
    count(startNanos, hasFailed, isLate);
  }

  private static Duration duration(ClusterState state) {
    Object set = state.setting(DURATION);
    return set == null ? DURATION_BY_DEFAULT : TimeValue.parse(DURATION, set.toString());
  }

  private void count(long startNanos, boolean hasFailed, boolean isLate)
      throws InterruptedException {
    long millis = (world.clock().nanoTime() - startNanos) / 1_000_000;
    metadata.update(
        "snapshot retention ended",
        state ->
            StoredSnapshotPolicies.withRetention(
                state,
                kept -> {
                  StoredSnapshotPolicies.count(kept, "runs");
                  if (hasFailed) {
                    StoredSnapshotPolicies.count(kept, "failed");
                  }
                  if (isLate) {
                    StoredSnapshotPolicies.count(kept, "timed_out");
                  }
                  kept.put("millis", kept.path("millis").asLong() + millis);
                }));
  }

  /// The clock of the node that made it may have been wrong then, and nobody who reads it now
  /// knows: the store knows when it was written. A repository that was copied is as old as the
  /// copy.
  static long agesSinceMillis(SnapshotManifest manifest, long writtenMillis) {
    return writtenMillis - manifest.endMillis() > SnapshotSchedule.SKEW_MAX_MILLIS
        ? writtenMillis
        : manifest.startMillis();
  }

  /// @return whether there was time for all
  private boolean retain(
      ClusterState state,
      SnapshotPolicy policy,
      SnapshotRetention retention,
      long startNanos,
      long maxNanos)
      throws IOException, InterruptedException {
    SnapshotRepository repository = stores.open(Repositories.of(state, policy.repository()));
    List<Made> made = new ArrayList<>();
    Map<String, Long> written = repository.writtenMillis();
    for (Found found : repository.all()) {
      SnapshotManifest manifest = found.manifest();
      if (manifest != null
          && manifest.state().isFinished()
          && manifest.about().path("metadata").path("policy").asText().equals(policy.id())) {
        boolean isWhole = manifest.state() == SnapshotState.SUCCESS;
        long agesSince = agesSinceMillis(manifest, written.getOrDefault(manifest.name(), 0L));
        made.add(new Made(manifest.name(), manifest.startMillis(), agesSince, isWhole));
      }
    }
    List<String> due = retention.due(made, world.clock().epochMillis());
    if (due.isEmpty() || !storeClock.agrees()) {
      return true;
    }
    for (String name : due) {
      if (world.clock().nanoTime() - startNanos > maxNanos) {
        return false;
      }
      String counted = "snapshots_deleted";
      try {
        deletion.delete(repository, name);
      } catch (IOException | Refusal e) {
        LOG.warn("a snapshot that is too old cannot be deleted [snapshot={}]", name, e);
        counted = "snapshot_deletion_failures";
      }
      String stat = counted;
      Consumer<ObjectNode> one =
          kept -> StoredSnapshotPolicies.count(kept.withObjectProperty("stats"), stat);
      metadata.update(
          "snapshot retention of [" + policy.id() + "]",
          before -> StoredSnapshotPolicies.changed(before, policy.id(), one));
    }
    return true;
  }
}
