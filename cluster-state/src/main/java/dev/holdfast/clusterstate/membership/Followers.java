package dev.holdfast.clusterstate.membership;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.clusterstate.ClusterConfig;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.Member;
import dev.holdfast.clusterstate.lease.HeldLease;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.Tasks;
import dev.holdfast.world.World;
import dev.holdfast.world.concurrent.Await;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The other members as their leader sees them: what each was told and has answered. One task a
/// member tells it the newest state, so that a slow one delays nobody else.
final class Followers implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Followers.class);

  /// A member that has a state older than so many versions is told the whole state.
  private static final int HISTORY_MAX = 64;

  private final World world;
  private final ClusterConfig config;
  private final MemberCalls peers;
  private final HeldLease lease;
  private final String self;
  private final Predicate<String> isMember;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition isNews = lock.newCondition();
  private final SortedMap<String, Follower> followers = new TreeMap<>();
  private final TreeMap<Long, ClusterState> history = new TreeMap<>();
  private final List<Waiting> waiting = new ArrayList<>();
  private boolean isClosed;
  private long lookedNanos;

  /// Looks whether those that wait have had their time, until this is closed; null before the first
  /// state. A task of its own: what looks after the members waits for states itself.
  private Tasks.@Nullable Task proceeding;

  /// Since when this process has looked after its members without a long pause.
  private long awakeNanos;

  /// @param isMember false of those that are being evicted
  Followers(Surroundings around, HeldLease lease, String self, Predicate<String> isMember) {
    this.world = around.world();
    this.config = around.config();
    this.peers = new MemberCalls(around.network(), self);
    this.lease = lease;
    this.self = self;
    this.isMember = isMember;
    lookedNanos = world.clock().nanoTime();
    awakeNanos = lookedNanos;
  }

  /// One member. Guarded by the lock.
  private static final class Follower {
    final Member member;
    long have;
    long heardNanos;
    Duration contactMax = MemberMessages.Beat.CONTACT_UNSAID;
    int refusals;
    boolean isAsked;
    boolean isGone;

    Follower(Member member, long heardNanos) {
      this.member = member;
      this.heardNanos = heardNanos;
    }
  }

  /// Someone who waits until all know a version.
  private record Waiting(long version, long deadlineNanos, Runnable then) {}

  /// Tells all members of `now`, and goes on with `then` when they know it, or have had their time.
  void announce(ClusterState now, Runnable then) {
    long nanos = world.clock().nanoTime();
    lock.lock();
    try {
      history.put(now.version(), now);
      while (history.size() > HISTORY_MAX) {
        history.pollFirstEntry();
      }
      follow(now, nanos);
      waiting.add(new Waiting(now.version(), nanos + config.acknowledgeMax().toNanos(), then));
      if (proceeding == null && !isClosed) {
        proceeding = world.tasks().repeat("state-acknowledge", config.watchEvery(), this::proceed);
      }
      isNews.signalAll();
    } finally {
      lock.unlock();
    }
    proceed();
  }

  private void follow(ClusterState now, long nanos) {
    followers
        .values()
        .removeIf(follower -> {
          follower.isGone = !now.members().containsKey(follower.member.id());
          return follower.isGone;
        });
    for (Member member : now.members().values()) {
      if (!member.id().equals(self) && !followers.containsKey(member.id()) && !isClosed) {
        Follower follower = new Follower(member, nanos);
        followers.put(member.id(), follower);
        var _ = world.tasks().start("cluster-tell", () -> tellForEver(follower));
      }
    }
  }

  private void tellForEver(Follower follower) throws InterruptedException {
    while (true) {
      MemberMessages.News news;
      lock.lock();
      try {
        while (!follower.isGone && !isClosed && follower.have >= history.lastKey()) {
          isNews.await();
        }
        if (follower.isGone || isClosed) {
          return;
        }
        news = news(follower.member.id(), follower.have);
      } finally {
        lock.unlock();
      }
      tell(follower, news);
    }
  }

  /// The newest state for a member that has the one of version `have`.
  MemberMessages.News news(String id, long have) {
    // The generation is taken first: a member that is not being evicted yet was none at that time.
    long generation = lease.generation();
    long ageNanos = Math.max(0, world.clock().nanoTime() - lease.seenNanos());
    MemberMessages.Standing standing =
        new MemberMessages.Standing(lease.term(), generation, isMember.test(id), ageNanos);
    lock.lock();
    try {
      return MemberMessages.News.of(
          standing, Optional.ofNullable(history.get(have)), history.lastEntry().getValue());
    } finally {
      lock.unlock();
    }
  }

  private void tell(Follower follower, MemberMessages.News news) throws InterruptedException {
    try {
      JsonNode answer =
          peers.call(
              MemberCalls.Peer.of(follower.member),
              MemberMessages.STATE,
              news.json(),
              config.callMax());
      heard(follower.member.id(), answer.path("version").asLong());
    } catch (IOException | RuntimeException | Error e) { // nobody else would tell it
      if (e instanceof IOException || e instanceof Refusal) {
        LOG.debug("a member was not told of the state [node={}]", follower.member.id(), e);
      } else {
        LOG.warn("a member could not be told of the state [node={}]", follower.member.id(), e);
      }
      Await.pause(world, config.beatEvery().dividedBy(5));
    }
  }

  /// A member tells that it lives, and for how long it will answer.
  void beaten(MemberMessages.Beat beat) {
    lock.lock();
    try {
      Follower follower = followers.get(beat.id());
      if (follower != null) {
        follower.contactMax = beat.contactMax();
      }
    } finally {
      lock.unlock();
    }
    heard(beat.id(), beat.version());
  }

  /// A member gave a sign of life.
  ///
  /// @param version of the newest state it has
  void heard(String id, long version) {
    lock.lock();
    try {
      Follower follower = followers.get(id);
      if (follower != null) {
        follower.have = version;
        follower.heardNanos = world.clock().nanoTime();
        follower.refusals = 0;
        isNews.signalAll();
      }
    } finally {
      lock.unlock();
    }
    proceed();
  }

  /// Lets those go on whose version all know; called when anything changes, and now and then.
  private void proceed() {
    List<Runnable> ready = new ArrayList<>();
    long now = world.clock().nanoTime();
    lock.lock();
    try {
      waiting.removeIf(one -> {
        boolean isReady =
            one.deadlineNanos() - now <= 0
                || followers.values().stream()
                    .allMatch(f -> f.have >= one.version() || isSilent(f, now));
        if (isReady) {
          ready.add(one.then());
        }
        return isReady;
      });
    } finally {
      lock.unlock();
    }
    ready.forEach(Runnable::run);
  }

  private boolean isSilent(Follower follower, long now) {
    return now - follower.heardNanos > config.acknowledgeMax().toNanos();
  }

  /// Asks those whose beat is overdue whether they live, all at once, and names those that do not.
  List<Member> overdue() {
    List<Member> dead = new ArrayList<>();
    for (Follower follower : all()) {
      if (Eviction.asksFor(silence(follower), config) && beginsAsking(follower)) {
        var _ = world.tasks().start("member-ping", () -> ping(follower));
      }
      lock.lock();
      try {
        if (Eviction.isDue(silence(follower), follower.refusals, follower.contactMax, config)) {
          dead.add(follower.member);
        }
      } finally {
        lock.unlock();
      }
    }
    return dead;
  }

  /// Whether a member beats: that another does not reach it is between the two of them.
  boolean hears(String id) {
    Follower follower;
    lock.lock();
    try {
      follower = followers.get(id);
    } finally {
      lock.unlock();
    }
    return follower != null && silence(follower).compareTo(config.contactMax()) <= 0;
  }

  /// How many have not been heard for so long that they doubt their leader.
  int silent() {
    int silent = 0;
    for (Follower follower : all()) {
      if (silence(follower).compareTo(config.contactMax()) > 0) {
        silent++;
      }
    }
    return silent;
  }

  /// Silence while this process listened: after a pause of its own everybody has their time anew.
  private Duration silence(Follower follower) {
    lock.lock();
    try {
      long now = world.clock().nanoTime();
      if (Eviction.hasSlept(Duration.ofNanos(now - lookedNanos), config)) {
        LOG.info("this process stood still: its members have their time anew");
        awakeNanos = now;
      }
      lookedNanos = now;
      return Duration.ofNanos(Math.min(now - follower.heardNanos, now - awakeNanos));
    } finally {
      lock.unlock();
    }
  }

  private Collection<Follower> all() {
    lock.lock();
    try {
      return List.copyOf(followers.values());
    } finally {
      lock.unlock();
    }
  }

  private boolean beginsAsking(Follower follower) {
    lock.lock();
    try {
      boolean begins = !follower.isAsked;
      follower.isAsked = true;
      return begins;
    } finally {
      lock.unlock();
    }
  }

  /// Only a refused connection counts: who answers slowly has its time of silence.
  private void ping(Follower follower) throws InterruptedException {
    boolean isRefused = false;
    try {
      var _ =
          peers.call(
              MemberCalls.Peer.of(follower.member),
              MemberMessages.PING,
              Json.object(),
              config.beatEvery());
    } catch (IOException | Refusal e) {
      isRefused = MemberCalls.isDeadEnd(e);
    } finally {
      lock.lock();
      try {
        follower.refusals = isRefused ? follower.refusals + 1 : 0;
        follower.isAsked = false;
      } finally {
        lock.unlock();
      }
    }
  }

  /// Tells all that their leader has stopped, and waits a moment for them to hear it.
  void stopped(Duration max) throws InterruptedException {
    List<Tasks.Task> telling = new ArrayList<>();
    for (Follower follower : all()) {
      telling.add(
          world
              .tasks()
              .start(
                  "cluster-stopped",
                  () -> {
                    try {
                      var _ =
                          peers.call(
                              MemberCalls.Peer.of(follower.member),
                              MemberMessages.STOPPED,
                              Json.object(),
                              max);
                    } catch (IOException | Refusal e) {
                      LOG.debug("a member was not told of the stop [node={}]", follower, e);
                    }
                  }));
    }
    for (Tasks.Task task : telling) {
      task.join();
    }
  }

  @Override
  public void close() {
    lock.lock();
    try {
      isClosed = true;
      isNews.signalAll();
      if (proceeding != null) {
        proceeding.cancel();
      }
    } finally {
      lock.unlock();
    }
  }
}
