package dev.holdfast.routing;

import dev.holdfast.clusterstate.Member;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.world.Network;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.Tasks;
import dev.holdfast.world.World;
import dev.holdfast.world.concurrent.Await;
import java.io.IOException;
import java.time.Duration;
import java.util.Collections;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Which members this node does not reach. One whose call fails or takes long is asked for a sign
/// of life, every second until it gives one. While it has not, what can be asked of others is;
/// after [#MISSED_MAX] in vain it counts as out of reach. That is between the two of them: others
/// may reach it, and it stays a member as long as the leader does.
final class MemberReachability implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(MemberReachability.class);

  /// Whether a member lives, with nothing else asked.
  static final String PING = "cluster/reach"; // such calls wait behind no others

  static final int MISSED_MAX = 4;
  private static final Duration PING_MAX = Duration.ofSeconds(1);
  private static final byte[] NOTHING = new byte[0];

  private final World world;
  private final Network network;
  private final Metadata metadata;

  // Guarded by this.
  private final SortedMap<String, Doubted> doubted = new TreeMap<>();
  private boolean isClosed;

  private static final class Doubted {
    int missed;
    Tasks.@Nullable Task asking;
  }

  MemberReachability(World world, Network network, Metadata metadata) {
    this.world = world;
    this.network = network;
    this.metadata = metadata;
  }

  /// Answers other nodes' pings.
  static void serve(Network network) {
    network.serve(PING, _ -> NOTHING);
  }

  /// A call of this member failed, or takes long.
  synchronized void doubt(Member member) {
    if (isClosed || doubted.containsKey(member.id())) {
      return;
    }
    Doubted doubt = new Doubted();
    doubted.put(member.id(), doubt);
    doubt.asking =
        world
            .tasks()
            .start(
                "ping",
                () -> askUntilItAnswers(member, doubt),
                () -> doubted.remove(member.id(), doubt));
  }

  /// Whether it has not given a sign of life when it was last asked for one.
  synchronized boolean isSilent(String id) {
    Doubted doubt = doubted.get(id);
    return doubt != null && doubt.missed > 0;
  }

  synchronized boolean isLost(String id) {
    Doubted doubt = doubted.get(id);
    return doubt != null && doubt.missed >= MISSED_MAX;
  }

  /// Members out of reach, by ephemeral id.
  synchronized SortedSet<String> lost() {
    SortedSet<String> lost = new TreeSet<>();
    doubted.forEach((id, doubt) -> {
      if (doubt.missed >= MISSED_MAX) {
        lost.add(id);
      }
    });
    return Collections.unmodifiableSortedSet(lost);
  }

  private void askUntilItAnswers(Member member, Doubted doubt) throws InterruptedException {
    try {
      while (metadata.current().members().containsKey(member.id())) {
        long askedNanos = world.clock().nanoTime();
        if (answers(member)) {
          if (isLost(member.id())) {
            LOG.info("a member is in reach again [node={}]", member.id());
          }
          return;
        }
        synchronized (this) {
          doubt.missed++;
          if (doubt.missed == MISSED_MAX) {
            LOG.warn(
                "a member is out of reach [node={}, address={}]", member.id(), member.address());
          }
        }
        long left = PING_MAX.toNanos() - (world.clock().nanoTime() - askedNanos);
        Await.pause(world, Duration.ofNanos(Math.max(0, left)));
      }
    } finally {
      synchronized (this) {
        doubted.remove(member.id(), doubt);
      }
    }
  }

  private boolean answers(Member member) throws InterruptedException {
    try {
      byte[] _ =
          network.call(member.address(), PING, NamedNetwork.named(member.id(), NOTHING), PING_MAX);
      return true;
    } catch (IOException | Refusal e) {
      LOG.debug("a ping was not answered [node={}]", member.id(), e);
      return false;
    }
  }

  @Override
  public synchronized void close() {
    isClosed = true;
    for (Doubted doubt : doubted.values()) {
      if (doubt.asking != null) {
        doubt.asking.cancel();
      }
    }
  }
}
