package dev.holdfast.world;

import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/// A network between nodes of one process, with the faults of a real one: crashed nodes refuse
/// connections, ways are cut in one direction, calls are lost on the way there or back.
public final class MemoryNetwork {
  private final World world;
  private final Map<String, Map<String, Network.Handler>> nodes = new ConcurrentHashMap<>();
  private final Set<Way> cut = ConcurrentHashMap.newKeySet();
  private volatile double lossChance;

  public MemoryNetwork(World world) {
    this.world = world;
  }

  private record Way(String from, String to) {}

  /// A node's own end: what it serves, it serves at `address`.
  public Network at(String address) {
    Map<String, Network.Handler> serving = new ConcurrentHashMap<>();
    nodes.put(address, serving);
    return new End(address, serving);
  }

  /// Nothing listens at that address any more, and nothing is sent from there.
  public void crash(String address) {
    nodes.remove(address);
  }

  /// What `from` sends to `to` is lost from now on; the other direction works.
  public void cut(String from, String to) {
    cut.add(new Way(from, to));
  }

  /// Cuts both directions.
  public void part(String one, String other) {
    cut(one, other);
    cut(other, one);
  }

  public void healAll() {
    cut.clear();
    lossChance = 0;
  }

  /// Each request and each answer is lost with that chance.
  public void lose(double chance) {
    lossChance = chance;
  }

  private boolean isLost(String from, String to) {
    return cut.contains(new Way(from, to))
        || (lossChance > 0 && world.chance().nextDouble() < lossChance);
  }

  private final class End implements Network {
    private final String self;
    private final Map<String, Handler> serving;

    End(String self, Map<String, Handler> serving) {
      this.self = self;
      this.serving = serving;
    }

    @Override
    public void serve(String call, Handler handler) {
      if (serving.putIfAbsent(call, handler) != null) {
        throw new IllegalStateException("served already [call=" + call + "]");
      }
    }

    @Override
    public byte[] call(String address, String call, byte[] request, Duration deadline)
        throws IOException, InterruptedException {
      CompletableFuture<byte[]> answer = new CompletableFuture<>();
      boolean isHere = nodes.get(self) == serving;
      if (isHere && !isLost(self, address)) {
        Map<String, Handler> there = nodes.get(address);
        Handler handler = there == null ? null : there.get(call);
        if (handler == null) {
          throw new UnreachableException(
              "connection refused [address=" + address + "]", false, new ConnectException());
        }
        world.tasks().start("call " + call, () -> run(address, there, handler, request, answer));
      }
      try {
        return world.sleeper().get(answer, deadline);
      } catch (TimeoutException e) {
        throw new UnreachableException("no answer [address=" + address + "]", true, e);
      } catch (ExecutionException e) {
        if (e.getCause() instanceof Refusal refusal) {
          throw refusal;
        }
        throw new IOException(String.valueOf(e.getCause()), e.getCause());
      }
    }

    private void run(
        String address,
        Map<String, Handler> there,
        Handler handler,
        byte[] request,
        CompletableFuture<byte[]> answer) {
      byte[] bytes = null;
      Throwable failure = null;
      try {
        bytes = handler.answer(request);
      } catch (InterruptedException e) {
        return; // the node died
      } catch (Exception | Error e) {
        failure = e;
      }
      if (isLost(address, self) || nodes.get(address) != there) {
        return;
      }
      if (failure != null) {
        answer.completeExceptionally(failure);
      } else {
        answer.complete(bytes);
      }
    }
  }
}
