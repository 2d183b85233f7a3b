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
import java.util.function.Function;
import java.util.stream.Collectors;

/// Tasks of the other nodes, as they list or cancel them themselves: each knows its own.
final class OtherNodesTasks {
  private static final Duration ANSWER_WAIT = Duration.ofSeconds(5);

  /// How long another node may wait for tasks: less than a call between nodes may take.
  private static final Duration END_WAIT_MAX = Duration.ofSeconds(50);

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
      if (request.has(name)) {
        parameters.put(name, request.required(name));
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

  /// What the others answer to a list or to the end of several.
  Broadcast.Seen ask(ApiRequest request, boolean isCancel) throws InterruptedException {
    ObjectNode question = Json.object().put("is_cancel", isCancel);
    ObjectNode parameters = question.putObject("parameters");
    request.parameters().forEach(parameters::put);
    name(parameters, "nodes");
    name(parameters, "node_id");
    Duration wait = ANSWER_WAIT;
    if (request.flag("wait_for_completion", false)) {
      Duration asked = request.duration(TIMEOUT, Duration.ofSeconds(30));
      Duration most = asked.compareTo(END_WAIT_MAX) > 0 ? END_WAIT_MAX : asked;
      parameters.put(TIMEOUT, most.toMillis() + "ms");
      wait = most.plus(ANSWER_WAIT);
    }
    return ask(question, wait, names(request));
  }

  /// Adds what they answered; those that did not are named among the failures.
  static void add(ObjectNode answer, Broadcast.Seen seen) {
    seen.nodes().values().forEach(other -> merge(answer, other));
    if (!seen.silent().isEmpty()) {
      ArrayNode failures = answer.withArray("/node_failures");
      seen.silent()
          .forEach((node, why) -> {
            ObjectNode failure = failures.addObject();
            failure
                .put("type", "failed_node_exception")
                .put("reason", "Failed node [" + node + "]")
                .put("node_id", node);
            failure
                .putObject("caused_by")
                .put("type", "node_not_connected_exception")
                .put("reason", why);
          });
    }
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
