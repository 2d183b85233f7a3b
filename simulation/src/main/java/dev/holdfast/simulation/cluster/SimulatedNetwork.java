package dev.holdfast.simulation.cluster;

import dev.holdfast.simulation.schedule.FailureText;
import dev.holdfast.simulation.schedule.Scheduler;
import dev.holdfast.simulation.schedule.SimulatedProcess;
import dev.holdfast.world.Network;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// What lies between simulated nodes: it takes time, breaks connections, and may be cut one way. A
/// frozen node answers late; where no process lives, connections are refused.
public final class SimulatedNetwork {
  private final Scheduler scheduler;
  private final Map<String, Port> ports = new TreeMap<>();
  private final Set<Way> cut = new LinkedHashSet<>();
  private final Set<Lost> lost = new LinkedHashSet<>();
  private final Map<String, Double> lostAnswers = new TreeMap<>();
  private double breakChance;
  private int delayMillisMax = 1;
  private @Nullable Transcript transcript;
  private long calls;

  SimulatedNetwork(Scheduler scheduler) {
    this.scheduler = scheduler;
  }

  /// One direction between two addresses.
  public record Way(String from, String to) {}

  /// Calls of a name to an address.
  private record Lost(String call, String to) {}

  /// From now on calls are written down.
  void transcribe(Transcript to) {
    transcript = to;
  }

  long calls() {
    return calls;
  }

  /// From now on calls take up to so long each way, and break with that chance.
  public void weather(int newDelayMillisMax, double newBreakChance) {
    delayMillisMax = newDelayMillisMax;
    breakChance = newBreakChance;
  }

  public void cut(Way way) {
    cut.add(way);
  }

  public void mend(Way way) {
    cut.remove(way);
  }

  public void mendAll() {
    cut.clear();
    lost.clear();
    lostAnswers.clear();
  }

  /// From now on calls of that name do not come to that address, or do again.
  public void lose(String call, String to, boolean isLost) {
    boolean _ = isLost ? lost.add(new Lost(call, to)) : lost.remove(new Lost(call, to));
  }

  /// From now on connections break with that chance when such a call has been served.
  public void loseAnswers(String call, double chance) {
    lostAnswers.put(call, chance);
  }

  /// The address of a process, which lives until the process is dead.
  Port port(String address, SimulatedProcess process) {
    Port port = new Port(address, process);
    ports.put(address, port);
    return port;
  }

  /// A process's end of the network.
  final class Port implements Network {
    private final String address;
    private final SimulatedProcess process;
    private final Map<String, Handler> handlers = new TreeMap<>();
    private final List<CompletableFuture<byte[]>> answering = new ArrayList<>();
    private boolean isClosed;

    private Port(String address, SimulatedProcess process) {
      this.address = address;
      this.process = process;
    }

    /// The member that speaks here.
    void isOf(String ephemeralId) {
      if (transcript != null) {
        transcript.named(ephemeralId, process.name());
      }
    }

    /// Something happens to the process.
    void tell(String what) {
      if (transcript != null) {
        transcript.happens(process.name(), what);
      }
    }

    @Override
    public void serve(String call, Handler handler) {
      if (handlers.putIfAbsent(call, handler) != null) {
        throw new IllegalStateException("served already [call=" + call + "]");
      }
    }

    /// Nobody is listened to any more; those who wait learn that their connection is gone.
    void close() {
      isClosed = true;
      if (ports.get(address) == this) {
        ports.remove(address);
      }
      List<CompletableFuture<byte[]>> broken = List.copyOf(answering);
      answering.clear();
      broken.forEach(SimulatedNetwork::breakOff);
    }

    @Override
    public byte[] call(String to, String call, byte[] request, Duration deadline)
        throws IOException, InterruptedException {
      calls++;
      if (transcript != null) {
        transcript.called(process.name(), to, call, request);
      }
      travel();
      Port there = ports.get(to);
      if (there == null) {
        throw new UnreachableException(
            "connection refused [address=" + to + "]", false, new ConnectException(to));
      }
      if (isBroken()) {
        throw new UnreachableException(
            "connection broken [address=" + to + "]", false, new SocketException("reset"));
      }
      boolean isCutOff = cut.contains(new Way(address, to)) || lost.contains(new Lost(call, to));
      CompletableFuture<byte[]> answer = new CompletableFuture<>();
      if (!isCutOff) {
        there.handle(address, call, request, answer);
      }
      try {
        byte[] bytes = process.world().sleeper().get(answer, deadline);
        travel();
        return bytes;
      } catch (TimeoutException e) {
        throw new UnreachableException("no answer [address=" + to + "]", true, e);
      } catch (ExecutionException e) {
        switch (e.getCause()) {
          case Refusal refusal -> throw refusal;
          case UnreachableException unreachable -> throw unreachable;
          case null, default -> throw new IOException(String.valueOf(e.getCause()), e.getCause());
        }
      } finally {
        there.answered(answer);
      }
    }

    private void handle(
        String from, String call, byte[] request, CompletableFuture<byte[]> answer) {
      Handler handler = handlers.get(call);
      if (handler == null) {
        answer.completeExceptionally(
            new UnreachableException(
                "the node does not answer such calls yet", false, new IOException(call)));
        return;
      }
      answering.add(answer);
      var _ =
          process
              .world()
              .tasks()
              .start(
                  "answer " + call,
                  () -> {
                    byte[] bytes = null;
                    Throwable failure = null;
                    try {
                      bytes = handler.answer(request);
                    } catch (Exception | Error e) {
                      failure = e;
                    }
                    if (cut.contains(new Way(address, from)) || isClosed) {
                      return; // nobody hears it
                    }
                    if (isBroken() || isLost(call)) {
                      breakOff(answer);
                    } else if (failure == null) {
                      answer.complete(bytes);
                    } else {
                      answer.completeExceptionally(sent(failure));
                    }
                  });
    }

    /// A failure as it travels: a refusal as it is, anything else as its message.
    private static Throwable sent(Throwable failure) {
      if (failure instanceof Refusal) {
        return failure;
      }
      return new IOException(FailureText.of(failure), failure);
    }

    @SuppressWarnings("ReferenceEquality") // this one call
    private void answered(CompletableFuture<byte[]> answer) {
      answering.removeIf(one -> one == answer);
    }

    private void travel() throws InterruptedException {
      long micros = 100L + process.world().chance().nextInt(delayMillisMax * 1000);
      process.world().sleeper().sleep(Duration.ofNanos(micros * 1000));
    }

    private boolean isLost(String call) {
      double chance = lostAnswers.getOrDefault(call, 0.0);
      return chance > 0 && process.world().chance().nextDouble() < chance;
    }

    private boolean isBroken() {
      return breakChance > 0 && process.world().chance().nextDouble() < breakChance;
    }
  }

  private static void breakOff(CompletableFuture<byte[]> answer) {
    answer.completeExceptionally(
        new Network.UnreachableException(
            "connection broken", true, new SocketException("connection reset")));
  }

  @Override
  public String toString() {
    return "network at " + scheduler.nowNanos();
  }
}
