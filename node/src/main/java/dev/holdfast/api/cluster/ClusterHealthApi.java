package dev.holdfast.api.cluster;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.holdfast.api.cluster.health.ClusterHealth;
import dev.holdfast.api.cluster.health.HealthReader;
import dev.holdfast.api.cluster.health.LostObjects;
import dev.holdfast.api.cluster.health.NodeTroubles;
import dev.holdfast.api.cluster.member.ClusterMembers;
import dev.holdfast.api.indices.resolve.IndexExpression;
import dev.holdfast.api.stats.ShardRouting;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.World;
import dev.holdfast.world.concurrent.Await;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// `GET /_cluster/health`: whether every shard is served, and waiting until it is.
public final class ClusterHealthApi implements Api {
  public static final List<String> PARAMETERS =
      IndexExpression.parameters(
          "level",
          "local",
          "master_timeout",
          "timeout",
          "wait_for_active_shards",
          "wait_for_events",
          "wait_for_no_initializing_shards",
          "wait_for_no_relocating_shards",
          "wait_for_nodes",
          "wait_for_status",
          "return_200_for_cluster_health_timeout");

  private static final Duration POLL = Duration.ofMillis(25);

  /// Who waits for longer is told a little later: each look counts all shards.
  private static final Duration SOON = Duration.ofSeconds(3);

  private static final Duration LATER_POLL = Duration.ofMillis(250);
  private static final Duration TIMEOUT_BY_DEFAULT = Duration.ofSeconds(30);

  private final World world;
  private final String clusterName;
  private final ClusterMembers members;
  private final HealthReader shardHealth;
  private final NodeTroubles store;

  public ClusterHealthApi(
      World world,
      String clusterName,
      ClusterMembers members,
      HealthReader shardHealth,
      NodeTroubles store) {
    this.world = world;
    this.clusterName = clusterName;
    this.members = members;
    this.shardHealth = shardHealth;
    this.store = store;
  }

  @Override
  public Answer handle(ApiRequest request) throws Exception {
    Conditions conditions = Conditions.of(request);
    Level level = Level.of(request.text("level", "cluster"));
    Duration timeout = request.duration("timeout", TIMEOUT_BY_DEFAULT);
    String names = request.text("index", "");
    IndexExpression.Options options = ClusterHealth.EVERYTHING.of(request);
    AtomicReference<@Nullable ClusterHealth> seen = new AtomicReference<>();
    Await.State<IOException> look =
        () -> {
          ClusterHealth now = shardHealth.of(names, options).with(store.now());
          seen.set(now);
          return conditions.areMet(now, members.all().size())
              || request.isCancelled().getAsBoolean();
        };
    boolean isLong = timeout.compareTo(SOON) > 0;
    boolean isMet = Await.until(world, isLong ? SOON : timeout, POLL, look);
    if (!isMet && isLong) {
      boolean _ = Await.until(world, timeout.minus(SOON), LATER_POLL, look);
    }
    ClusterHealth last = Objects.requireNonNull(seen.get());
    boolean timedOut = !conditions.areMet(last, members.all().size());
    boolean isHuman = request.human();
    return Answer.of(timedOut ? 408 : 200, out -> write(out, last, timedOut, level, isHuman));
  }

  private void write(
      JsonGenerator out, ClusterHealth health, boolean timedOut, Level level, boolean isHuman)
      throws IOException {
    out.writeStartObject();
    out.writeStringField("cluster_name", clusterName);
    out.writeStringField("status", health.status().label());
    out.writeBooleanField("timed_out", timedOut);
    out.writeNumberField("number_of_nodes", members.all().size());
    out.writeNumberField("number_of_data_nodes", members.data());
    shards(out, health.places().toList());
    out.writeNumberField("delayed_unassigned_shards", 0);
    out.writeNumberField("number_of_pending_tasks", 0);
    out.writeNumberField("number_of_in_flight_fetch", 0);
    if (isHuman) {
      out.writeStringField("task_max_waiting_in_queue", "0s");
    }
    out.writeNumberField("task_max_waiting_in_queue_millis", 0);
    long all = health.places().count();
    long active = health.places().filter(ShardRouting::isActive).count();
    double percent = all == 0 ? 100.0 : 100.0 * active / all;
    if (isHuman) {
      out.writeStringField("active_shards_percent", String.format(Locale.ROOT, "%.1f%%", percent));
    }
    out.writeNumberField("active_shards_percent_as_number", percent);
    ArrayNode lost = LostObjects.list(members.metadata().current());
    if (!lost.isEmpty()) {
      out.writeFieldName("lost_objects");
      out.writeTree(lost);
    }
    if (!health.damaged().isEmpty()) {
      out.writePOJOField("damaged_objects", health.damaged());
    }
    if (!health.storeTroubles().isEmpty()) {
      out.writePOJOField("store_troubles", health.storeTroubles());
    }
    if (level != Level.CLUSTER) {
      out.writeObjectFieldStart("indices");
      for (ClusterHealth.OfIndex index : health.indices()) {
        write(out, index, level);
      }
      out.writeEndObject();
    }
    out.writeEndObject();
  }

