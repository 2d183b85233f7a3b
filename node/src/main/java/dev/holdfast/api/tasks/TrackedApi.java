package dev.holdfast.api.tasks;

import dev.holdfast.api.indices.resolve.DateMathNames;
import dev.holdfast.api.indices.resolve.PathNames;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.http.RequestMemory;
import dev.holdfast.http.Verb;
import dev.holdfast.world.Clock;
import dev.holdfast.world.StopSignal;
import dev.holdfast.world.concurrent.Patience;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// An API whose requests are tasks while they run: listed, and cancelled with their client or by
/// another. Names of indices with dates in them are made plain on the way.
public final class TrackedApi implements Api {
  private static final List<String> NAMES = List.of("index", "target", "new_index", "alias");

  private final RunningTasks tasks;
  private final Clock clock;
  private final String action;
  private final boolean isStoppable;
  private final boolean onlyReads;
  private final PathNames names;
  private final Api api;

  /// @param verbs of the route
  /// @param path of the route, with `{names}`
  public TrackedApi(RunningTasks tasks, Clock clock, String verbs, String path, Api api) {
    this.tasks = tasks;
    this.clock = clock;
    this.action = TaskActions.of(verbs, path);
    this.isStoppable = TaskActions.isStoppable(action, path);
    this.onlyReads = isStoppable || TaskActions.onlyRead(verbs);
    this.names = PathNames.of(verbs, path);
    this.api = api;
  }

  @Override
  public Answer handle(ApiRequest request) throws Exception {
    String description = request.verb() + " " + request.path();
    boolean isCancellable = isStoppable || action.startsWith("indices:data/");
    RunningTask task =
        tasks.begin(action, description, request.headers().get("x-opaque-id"), isCancellable);
    try {
      BooleanSupplier left = request.isCancelled();
      BooleanSupplier isCancelled = () -> task.isCancelled() || left.getAsBoolean();
      ApiRequest tracked =
          new ApiRequest(
              request.verb(),
              request.path(),
              plain(request.pathValues()),
              request.parameters(),
              request.headers(),
              request.body(),
              request.large(),
              request.accepts(),
              isCancelled);
      // Writes end by themselves, whole or not at all.
      Callable<Answer> stoppable =
          onlyReads
              ? () ->
                  StopSignal.of(isCancelled, clock)
                      .sharing()
                      .<Answer, Exception>during(() -> unlessCancelled(tracked))
              : () -> api.handle(tracked);
      Answer answer =
          Patience.LEADER.during(
              () -> leaderPatience(tracked),
              () -> Patience.SHARD.during(() -> shardPatience(tracked), stoppable));
      if (!reads(request.verb())) {
        RequestMemory.settle();
      }
      return answer;
    } finally {
      tasks.end(task);
    }
  }

  /// A request that is short never looks, and may have waited for its turn longer than its client.
  private Answer unlessCancelled(ApiRequest request) throws Exception {
    StopSignal.lookForCancelling();
    return api.handle(request);
  }

  private boolean reads(Verb verb) {
    return verb == Verb.GET || verb == Verb.HEAD || isStoppable;
  }

  /// Less than a millisecond is as long as is allowed, as in Elasticsearch.
  private static @Nullable Duration leaderPatience(ApiRequest request) {
    Duration wanted = request.duration("master_timeout");
    return wanted == null || wanted.toMillis() == 0 ? null : wanted;
  }

  /// `timeout` of a write, or of what makes and opens shards, is for these; reads mean something
  /// else by it.
  private @Nullable Duration shardPatience(ApiRequest request) {
    boolean isOfShards =
        !action.startsWith("indices:data/read/") && !action.startsWith("cluster:monitor/");
    return isOfShards ? request.duration("timeout") : null;
  }

  private Map<String, String> plain(Map<String, String> values) {
    names.check(values);
    if (values.values().stream().noneMatch(value -> value.indexOf('<') >= 0)) {
      return values;
    }
    Map<String, String> plain = new LinkedHashMap<>(values);
    values.forEach((name, given) -> {
      boolean isOfIndices = NAMES.contains(name) || names.variables().contains(name);
      if (isOfIndices && given.indexOf('<') >= 0) {
        plain.put(name, plain(given));
        plain.put(ApiRequest.GIVEN + name, given);
      }
    });
    return plain;
  }

  private String plain(String names) {
    StringBuilder plain = new StringBuilder();
    for (String name : names.split(",")) {
      plain.append(plain.isEmpty() ? "" : ",");
      plain.append(DateMathNames.resolve(name, clock.epochMillis()));
    }
    return plain.toString();
  }
}
