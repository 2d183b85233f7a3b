package dev.holdfast.simulation.cluster;

import dev.holdfast.clusterstate.IndexId;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.compoundcommit.BlobId;
import dev.holdfast.compoundcommit.CompoundCommit;
import dev.holdfast.compoundcommit.store.CommitStore;
import dev.holdfast.objectstore.MemoryStore;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.ObjectStore.Listed;
import dev.holdfast.objectstore.StoreException;
import dev.holdfast.simulation.cluster.Intercepted.Verb;
import dev.holdfast.simulation.schedule.Alarm;
import dev.holdfast.simulation.schedule.FailureText;
import dev.holdfast.simulation.schedule.Scheduler;
import dev.holdfast.simulation.schedule.SimulatedProcess;
import dev.holdfast.world.Chance;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The one store of a cluster, seen from the inside: every request that takes effect passes here,
/// is made part of the history, and is checked against what must never happen (§5, §6).
public final class StoreWatch {
  private static final Pattern LEADER = Pattern.compile("\"leader\":\"([^\"]*)\"");

  private final MemoryStore memory = new MemoryStore();
  private final SharedStore shared;
  private final Scheduler scheduler;
  private final Alarm alarm;

  /// Shards with operations in a translog file, by its key.
  private final Map<String, Set<ShardId>> logged = new HashMap<>();

  private final Readers readers;
  private final Set<String> late = new HashSet<>();
  private @Nullable Transcript transcript;
  private boolean keepsIndices = true;

  /// Looks at what search copies read that have begun and not ended.
  private int looks;

  private long requests;
  private long deletes;

  /// @param readers says what search copies read at the moment of a delete
  StoreWatch(Scheduler scheduler, Alarm alarm, Readers readers) {
    this.readers = readers;
    this.scheduler = scheduler;
    this.alarm = alarm;
    this.shared = new SharedStore(memory, alarm);
  }

  /// The store with what others keep in it, as processes see it.
  public SharedStore shared() {
    return shared;
  }

  public long requests() {
    return requests;
  }

  public long deletes() {
    return deletes;
  }

  /// What the cluster has stored, without any check.
  public ObjectStore raw() {
    return memory;
  }

  /// Keys that begin so, in order.
  public List<String> keys(String prefix) {
    return memory.list(prefix, "", Integer.MAX_VALUE).stream().map(Listed::key).toList();
  }

  /// Takes objects away behind everybody's back.
  public void remove(Collection<String> keys) {
    memory.deleteAll(List.copyOf(keys));
  }

  /// The store as a process reaches it.
  public ObjectStore seenBy(SimulatedProcess process) {
    return new Intercepted(
        shared,
        new Intercepted.Interceptor() {
          @Override
          public <T> T around(Intercepted.Call call, Intercepted.Request<T> request)
              throws StoreException {
            requests++;
            scheduler.note(call.verb() + " " + call.key());
            if (call.verb() == Verb.DELETE) {
              checkDelete(process, call.keys());
              deleteSome(process, call.keys());
            } else if (call.verb() == Verb.PUT_IF_ABSENT && isLate(call.key())) {
              late.add(call.key());
            }
            Transcript told = transcript;
            return told == null ? request.send() : transcribed(told, process, call, request);
          }
        });
  }

  /// From now on writes are written down.
  void transcribe(Transcript to) {
    transcript = to;
  }

  private <T> T transcribed(
      Transcript told,
      SimulatedProcess process,
      Intercepted.Call call,
      Intercepted.Request<T> request)
      throws StoreException {
    if (!call.verb().isWrite() || call.verb() == Verb.DELETE) {
      return request.send();
    }
    Optional<ObjectStore.StoredObject> before = memory.get(call.key());
    T answer = request.send();
    try {
      told.stored(process.name(), call, answer, before, memory.get(call.key()));
    } catch (IOException e) {
      alarm.violated("what was written can't be read: " + FailureText.of(e));
    }
    return answer;
  }

  /// A delete of many is not one deed: at times only some are gone when it fails.
  private void deleteSome(SimulatedProcess process, List<String> keys) throws StoreException {
    Chance chance = process.world().chance();
    if (keys.size() > 1 && chance.nextInt(10) == 0) {
      memory.deleteAll(keys.stream().filter(key -> chance.nextInt(2) == 0).toList());
      throw new StoreException.Unavailable("injected: some were deleted", null);
    }
  }

  /// Whether the blob is one of an owner that has a successor: nobody looks for it before the
  /// shard's next owner does.
  private boolean isLate(String key) {
    if (!key.startsWith("shards/")) {
      return false;
    }
    String term = key.substring(0, key.lastIndexOf('/'));
    String shard = term.substring(0, term.lastIndexOf('/') + 1);
    List<Listed> newest = memory.list(shard, "", 1);
    return !newest.isEmpty() && newest.getFirst().key().compareTo(term) < 0;
  }

  /// Ephemeral id of the node in the lease; empty before the first.
  String leader() {
    Optional<ObjectStore.StoredObject> lease = memory.get("cluster/lease");
    if (lease.isEmpty()) {
      return "";
    }
    Matcher found = LEADER.matcher(new String(lease.get().bytes(), StandardCharsets.ISO_8859_1));
    return found.find() ? found.group(1) : "";
  }

