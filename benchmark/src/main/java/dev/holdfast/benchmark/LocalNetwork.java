package dev.holdfast.benchmark;

import dev.holdfast.world.Network;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.World;
import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/// A network between the nodes of one process, without delays. A dead node refuses connections.
final class LocalNetwork {
  private final Map<String, Map<String, Network.Handler>> nodes = new ConcurrentHashMap<>();

  /// A node's own end.
  ///
  /// @param world whose threads serve its calls
  Network at(String address, World world) {
    Map<String, Network.Handler> serving = new ConcurrentHashMap<>();
    nodes.put(address, serving);
    return new End(world, serving);
  }

  /// Nobody listens at that address any more.
  void kill(String address) {
    nodes.remove(address);
  }

  private final class End implements Network {
    private final World world;
    private final Map<String, Handler> serving;

    End(World world, Map<String, Handler> serving) {
      this.world = world;
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
      Map<String, Handler> there = nodes.get(address);
      Handler handler = there == null ? null : there.get(call);
      if (handler == null) {
        throw new UnreachableException(
            "connection refused [address=" + address + "]", false, new ConnectException(address));
      }
      CompletableFuture<byte[]> answer = new CompletableFuture<>();
      var _ =
          world
              .tasks()
              .start(
                  "call",
                  () -> {
                    try {
                      answer.complete(handler.answer(request));
                    } catch (Exception | Error e) {
                      answer.completeExceptionally(e);
                    }
                  });
      try {
        return world.sleeper().get(answer, deadline);
      } catch (TimeoutException e) {
        throw new UnreachableException("no answer [address=" + address + "]", true, e);
      } catch (ExecutionException e) {
        if (e.getCause() instanceof Refusal refusal) {
          throw refusal;
        }
        throw new IOException("a call failed [call=" + call + "]", e.getCause());
      }
    }
  }
}
