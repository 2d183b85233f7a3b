package dev.holdfast.search.choice;

import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.Tasks;
import dev.holdfast.world.World;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
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
    Map<String, CompletableFuture<Answered<T>>> running = new LinkedHashMap<>();
    List<Tasks.Task> tasks = new ArrayList<>();
    List<String> here = new ArrayList<>();
    boolean isDone = false;
    try {
      for (Map.Entry<String, Asking<T>> entry : asking.entrySet()) {
        CompletableFuture<Answered<T>> future = new CompletableFuture<>();
        running.put(entry.getKey(), future);
        if (entry.getKey().startsWith(self)) {
          here.add(entry.getKey());
        } else {
          tasks.add(
              world.tasks().start("ask-search-node", () -> complete(future, entry.getValue())));
        }
      }
      for (String name : here) {
        Asking<T> question = asking.get(name);
        CompletableFuture<Answered<T>> future = running.get(name);
        if (question != null && future != null) {
          future.complete(answer(question));
        }
      }
      Map<String, Answered<T>> answered = new LinkedHashMap<>();
      for (Map.Entry<String, CompletableFuture<Answered<T>>> entry : running.entrySet()) {
        answered.put(entry.getKey(), await(entry.getValue()));
      }
      isDone = true;
      return answered;
    } finally {
      if (!isDone) {
        tasks.forEach(Tasks.Task::cancel);
      }
    }
  }

  private static <T> void complete(CompletableFuture<Answered<T>> future, Asking<T> question)
      throws InterruptedException {
    try {
      future.complete(answer(question));
    } catch (InterruptedException e) {
      future.complete(new Answered<>(null, new IOException("interrupted", e)));
      throw e;
    }
  }

  private static <T> Answered<T> answer(Asking<T> question) throws InterruptedException {
    try {
      return new Answered<>(question.ask(), null);
    } catch (IOException | RuntimeException | Error e) {
      return new Answered<>(null, e);
    }
  }

  private <T> Answered<T> await(CompletableFuture<Answered<T>> future)
      throws IOException, InterruptedException {
    while (true) {
      try {
        return world.sleeper().get(future, POLL);
      } catch (TimeoutException e) {
        if (isCancelled.getAsBoolean()) {
          throw new Refusal(ErrorType.TASK_CANCELLED, "task cancelled", e);
        }
      } catch (java.util.concurrent.ExecutionException e) {
        throw new IOException("a search node could not be asked", e);
      }
    }
  }
}
