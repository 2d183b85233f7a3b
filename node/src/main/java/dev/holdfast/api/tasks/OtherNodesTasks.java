package dev.holdfast.api.tasks;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.broadcast.Broadcast;
import dev.holdfast.api.broadcast.Broadcasts;
import dev.holdfast.api.broadcast.ForwardedRequest;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.http.Verb;
import dev.holdfast.world.Json;
import dev.holdfast.world.text.Wildcards;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/// Tasks of the other nodes, as they list or cancel them themselves: each knows its own.
final class OtherNodesTasks {
  private static final Duration ANSWER_WAIT = Duration.ofSeconds(5);

  /// A client's wait is asked for in parts, each shorter than a call between nodes may take.
  private static final Duration WAIT_PART = Duration.ofSeconds(30);

  private static final String TIMEOUT = "timeout";

  private final Broadcasts calls;
  private final Broadcast nodes;

  /// @param list what a node answers to a list
  /// @param cancel the same to the end of several
  OtherNodesTasks(Broadcasts calls, Asked list, Asked cancel) {
    this.calls = calls;
    this.nodes =
        calls.call(
            "tasks",
            question -> {
              ApiRequest request = ForwardedRequest.of(Verb.GET, "/_tasks", question);
              return question.path("is_cancel").asBoolean()
                  ? cancel.answer(request)
                  : list.answer(request);
            });
  }

  /// A question to one node.
  interface Asked {
    ObjectNode answer(ApiRequest request) throws InterruptedException;
  }

  /// Their tasks of an action, in detail; those of nodes that do not answer are left out.
  JsonNode list(String action) throws InterruptedException {
    return list(Json.object().put("actions", action), List.of());
  }

  /// The same of those that a request means.
  JsonNode list(ApiRequest request) throws InterruptedException {
    ObjectNode parameters = Json.object();
    for (String name : List.of("actions", "nodes", "parent_task_id")) {
      String given = request.text(name, "");
      if (!given.isEmpty()) {
        parameters.put(name, given);
      }
    }
    name(parameters, "nodes");
    return list(parameters, names(request));
  }

  private JsonNode list(ObjectNode parameters, List<String> names) throws InterruptedException {
    ObjectNode question = Json.object().put("is_cancel", false);
    question.set("parameters", parameters.put("detailed", "true").put("group_by", "none"));
    ObjectNode answer = Json.object();
    answer.putArray("tasks");
    ask(question, ANSWER_WAIT, names).nodes().values().forEach(other -> merge(answer, other));
    return answer.path("tasks");
  }

  /// Asks those that are meant: of others nobody wants to know that they do not answer.
  private Broadcast.Seen ask(ObjectNode question, Duration wait, List<String> names)
      throws InterruptedException {
    String self = calls.self().id();
    return nodes.ask(
        question,
        wait,
        member -> !member.id().equals(self) && isMeant(names, member.id(), member.name()));
  }

  /// Whether this node is among those whose tasks a request means.
  boolean isHere(ApiRequest request) {
    return isMeant(names(request), calls.self().id(), calls.self().name());
  }

  private static List<String> names(ApiRequest request) {
    return request.list(request.has("nodes") ? "nodes" : "node_id");
  }

  /// @param names of nodes; none for all
  private boolean isMeant(List<String> names, String id, String name) {
    return names.isEmpty()
        || names.stream()
            .anyMatch(one ->
                one.equals("_all")
                    || (one.equals("_local") && id.equals(calls.self().id()))
                    || (one.equals("_master") && id.equals(calls.metadata().leaderId()))
                    || Wildcards.matches(one, id)
                    || Wildcards.matches(one, name));
  }

  /// How long the client of a list waits for the end of what it lists.
  static Duration timeout(ApiRequest request) {
    return request.duration(TIMEOUT, Duration.ofSeconds(30));
  }

  /// What the others answer to a list or to the end of several.
  Broadcast.Seen ask(ApiRequest request, boolean isCancel) throws InterruptedException {
    ObjectNode question = Json.object().put("is_cancel", isCancel);
    ObjectNode parameters = question.putObject("parameters");
    request.parameters().forEach(parameters::put);
    name(parameters, "nodes");
    name(parameters, "node_id");
    List<String> names = names(request);
    if (!request.flag("wait_for_completion", false)) {
      return ask(question, ANSWER_WAIT, names);
    }
    // How long cancelled tasks are waited for is not the client's to say.
    Duration left = isCancel ? WAIT_PART : timeout(request);
    SortedMap<String, JsonNode> told = new TreeMap<>();
    SortedMap<String, String> silent = new TreeMap<>();
    while (true) {
      Duration part = left.compareTo(WAIT_PART) > 0 ? WAIT_PART : left;
      parameters.put(TIMEOUT, part.toMillis() + "ms");
      Broadcast.Seen seen = ask(question, part.plus(ANSWER_WAIT), names);
      told.putAll(seen.nodes());
      silent.putAll(seen.silent());
      names =
          told.entrySet().stream()
              .filter(one -> NodeFailures.isLate(one.getValue()))
              .map(Map.Entry::getKey)
              .toList();
      left = left.minus(part);
      if (names.isEmpty() || !left.isPositive() || request.isCancelled().getAsBoolean()) {
        told.keySet().removeAll(silent.keySet());
        return new Broadcast.Seen(told, silent);
      }
    }
  }

  /// Adds what they answered; those that did not are named among the failures.
  static void add(ObjectNode answer, Broadcast.Seen seen) {
    seen.nodes().values().forEach(other -> merge(answer, other));
    seen.silent()
        .forEach(
            (node, why) -> NodeFailures.add(answer, node, "node_not_connected_exception", why));
  }

  /// Names that mean another node there than here are replaced by its id.
  private void name(ObjectNode parameters, String parameter) {
    JsonNode given = parameters.get(parameter);
    if (given != null) {
      Function<String, String> meant =
          name ->
              switch (name.trim()) {
                case "_local" -> calls.self().id();
                case "_master" -> calls.metadata().leaderId();
                default -> name;
              };
      parameters.put(
          parameter,
          Arrays.stream(given.asText().split(",", -1)).map(meant).collect(Collectors.joining(",")));
    }
  }

  private static void merge(ObjectNode answer, JsonNode other) {
    for (Map.Entry<String, JsonNode> part : other.properties()) {
      if (part.getValue() instanceof ArrayNode list) {
        answer.withArray("/" + part.getKey()).addAll(list);
      } else if (part.getValue() instanceof ObjectNode tasks) {
        answer.withObject("/" + part.getKey()).setAll(tasks);
      }
    }
  }
}