  private static void write(JsonGenerator out, ClusterHealth.OfIndex index, Level level)
      throws IOException {
    out.writeObjectFieldStart(index.metadata().id().name());
    out.writeStringField("status", index.status().label());
    out.writeNumberField("number_of_shards", index.metadata().shards());
    out.writeNumberField("number_of_replicas", 0);
    shards(out, index.all().toList());
    if (level == Level.SHARDS) {
      out.writeObjectFieldStart("shards");
      for (int i = 0; i < index.shards().size(); i++) {
        List<ShardRouting> places = index.places().get(i);
        boolean isServed = places.getFirst().isActive();
        out.writeObjectFieldStart(Integer.toString(index.shards().get(i).shard().number()));
        out.writeStringField("status", isServed ? "green" : "red");
        out.writeBooleanField("primary_active", isServed);
        out.writeNumberField("active_shards", count(places, ShardRouting::isActive));
        counts(out, places);
        out.writeEndObject();
      }
      out.writeEndObject();
    }
    out.writeEndObject();
  }

  private static void shards(JsonGenerator out, List<ShardRouting> places) throws IOException {
    out.writeNumberField(
        "active_primary_shards", count(places, p -> p.isPrimary() && p.isActive()));
    out.writeNumberField("active_shards", count(places, ShardRouting::isActive));
    counts(out, places);
  }

  private static void counts(JsonGenerator out, List<ShardRouting> places) throws IOException {
    out.writeNumberField(
        "relocating_shards", count(places, p -> p.state().equals(ShardRouting.RELOCATING)));
    out.writeNumberField(
        "initializing_shards", count(places, p -> p.state().equals(ShardRouting.INITIALIZING)));
    out.writeNumberField("unassigned_shards", count(places, ShardRouting::isUnassigned));
    out.writeNumberField(
        "unassigned_primary_shards", count(places, p -> p.isPrimary() && p.isUnassigned()));
  }

  private static long count(List<ShardRouting> places, Predicate<ShardRouting> which) {
    return places.stream().filter(which).count();
  }

  private enum Level {
    CLUSTER,
    INDICES,
    SHARDS;

    static Level of(String text) {
      return switch (text.toLowerCase(Locale.ROOT)) {
        case "cluster" -> CLUSTER;
        case "indices" -> INDICES;
        case "shards" -> SHARDS;
        default ->
            throw Refusal.badArgument(
                "level parameter must be one of [cluster] or [indices] or [shards] but was ["
                    + text
                    + "]");
      };
    }
  }

  /// What a request waits for.
  ///
  /// @param activeShardsMin -1 for all of them
  private record Conditions(
      ClusterHealth.Status worst,
      int activeShardsMin,
      boolean isNoWaiting,
      boolean isNoMoving,
      int nodesMin,
      int nodesMax) {
    static Conditions of(ApiRequest request) {
      String status = request.text("wait_for_status");
      String active = request.text("wait_for_active_shards", "0");
      String given = request.text("wait_for_nodes", "");
      String nodes = given.isEmpty() ? ">=0" : given;
      if (!NODES.matcher(nodes).matches()) {
        throw new Refusal(ErrorType.NUMBER_FORMAT, "For input string: \"" + nodes + "\"");
      }
      requirePriority(request.text("wait_for_events", "languid"));
      String digits = nodes.replaceAll("[^0-9]", "");
      int count = digits.isEmpty() ? 0 : count(digits);
      boolean isMost = nodes.startsWith("<") || nodes.startsWith("l");
      boolean isLeast = nodes.startsWith(">") || nodes.startsWith("g");
      boolean isStrict = !nodes.contains("=") && !nodes.contains("e(");
      return new Conditions(
          status == null ? ClusterHealth.Status.RED : ClusterHealth.Status.of(status),
          active.equals("all") ? -1 : Integer.parseInt(active),
          request.flag("wait_for_no_initializing_shards", false),
          request.flag("wait_for_no_relocating_shards", false),
          isMost ? 0 : isLeast && isStrict ? count + 1 : count,
          isLeast ? Integer.MAX_VALUE : isMost && isStrict ? count - 1 : count);
    }

    private static final Pattern NODES =
        Pattern.compile("(<|>|<=|>=)?\\d+|(lt|gt|le|ge)\\(\\d+\\)");

    /// One less than the greatest at most: there may be more nodes than so many.
    private static int count(String digits) {
      if (digits.length() > 10 || Long.parseLong(digits) >= Integer.MAX_VALUE) {
        throw new Refusal(ErrorType.NUMBER_FORMAT, "For input string: \"" + digits + "\"");
      }
      return Integer.parseInt(digits);
    }

    private static void requirePriority(String name) {
      List<String> known = List.of("immediate", "urgent", "high", "normal", "low", "languid");
      if (!known.contains(name.toLowerCase(Locale.ROOT))) {
        throw Refusal.badArgument("No priority [" + name + "], it must be one of " + known);
      }
    }

    boolean areMet(ClusterHealth health, int nodes) {
      return health.isComplete()
          && health.status().compareTo(worst) <= 0
          && (activeShardsMin < 0
              ? health.places().allMatch(ShardRouting::isActive)
              : health.places().filter(ShardRouting::isActive).count() >= activeShardsMin)
          && (!isNoWaiting
              || health.places().noneMatch(p -> p.state().equals(ShardRouting.INITIALIZING)))
          && (!isNoMoving
              || health.places().noneMatch(p -> p.state().equals(ShardRouting.RELOCATING)))
          && nodesMin <= nodes
          && nodesMax >= nodes;
    }
  }
}
