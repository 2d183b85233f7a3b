package dev.holdfast.node.routing;

import dev.holdfast.clusterstate.Member;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.compoundcommit.call.Caller;
import dev.holdfast.world.Network;
import dev.holdfast.world.Network.UnreachableException;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.Tasks;
import dev.holdfast.world.World;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/// The other nodes of the cluster, by their ids. Who waits for one that leaves the cluster waits no
/// longer.
public final class Peers {
  /// How often somebody who waits looks whether the other node is still a member.
  private static final Duration LOOK = Duration.ofMillis(200);

  private final World world;
  private final Network network;
  private final Metadata metadata;

  public Peers(World world, Network network, Metadata metadata) {
    this.world = world;
    this.network = network;
    this.metadata = metadata;
  }

  public Caller member(String id) {
    return (name, request, deadline) -> call(id, name, request, deadline);
  }

  private byte[] call(String id, String name, byte[] request, Duration deadline)
      throws IOException, InterruptedException {
    Member member = metadata.current().members().get(id);
    if (member == null) {
      throw gone(id, false);
    }
    CompletableFuture<byte[]> answer = new CompletableFuture<>();
    Tasks.Task calling =
        world
            .tasks()
            .start(
                "call",
                () -> {
                  try {
                    byte[] named = NamedNetwork.named(id, request);
                    answer.complete(network.call(member.address(), name, named, deadline));
                  } catch (Throwable e) {
                    answer.completeExceptionally(e);
                  }
                });
    boolean isDone = false;
    try {
      byte[] answered = await(id, answer);
      isDone = true;
      return answered;
    } finally {
      if (!isDone) {
        calling.cancel();
      }
    }
  }

  private byte[] await(String id, CompletableFuture<byte[]> answer)
      throws IOException, InterruptedException {
    while (true) {
      try {
        return world.sleeper().get(answer, LOOK);
      } catch (TimeoutException e) {
        if (!metadata.current().members().containsKey(id)) {
          throw gone(id, true);
        }
      } catch (ExecutionException e) {
        switch (e.getCause()) {
          case IOException io -> throw io;
          case Refusal refusal when NamedNetwork.isOther(refusal) -> throw gone(id, false);
          case RuntimeException runtime -> throw runtime;
          case InterruptedException interrupted ->
              throw new UnreachableException("the call was given up", true, interrupted);
          case null, default -> throw new IOException("a call failed [node=" + id + "]", e);
        }
      }
    }
  }

  private static UnreachableException gone(String id, boolean mayHaveArrived) {
    return new UnreachableException(
        "the node has left the cluster [node=" + id + "]",
        mayHaveArrived,
        new IllegalStateException("no member of the cluster state"));
  }
}
