package dev.holdfast.api.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.cluster.health.ClusterHealth;
import dev.holdfast.api.cluster.health.HealthReader;
import dev.holdfast.api.cluster.health.LostObjects;
import dev.holdfast.api.cluster.health.UnassignedReason;
import dev.holdfast.api.cluster.member.NodeRoles;
import dev.holdfast.api.stats.ShardFigures;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Member;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.clusterstate.UploadMark;
import dev.holdfast.clusterstate.UploadMarks;
import dev.holdfast.http.Answer;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.http.RequestMemory;
import dev.holdfast.identity.NodeIdentity;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/// `GET|POST /_cluster/allocation/explain`: where a shard is and why; `POST /_cluster/reroute`:
/// commands that move shards, which are all refused here: shards go where there is room, and
/// replicas are caches that search nodes make as they need them.
public final class AllocationApi {
  private static final String NOTE =
      "No shard was specified in the explain API request, so this response explains a randomly"
          + " chosen unassigned shard.";

  /// Why a command is refused.
  private static final long EXPLANATION_BYTES = 1024;

  private final NodeIdentity self;
  private final Metadata metadata;
  private final HealthReader health;
  private final ClusterStateApi states;

  public AllocationApi(
      NodeIdentity self, Metadata metadata, HealthReader health, ClusterStateApi states) {
    this.self = self;
    this.metadata = metadata;
    this.health = health;
    this.states = states;
  }

  public Answer explain(ApiRequest request) throws IOException {
    ObjectNode asked = request.body().object();
    for (String name : List.of("index", "current_node")) {
      if (request.has(name)) {
        asked.put(name, request.required(name));
      }
    }
    if (request.has("shard")) {
      asked.put("shard", request.integer("shard", 0));
    }
    if (request.has("primary")) {
      asked.put("primary", request.flag("primary", false));
    }
    JsonObject body = JsonObject.of("cluster/allocation/explain", asked);
    ClusterState state = metadata.current();
    ObjectNode answer = Json.object();
    for (String member : List.of("index", "current_node")) {
      JsonNode given = asked.get(member);
      if (given != null && !given.isTextual()) {
        throw new Refusal(
            ErrorType.X_CONTENT_PARSE,
            "[cluster/allocation/explain] "
                + member
                + " doesn't support values of type: "
                + JsonObject.token(given));
      }
    }
    String name = body.string("index");
    int shard = body.integer("shard", -1);
    boolean saysPrimary = body.has("primary");
    boolean isPrimary = body.bool("primary", false);
    String current = body.string("current_node");
    body.done();
    List<ShardId> lost = UploadMarks.lost(state);
    Optional<ShardFigures> unserved =
        name == null && shard < 0 && lost.isEmpty() ? inactive("*", _ -> true) : Optional.empty();
    if (name == null && shard < 0 && !lost.isEmpty()) {
      answer.put("note", NOTE);
      lost(answer, lost.getFirst(), state);
    } else if (unserved.isPresent()) {
      answer.put("note", NOTE);
      inactive(answer, state, unserved.get());
    } else if (name == null && shard < 0) {
      IndexMetadata unassigned =
          state.indices().values().stream()
              .filter(i -> i.isOpen() && replicas(i) > 0)
              .findFirst()
              .orElseThrow(() ->
                  Refusal.badArgument(
                      "No shard was specified in the explain API request, so this response"
                          + " explains a randomly chosen unassigned shard. There are no"
                          + " unassigned shards in this cluster."));
      answer.put("note", NOTE);
      unassigned(answer, unassigned, 0);
    } else if (name == null || shard < 0 || !saysPrimary) {
      throw incomplete(name != null, shard >= 0, saysPrimary);
    } else {
      IndexMetadata index = state.indices().get(name);
      if (index == null) {
        throw Refusal.indexNotFound(name);
      }
      if (shard >= index.shards()) {
        throw new Refusal(ErrorType.SHARD_NOT_FOUND, "no such shard")
            .with("index_uuid", index.id().uuid())
            .with("shard", Integer.toString(shard))
            .with("index", name);
      }
      if (!isPrimary && replicas(index) == 0) {
        throw Refusal.badArgument(
            "unable to find any replica shard [" + name + "][" + shard + "] in the routing table");
      }
      ShardId primary = new ShardId(index.id(), shard);
      if (current != null) {
        requireNode(state, current, primary, isPrimary);
      }
      if (isPrimary && UploadMarks.of(state, primary).isShort()) {
        lost(answer, primary, state);
      } else if (isPrimary) {
        Optional<ShardFigures> inactive = inactive(name, primary::equals);
        if (inactive.isPresent()) {
          inactive(answer, state, inactive.get());
        } else {
          started(answer, state, index, shard);
        }
      } else {
        unassigned(answer, index, shard);
      }
    }
    if (request.flag("include_disk_info", false)) {
      ObjectNode info = answer.putObject("cluster_info"); // no disk holds shards
      for (String part : List.of("nodes", "shard_sizes", "shard_data_set_sizes", "shard_paths")) {
        info.putObject(part);
      }
      info.putArray("reserved_sizes");
    }
    return Answer.of(200, answer);
  }

