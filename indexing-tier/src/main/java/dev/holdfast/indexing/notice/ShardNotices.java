package dev.holdfast.indexing.notice;

import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.Member;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.Role;
import dev.holdfast.clusterstate.ShardAssignment.Copy;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.compoundcommit.BlobId;
import dev.holdfast.compoundcommit.CompoundCommit;
import dev.holdfast.compoundcommit.notice.CommitNotice;
import dev.holdfast.compoundcommit.notice.InUse;
import dev.holdfast.compoundcommit.notice.SearchMembers;
import dev.holdfast.indexing.node.ShardNotHere;
import dev.holdfast.indexing.node.TierMeasures;
import dev.holdfast.indexing.notice.IndexingShardInfo.CopySight;
import dev.holdfast.world.World;
import dev.holdfast.world.concurrent.Await;
import dev.holdfast.world.concurrent.FanOut;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What the search copies of a shard have been told, and what they said they still read (§4.1,
/// §6.1). Copies are those of the cluster state at the time, also those that are leaving; one that
/// has left the state needs not be told: its member has said that it answers no searches.
public final class ShardNotices {
  private static final Logger LOG = LoggerFactory.getLogger(ShardNotices.class);
  private static final Duration RETRY_PAUSE = Duration.ofMillis(100);

  private final World world;
  private final Metadata metadata;
  private final SearchMembers search;
  private final ShardId shard;
  private final long primaryTerm;
  private final ReentrantLock sending = new ReentrantLock();

  // Guarded by this.
  private final TreeMap<String, CopyKnown> copies = new TreeMap<>();
  private @Nullable CompoundCommit newest;
  private @Nullable BlobId newestUploaded;
  private long newestStateVersion;

  private final CopyLags lags;

  /// Any copy was searched then; null: none ever.
  private @Nullable Long searchedNanos;

  public ShardNotices(
      World world,
      Metadata metadata,
      SearchMembers search,
      TierMeasures measures,
      ShardId shard,
      long primaryTerm) {
    this.world = world;
    this.metadata = metadata;
    this.search = search;
    this.shard = shard;
    this.primaryTerm = primaryTerm;
    this.lags = new CopyLags(measures.lagSeconds());
  }

  /// A commit whose operations are all durable; older ones than the newest are not news.
  public synchronized void durable(CompoundCommit commit) {
    if (newest == null || newest.generation() < commit.generation()) {
      newest = commit;
      newestStateVersion = state().version();
      lags.durable(commit.generation(), world.clock().nanoTime());
    }
  }

  /// Of the newest commit that is durable; -1 for none.
  public synchronized long newestGeneration() {
    return newest == null ? -1 : newest.generation();
  }

  /// The copies of the cluster state, and others that may still read.
  public synchronized SortedMap<String, CopySight> sights() {
    TreeSet<String> members = new TreeSet<>(copies.keySet());
    members.addAll(state().assignment(shard).copies().keySet());
    long nowNanos = world.clock().nanoTime();
    SortedMap<String, CopySight> sights = new TreeMap<>();
    for (String member : members) {
      CopyKnown copy = copies.get(member);
      InUse inUse = copy == null ? InUse.NOTHING : copy.inUse();
      boolean isHere = state().assignment(shard).hasCopy(member);
      if (isHere || !inUse.blobs().isEmpty()) {
        long lagMillis = isHere ? lags.lagNanos(member, nowNanos) / 1_000_000 : 0;
        sights.put(member, new CopySight(lags.generation(member), lagMillis, inUse.generations()));
      }
    }
    return sights;
  }

  public synchronized void uploaded(BlobId blob) {
    newestUploaded = blob;
  }

  /// Whether some copy lacks news.
  public boolean isBehind() {
    return !untold(state()).isEmpty();
  }

  /// When the copy that has been silent longest last answered.
  public synchronized long toldNanos() {
    return copies.values().stream()
        .mapToLong(CopyKnown::answeredNanos)
        .min()
        .orElseGet(world.clock()::nanoTime);
  }

  /// By member; those that have not answered this owner yet are missing.
  public synchronized SortedMap<String, InUse> inUse() {
    SortedMap<String, InUse> all = new TreeMap<>();
    copies.forEach((member, copy) -> all.put(member, copy.inUse()));
    return all;
  }

  /// How long ago any copy was searched; empty when none was while this node owned the shard.
  public synchronized Optional<Duration> sinceSearch() {
    return searchedNanos == null
        ? Optional.empty()
        : Optional.of(Duration.ofNanos(world.clock().nanoTime() - searchedNanos));
  }

  public synchronized void searched() {
    searchedNanos = world.clock().nanoTime();
  }

  /// The newest that a refresh may have been answered for, to a copy that opens it now.
  public synchronized @Nullable CommitNotice newest(String member) {
    if (newest == null) {
      return null;
    }
    copies.computeIfAbsent(member, _ -> new CopyKnown()).asks(newest);
    return notice(newest);
  }

  private CommitNotice notice(CompoundCommit commit) {
    return new CommitNotice(
        shard, commit, Optional.ofNullable(newestUploaded), newestStateVersion, primaryTerm);
  }

  /// Tells the newest to every copy that lacks it; when this returns every later search sees it.
  ///
  /// @param patience how long copies that fail are tried again: one that dies leaves the cluster
  ///   state within this time
  public void tell(Duration patience) throws IOException, InterruptedException {
    sending.lockInterruptibly();
    try {
      long startNanos = world.clock().nanoTime();
      while (true) {
        ClusterState state = state();
        if (state.primaryTerm(shard) > primaryTerm) {
          throw ShardNotHere.of(shard); // no copy takes notices of an earlier owner
        }
        forgetGone(state);
        List<String> untold = untold(state);
        if (untold.isEmpty()) {
          return;
        }
        IOException failure = tell(untold);
        if (failure != null) {
          if (world.clock().nanoTime() - startNanos >= patience.toNanos()) {
            throw failure;
          }
          Await.pause(world, RETRY_PAUSE);
        }
      }
    } finally {
      sending.unlock();
    }
  }

  /// Returns a failure when some copy failed.
  private @Nullable IOException tell(List<String> members) throws InterruptedException {
    if (members.size() == 1) {
      return tellOne(members.getFirst());
    }
    List<Callable<Optional<IOException>>> telling = new ArrayList<>(members.size());
    members.forEach(member -> telling.add(() -> Optional.ofNullable(tellOne(member))));
    IOException failure = null;
    for (FanOut.Outcome<Optional<IOException>> told :
        FanOut.of(world, "notice").outcomes(telling)) {
      failure =
          switch (told) {
            case FanOut.Done<Optional<IOException>>(Optional<IOException> missed) ->
                missed.orElse(failure);
            case FanOut.Failed<Optional<IOException>>(Throwable why) ->
                new IOException("a search copy could not be told [shard=" + shard + "]", why);
            case FanOut.Late<Optional<IOException>> _ ->
                throw new IllegalStateException("late, though there is no deadline");
          };
    }
    return failure;
  }

  private @Nullable IOException tellOne(String member) {
    CommitNotice notice;
    int asked;
    synchronized (this) {
      CompoundCommit commit = newest;
      if (commit == null) {
        return null;
      }
      notice = notice(commit);
      CopyKnown copy = copies.computeIfAbsent(member, _ -> new CopyKnown());
      copy.isTold(commit);
      asked = copy.asked();
    }
    try {
      answered(member, notice, asked, search.member(member).commit(notice));
      return null;
    } catch (IOException | RuntimeException e) {
      LOG.debug("a search copy did not take a notice [shard={}, member={}]", shard, member, e);
      return new IOException(
          "a search copy did not take a notice [shard="
              + shard
              + ", member="
              + member
              + ", reason="
              + e.getMessage()
              + "]",
          e);
    }
  }

  private synchronized void answered(String member, CommitNotice notice, int asked, InUse answer) {
    CopyKnown copy = copies.computeIfAbsent(member, _ -> new CopyKnown());
    long nowNanos = world.clock().nanoTime();
    lags.serves(member, notice.commit().generation(), nowNanos);
    copy.answered(notice, asked, answer, nowNanos);
    if (answer.sinceSearchMillis() >= 0) {
      long searched = nowNanos - answer.sinceSearchMillis() * 1_000_000;
      searchedNanos = searchedNanos == null ? searched : Math.max(searchedNanos, searched);
    }
  }

  /// Asks every search node what it reads of the shard, told or not: a copy that was moved away may
  /// still end its searches. False when one does not answer: nothing may be deleted then.
  public boolean askAll() {
    ClusterState state = state();
    forgetGone(state);
    for (Member member : state.members().values()) {
      if (!member.roles().contains(Role.SEARCH)) {
        continue;
      }
      try {
        int asked;
        synchronized (this) {
          CopyKnown copy = copies.get(member.id());
          asked = copy == null ? 0 : copy.asked();
        }
        InUse use = search.member(member.id()).inUse(shard, state.version());
        synchronized (this) {
          CopyKnown copy = copies.computeIfAbsent(member.id(), _ -> new CopyKnown());
          boolean isCopy = state.assignment(shard).copies().containsKey(member.id());
          copy.said(asked, isCopy, use, world.clock().nanoTime());
        }
      } catch (IOException | RuntimeException e) {
        LOG.info(
            "a search node does not say what it reads, nothing is deleted [shard={}, member={}]",
            shard,
            member.id(),
            e);
        return false;
      }
    }
    return true;
  }

  private ClusterState state() {
    return metadata.current();
  }

  /// Members that left the cluster answer no searches, so what they read does not count.
  private synchronized void forgetGone(ClusterState state) {
    copies.keySet().retainAll(state.members().keySet());
  }

  /// A copy that is starting asks for the newest commit once more when it has started and before it
  /// is searched: no refresh waits for it while others are searched.
  private synchronized List<String> untold(ClusterState state) {
    List<String> untold = new ArrayList<>();
    CompoundCommit commit = newest;
    if (commit == null) {
      return untold;
    }
    SortedMap<String, Copy> known = state.assignment(shard).copies();
    boolean isSearched =
        known.entrySet().stream()
            .anyMatch(
                one -> one.getValue() == Copy.STARTED && state.members().containsKey(one.getKey()));
    for (Map.Entry<String, Copy> one : known.entrySet()) {
      String member = one.getKey();
      CopyKnown copy = copies.get(member);
      boolean mayWait = isSearched && one.getValue() == Copy.STARTING;
      if (!mayWait
          && state.members().containsKey(member)
          && (copy == null || !copy.knows(commit, newestUploaded))) {
        untold.add(member);
      }
    }
    return untold;
  }

  /// Tells again what was told, to hear what is read now.
  public synchronized void mustTellAgain() {
    copies.values().forEach(CopyKnown::mustBeTold);
  }
}
