package dev.holdfast.search.cache;

import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.compoundcommit.CompoundCommit;
import dev.holdfast.world.Promise;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Answers of shards to whole requests, as bytes. The commit is part of the key, so that no answer
/// is ever out of date; those of commits that nobody reads any more are dropped, and those not
/// asked for longest make room when the budget is spent.
public final class RequestCache {
  /// Objects around the bytes and letters of an entry, about.
  private static final int ENTRY_BYTES = 300;

  private final long bytesMax;

  // All guarded by this.
  private final LinkedHashMap<Key, byte[]> answers = new LinkedHashMap<>(16, 0.75f, true);
  private final Map<Commit, Set<Key>> byCommit = new HashMap<>();
  private final Map<ShardId, Counts> counts = new HashMap<>();
  private long bytes;

  /// @param bytesMax of all entries together; 0: nothing is kept
  public RequestCache(long bytesMax) {
    this.bytesMax = bytesMax;
  }

  /// A commit of a shard. Terms and generations name one commit for ever.
  public record Commit(ShardId shard, long primaryTerm, long generation) {
    public static Commit of(ShardId shard, CompoundCommit commit) {
      return new Commit(shard, commit.primaryTerm(), commit.generation());
    }
  }

  /// @param mappingVersion and the settings' version: what fields mean
  /// @param request everything else that the answer depends on
  public record Key(Commit commit, long mappingVersion, long settingsVersion, String request) {
    // The text, which may be long, is hashed once by String.
    long bytes(byte[] answer) {
      return ENTRY_BYTES + request.length() + (long) answer.length;
    }
  }

  private static final class Counts {
    long bytes;
    long evictions;
    long hits;
    long misses;
  }

  /// The answer, counted as a hit; null when there is none, which is not counted yet.
  public synchronized byte @Nullable [] find(Key key) {
    byte[] answer = answers.get(key);
    if (answer != null) {
      counts(key).hits++;
    }
    return answer;
  }

  /// Keeps an answer that had to be computed.
  public synchronized void put(Key key, byte[] answer) {
    counts(key).misses++;
    long more = key.bytes(answer);
    if (more > bytesMax || answers.containsKey(key)) {
      return;
    }
    answers.put(key, answer);
    byCommit.computeIfAbsent(key.commit, _ -> new HashSet<>()).add(key);
    add(key, more);
    while (bytes > bytesMax) {
      Key eldest = answers.firstEntry().getKey();
      counts(eldest).evictions++;
      remove(eldest);
    }
  }

  private Counts counts(Key key) {
    return counts.computeIfAbsent(key.commit.shard, _ -> new Counts());
  }

  private void add(Key key, long more) {
    bytes += more;
    Promise.keep(bytes >= 0, "what leaves the cache was counted when it came", "bytes", bytes);
    counts(key).bytes += more;
  }

  private void remove(Key key) {
    byte[] answer = answers.remove(key);
    Set<Key> ofCommit = byCommit.get(key.commit);
    if (ofCommit != null) {
      ofCommit.remove(key);
      if (ofCommit.isEmpty()) {
        byCommit.remove(key.commit);
      }
    }
    if (answer != null) {
      add(key, -key.bytes(answer));
    }
  }

  /// Drops the answers of a commit that nobody will ask for again.
  public synchronized void drop(Commit commit) {
    Set<Key> keys = byCommit.get(commit);
    if (keys != null) {
      Set.copyOf(keys).forEach(this::remove);
    }
  }

  /// Drops the answers of some shards.
  public synchronized void clear(Predicate<ShardId> isMeant) {
    for (Commit commit : Set.copyOf(byCommit.keySet())) {
      if (isMeant.test(commit.shard)) {
        drop(commit);
      }
    }
  }

  /// Forgets what was counted of shards that are gone.
  public synchronized void keepOnly(Predicate<ShardId> isHere) {
    clear(isHere.negate());
    for (Iterator<ShardId> known = counts.keySet().iterator(); known.hasNext(); ) {
      if (!isHere.test(known.next())) {
        known.remove();
      }
    }
  }

  public synchronized Map<ShardId, RequestCacheFigures> figures() {
    Map<ShardId, RequestCacheFigures> figures = new HashMap<>();
    counts.forEach((shard, of) ->
        figures.put(shard, new RequestCacheFigures(of.bytes, of.evictions, of.hits, of.misses)));
    return figures;
  }
}