  private static Refusal incomplete(boolean hasIndex, boolean hasShard, boolean hasPrimary) {
    List<String> missing = new ArrayList<>();
    if (!hasIndex) {
      missing.add("index");
    }
    if (!hasShard) {
      missing.add("shard");
    }
    if (!hasPrimary) {
      missing.add("primary");
    }
    StringBuilder why = new StringBuilder("Validation Failed: ");
    for (int i = 0; i < missing.size(); i++) {
      why.append(i + 1).append(": ").append(missing.get(i)).append(" must be specified;");
    }
    return new Refusal(ErrorType.ACTION_REQUEST_VALIDATION, why.toString());
  }

  /// Refuses a node that there is not, or that does not index the shard.
  private static void requireNode(
      ClusterState state, String node, ShardId shard, boolean isPrimary) {
    Member member =
        state.members().values().stream()
            .filter(each -> each.id().equals(node) || each.name().equals(node))
            .findFirst()
            .orElseThrow(
                () -> Refusal.badArgument("failed to resolve [" + node + "], no matching nodes"));
    if (!isPrimary || !member.id().equals(state.assignment(shard).owner())) {
      throw Refusal.badArgument(
          "unable to find "
              + (isPrimary ? "the primary of " : "a replica of ")
              + shard
              + " on the node ["
              + node
              + "]");
    }
  }

  private static int replicas(IndexMetadata index) {
    return Integer.parseInt(index.setting("index.number_of_replicas", "1"));
  }

  private void started(ObjectNode answer, ClusterState state, IndexMetadata index, int shard) {
    String owner = state.assignment(new ShardId(index.id(), shard)).owner();
    Member member = owner == null ? null : state.members().get(owner);
    NodeIdentity holder = member == null ? self : NodeIdentity.of(member);
    answer
        .put("index", index.id().name())
        .put("shard", shard)
        .put("primary", true)
        .put("current_state", "started");
    ObjectNode node =
        answer
            .putObject("current_node")
            .put("id", holder.id())
            .put("name", holder.name())
            .put("transport_address", holder.address());
    node.putObject("attributes");
    NodeRoles.names().forEach(node.putArray("roles")::add);
    node.put("weight_ranking", 1); // nodes are not ranked
    answer
        .put("can_remain_on_current_node", "yes")
        .put("can_rebalance_cluster", "yes")
        .put("can_rebalance_to_other_node", "no")
        .put(
            "rebalance_explanation",
            "Elasticsearch cannot rebalance this shard to another node since there is no node to"
                + " which allocation is permitted. The shard lies in the object store.");
  }

  /// The first primary of those that nobody serves.
  private Optional<ShardFigures> inactive(String names, Predicate<ShardId> isAsked)
      throws IOException {
    return health.of(names, ClusterHealth.EVERYTHING).indices().stream()
        .filter(index -> index.metadata().isOpen())
        .flatMap(index -> index.shards().stream())
        .filter(figures -> !figures.isStarted() && isAsked.test(figures.shard()))
        .findFirst();
  }

  private static void inactive(ObjectNode answer, ClusterState state, ShardFigures figures) {
    String owner = state.assignment(figures.shard()).owner();
    answer
        .put("index", figures.shard().index().name())
        .put("shard", figures.shard().number())
        .put("primary", true)
        .put("current_state", owner.isEmpty() ? "unassigned" : "initializing");
    ObjectNode info = answer.putObject("unassigned_info");
    UnassignedReason.of(state, figures.shard()).ifPresent(reason -> info.put("reason", reason));
    if (!owner.isEmpty() && !figures.why().isEmpty()) {
      info.put("details", figures.why());
    }
    info.put("last_allocation_status", owner.isEmpty() ? "no_attempt" : "awaiting_info");
    if (owner.isEmpty()) {
      boolean isNobodyThere = UnassignedReason.lacksIndexNode(state);
      answer
          .put("can_allocate", isNobodyThere ? "no" : "yes")
          .put(
              "allocate_explanation",
              isNobodyThere
                  ? "no node with the role [index] is there to own the shard, whose data are in the"
                      + " object store"
                  : "the leader gives the shard to a node with its next change of the state");
      return;
    }
    Member member = state.members().get(owner);
    ObjectNode node = answer.putObject("current_node").put("id", owner);
    if (member != null) {
      node.put("name", member.name()).put("transport_address", member.address());
    }
    answer.put(
        "explanation",
        "the shard is being opened by its owner, which tries again until it can: " + figures.why());
  }

