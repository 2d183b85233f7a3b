package dev.holdfast.search.choice;

import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.World;
import dev.holdfast.world.concurrent.FanOut;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// Asks several nodes at once and waits for all; this node, or a lone one, on the caller's thread.
public final class Fanout {
  private static final Duration POLL = Duration.ofMillis(50);

  private final World world;
  private final String self;
  private final BooleanSupplier isCancelled;

  public Fanout(World world, String self, BooleanSupplier isCancelled) {
    this.world = world;
    this.self = self;
    this.isCancelled = isCancelled;
  }

  /// A question to one node.
  @FunctionalInterface
  public interface Asking<T> {
    T ask() throws IOException, InterruptedException;
  }

  /// One of both.
  public record Answered<T>(@Nullable T answer, @Nullable Throwable failure) {}

  /// Answers by the name of the question, in order.
  ///
  /// @param asking names that are this node's id, or begin with it, are asked here
  /// @throws Refusal `task_cancelled_exception` when the client left meanwhile
  public <T> Map<String, Answered<T>> ask(Map<String, Asking<T>> asking)
      throws IOException, InterruptedException {
    List<String> names = List.copyOf(asking.keySet());
    List<Callable<T>> pieces = new ArrayList<>(names.size());
    for (Asking<T> question : asking.values()) {
      pieces.add(question::ask);
    }
    List<FanOut.Outcome<T>> outcomes =
        FanOut.of(world, "ask-search-node")
            .unless(POLL, isCancelled)
            .cancelling()
            .outcomes(pieces, i -> names.get(i).startsWith(self));
    Map<String, Answered<T>> answered = new LinkedHashMap<>();
    for (int i = 0; i < outcomes.size(); i++) {
      answered.put(
          names.get(i),
          switch (outcomes.get(i)) {
            case FanOut.Done<T>(T answer) -> new Answered<>(answer, null);
            case FanOut.Failed<T>(InterruptedException why) ->
                new Answered<>(null, new IOException("interrupted", why));
            case FanOut.Failed<T>(Throwable why) -> new Answered<>(null, why);
            case FanOut.Late<T> _ -> throw new Refusal(ErrorType.TASK_CANCELLED, "task cancelled");
          });
    }
    return answered;
  }
}