  /// From now on whole indices are deleted, which takes the blobs of their newest commits: what is
  /// missing before its time is for clients to notice.
  public void expectDeletedIndices() {
    keepsIndices = false;
  }

  private void checkDelete(SimulatedProcess process, List<String> keys) {
    deletes += keys.size();
    if (keepsIndices
        && keys.stream().anyMatch(key -> key.startsWith("log/") || key.startsWith("shards/"))) {
      newestCommits()
          .forEach((shard, commit) -> {
            checkDelete(process, keys, shard, commit);
            checkReaders(process, keys, shard);
          });
    }
  }

  /// What search copies of a shard read now, by process.
  @FunctionalInterface
  interface Readers {
    Map<String, SortedSet<BlobId>> blobs(ShardId shard);
  }

  /// Whether a look at what search copies read waits for a lock of theirs. Where the process that
  /// holds it was killed, the look never ends, and with it the delete that it watches.
  public boolean isLooking() {
    return looks > 0;
  }

  private Map<String, SortedSet<BlobId>> readNow(ShardId shard) {
    looks++;
    try {
      return readers.blobs(SimulatedCluster.named(shard));
    } finally {
      looks--;
    }
  }

  private void checkReaders(SimulatedProcess process, List<String> keys, ShardId shard) {
    readNow(shard)
        .forEach((reader, blobs) -> {
          for (BlobId blob : blobs) {
            if (keys.contains(blob.key(shard))) {
              alarm.violated(
                  "a blob is deleted that a search copy reads [process="
                      + process
                      + ", reader="
                      + reader
                      + ", shard="
                      + shard
                      + ", blob="
                      + blob
                      + "]");
            }
          }
        });
  }

  private void checkDelete(
      SimulatedProcess process, List<String> keys, ShardId shard, CompoundCommit newest) {
    SortedSet<String> blobs = new TreeSet<>();
    newest.blobs().forEach(blob -> blobs.add(blob.key(shard)));
    String log = "log/" + newest.translog().nodeEphemeralId() + "/";
    for (String key : keys) {
      if (blobs.contains(key)) {
        alarm.violated(
            "a blob of the newest commit is deleted [process="
                + process
                + ", key="
                + key
                + ", commit="
                + newest.generation()
                + "]");
      }
      boolean isReplayed = key.startsWith(log) && ordinal(key) >= newest.translog().ordinal();
      if (isReplayed
          && logged.getOrDefault(key, Set.of()).contains(SimulatedCluster.named(shard))) {
        alarm.violated(
            "a translog file is deleted that a recovery would replay [process="
                + process
                + ", key="
                + key
                + ", shard="
                + shard
                + ", begins="
                + newest.translog().ordinal()
                + "]");
      }
      if (isReplayed && memory.list(log, key, 1).isEmpty()) {
        alarm.violated(
            "the newest file of a log is deleted: nobody finds its end [process="
                + process
                + ", key="
                + key
                + "]");
      }
    }
  }

  /// A node stops for a failure of the store, all of which pass here.
  void gaveUp(SimulatedProcess process, String why) {
    alarm.violated(
        "a node gave itself up for a store that comes back [process="
            + process
            + ", why="
            + why
            + "]");
  }

  /// A node has added operations of the shard to a file of its log.
  void logged(String nodeEphemeralId, long ordinal, ShardId shard) {
    String key = String.format(Locale.ROOT, "log/%s/%016x", nodeEphemeralId, ordinal);
    logged.computeIfAbsent(key, k -> new HashSet<>()).add(shard);
  }

  private static long ordinal(String key) {
    return Long.parseLong(key.substring(key.lastIndexOf('/') + 1), 16);
  }

  /// What a recovery of each shard would open now.
  private SortedMap<ShardId, CompoundCommit> newestCommits() {
    TreeMap<ShardId, CompoundCommit> commits =
        new TreeMap<>((a, b) -> a.folder().compareTo(b.folder()));
    try {
      for (ShardId shard : shards()) {
        new CommitStore(memory, shard).newest().ifPresent(commit -> commits.put(shard, commit));
      }
    } catch (IOException e) {
      alarm.violated("a commit in the store can't be read: " + FailureText.of(e));
    }
    return commits;
  }

  private List<ShardId> shards() {
    List<ShardId> shards = new ArrayList<>();
    String after = "shards/";
    while (true) {
      List<Listed> next = memory.list("shards/", after, 1);
      if (next.isEmpty()) {
        return shards;
      }
      String[] parts = next.getFirst().key().split("/");
      ShardId shard = new ShardId(new IndexId(parts[2], parts[2]), Integer.parseInt(parts[3]));
      shards.add(shard);
      after = shard.folder() + "~"; // behind all of the shard's blobs
    }
  }

  /// Blobs that no newest commit needs, and that their shard's owner can know of.
  public SortedSet<String> orphans() {
    SortedSet<String> orphans = new TreeSet<>();
    memory.list("shards/", "", Integer.MAX_VALUE).forEach(listed -> orphans.add(listed.key()));
    orphans.removeAll(late);
    newestCommits()
        .forEach(
            (shard, commit) -> commit.blobs().forEach(blob -> orphans.remove(blob.key(shard))));
    return orphans;
  }
}