  /// A shard that lacks an object of the store.
  private static void lost(ObjectNode answer, ShardId shard, ClusterState state) {
    UploadMark mark = UploadMarks.of(state, shard);
    answer
        .put("index", shard.index().name())
        .put("shard", shard.number())
        .put("primary", true)
        .put("current_state", "unassigned");
    answer
        .putObject("unassigned_info")
        .put("reason", "ALLOCATION_FAILED")
        .put("details", mark.why())
        .put("last_allocation_status", "no_valid_shard_copy");
    answer
        .put("can_allocate", "no_valid_shard_copy")
        .put(
            "allocate_explanation",
            "an object of the shard is missing from the store or damaged: "
                + mark.lost()
                + ". "
                + LostObjects.remedy(state, shard));
    answer.set("lost", UploadMarks.shown(mark));
  }

  private void unassigned(ObjectNode answer, IndexMetadata index, int shard) {
    long created = Long.parseLong(index.setting("index.creation_date", "0"));
    answer
        .put("index", index.id().name())
        .put("shard", shard)
        .put("primary", false)
        .put("current_state", "unassigned");
    answer
        .putObject("unassigned_info")
        .put("reason", "INDEX_CREATED")
        .put("at", Instant.ofEpochMilli(created).toString())
        .put("last_allocation_status", "no_attempt");
    answer
        .put("can_allocate", "no")
        .put(
            "allocate_explanation",
            "replicas are not allocated: the object store holds the shard's data redundantly, and"
                + " search nodes cache what they read");
  }

  public Answer reroute(ApiRequest request) throws Exception {
    JsonObject body = JsonObject.of("cluster_reroute", request.body().object());
    JsonNode commands = body.take("commands");
    body.done();
    ArrayNode explanations = Json.MAPPER.createArrayNode();
    boolean explains = request.flag("explain", false);
    boolean _ = request.flag("dry_run", false); // nothing is moved without it, either
    if (commands != null) {
      requireCommands(commands);
      for (JsonNode one : commands) {
        one.properties().forEach(c -> explanations.add(explanation(c.getKey(), c.getValue())));
        RequestMemory.add(EXPLANATION_BYTES * (long) one.size());
      }
      if (!explains && !commands.isEmpty()) {
        throw Refusal.badArgument(
            explanations.path(0).path("decisions").path(0).path("explanation").asText());
      }
    }
    boolean showsState = request.has("metric") && !request.text("metric", "").equals("none");
    Answer.Writer state = showsState ? states.part(request) : null;
    return Answer.of(out -> {
      out.writeStartObject();
      out.writeBooleanField("acknowledged", true);
      if (state != null) {
        out.writeFieldName("state");
        state.write(out);
      }
      if (explains) {
        out.writeFieldName("explanations");
        out.writeTree(explanations);
      }
      out.writeEndObject();
    });
  }

  private static void requireCommands(JsonNode commands) {
    if (!commands.isArray()) {
      throw new Refusal(
          ErrorType.X_CONTENT_PARSE,
          "[cluster_reroute] commands doesn't support values of type: "
              + JsonObject.token(commands));
    }
    for (JsonNode one : commands) {
      if (one.size() != 1 || !one.path(0).isMissingNode() || !one.iterator().next().isObject()) {
        throw new Refusal(
            ErrorType.X_CONTENT_PARSE,
            "[cluster_reroute] failed to parse field [commands]",
            Refusal.badArgument("a command is an object of its name and an object of parameters"));
      }
    }
  }

  private static ObjectNode explanation(String command, JsonNode parameters) {
    switch (command) {
      case "cancel",
          "move",
          "allocate_replica",
          "allocate_stale_primary",
          "allocate_empty_primary" -> {}
      default -> throw Refusal.badArgument("Unknown AllocationCommand [" + command + "]");
    }
    ObjectNode one = Json.object().put("command", command);
    ObjectNode given = parameters.deepCopy();
    if (command.equals("cancel") && !given.has("allow_primary")) {
      given.put("allow_primary", false);
    }
    one.set("parameters", given);
    one.putArray("decisions")
        .addObject()
        .put("decider", command + "_allocation_command")
        .put("decision", "NO")
        .put(
            "explanation",
            "["
                + command
                + "] is not possible: shards lie in the object store and are served where the"
                + " cluster puts them");
    return one;
  }
}
