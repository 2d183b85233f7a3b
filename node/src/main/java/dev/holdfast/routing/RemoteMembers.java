package dev.holdfast.routing;

import dev.holdfast.clusterstate.Member;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.compoundcommit.call.Caller;
import dev.holdfast.world.Network;
import dev.holdfast.world.Network.UnreachableException;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.World;
import dev.holdfast.world.concurrent.FanOut;
import java.io.IOException;
import java.time.Duration;
import java.util.SortedSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

/// The other nodes of the cluster, by their ids. Who waits for one that leaves the cluster waits no
/// longer; nor, unless it wants to, for one that is out of reach.
public final class RemoteMembers implements AutoCloseable {
  /// How often somebody who waits looks whether the other node is still a member.
  private static final Duration LOOK = Duration.ofMillis(100);

  /// Who has waited so long has reason to ask whether the other node lives.
  private static final Duration LONG = Duration.ofMillis(500);

  private final World world;
  private final Network network;
  private final Metadata metadata;
  private final MemberReachability reach;

  public RemoteMembers(World world, Network network, Metadata metadata) {
    this.world = world;
    this.network = network;
    this.metadata = metadata;
    this.reach = new MemberReachability(world, network, metadata);
  }

  /// Answers what other nodes' peers ask.
  public static void serve(Network network) {
    MemberReachability.serve(network);
  }

  /// Members that this node calls in vain, by ephemeral id.
  public SortedSet<String> lost() {
    return reach.lost();
  }

  /// For calls that are worth waiting for: what may have been done is not known until it answers.
  public Caller member(String id) {
    return (name, request, deadline) -> call(id, name, request, deadline, true);
  }

  /// For calls that do no harm when they are made again, or elsewhere: they fail as soon as the
  /// member gives no sign of life, long before their deadline.
  public Caller memberInReach(String id) {
    return (name, request, deadline) -> call(id, name, request, deadline, false);
  }

  private byte[] call(String id, String name, byte[] request, Duration deadline, boolean isPatient)
      throws IOException, InterruptedException {
    Member member = metadata.current().members().get(id);
    if (member == null) {
      throw gone(id, false);
    }
    if (!isPatient && reach.isSilent(id)) {
      throw outOfReach(id, false);
    }
    AtomicLong doubtNanos = new AtomicLong(world.clock().nanoTime() + LONG.toNanos());
    byte[] named = NamedNetwork.named(id, request);
    try {
      return FanOut.of(world, "call")
          .unless(LOOK, () -> isVain(member, isPatient, doubtNanos))
          .cancelling()
          .one(() -> network.call(member.address(), name, named, deadline));
    } catch (TimeoutException e) {
      throw metadata.current().members().containsKey(id) ? outOfReach(id, true) : gone(id, true);
    } catch (ExecutionException e) {
      switch (e.getCause()) {
        case UnreachableException unreachable -> {
          reach.doubt(member);
          throw unreachable;
        }
        case IOException io -> throw io;
        case Refusal refusal when NamedNetwork.isOther(refusal) -> throw gone(id, false);
        case RuntimeException runtime -> throw runtime;
        case InterruptedException interrupted ->
            throw new UnreachableException("the call was given up", true, interrupted);
        case null, default -> throw new IOException("a call failed [node=" + id + "]", e);
      }
    }
  }

  /// Whether an answer is waited for in vain; doubts a member that takes long.
  private boolean isVain(Member member, boolean isPatient, AtomicLong doubtNanos) {
    if (!metadata.current().members().containsKey(member.id())) {
      return true;
    }
    long nowNanos = world.clock().nanoTime();
    if (nowNanos - doubtNanos.get() >= 0) {
      reach.doubt(member);
      doubtNanos.set(nowNanos + LONG.toNanos());
    }
    return !isPatient && reach.isSilent(member.id());
  }

  private static UnreachableException outOfReach(String id, boolean mayHaveArrived) {
    return new UnreachableException(
        "the node does not answer [node=" + id + "]",
        mayHaveArrived,
        new IOException("it is a member, but gives no sign of life"));
  }

  private static UnreachableException gone(String id, boolean mayHaveArrived) {
    return new UnreachableException(
        "the node has left the cluster [node=" + id + "]",
        mayHaveArrived,
        new IllegalStateException("no member of the cluster state"));
  }

  @Override
  public void close() {
    reach.close();
  }
}
