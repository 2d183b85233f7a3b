package dev.holdfast.query;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.world.Json;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Where the time of an aggregation went on one shard, and of those below it: `profile`.
public final class AggregationTimes {
  private final LongSupplier nanoTime;
  private final String name;
  private final List<AggregationTimes> children = new ArrayList<>();
  private final Map<Stage, Spent> spent = new EnumMap<>(Stage.class);
  private String type = "";
  private @Nullable Consumer<ObjectNode> describing;

  /// What an aggregation does, one after the other.
  public enum Stage {
    INITIALIZE,
    BUILD_LEAF_COLLECTOR,
    COLLECT,
    POST_COLLECTION,
    BUILD_AGGREGATION
  }

  /// @param count how often
  private record Spent(long nanos, long count) {
    static final Spent NOTHING = new Spent(0, 0);

    Spent plus(Spent other) {
      return new Spent(nanos + other.nanos, count + other.count);
    }
  }

  private AggregationTimes(LongSupplier nanoTime, String name) {
    this.nanoTime = nanoTime;
    this.name = name;
  }

  /// What holds the aggregations of a request.
  ///
  /// @param nanoTime the clock
  public static AggregationTimes root(LongSupplier nanoTime) {
    return new AggregationTimes(nanoTime, "");
  }

  public AggregationTimes child(String childName) {
    AggregationTimes child = new AggregationTimes(nanoTime, childName);
    children.add(child);
    return child;
  }

  /// @param description adds what is told of its work, after the search
  public void bound(String typeName, Consumer<ObjectNode> description) {
    type = typeName;
    describing = description;
  }

  public long now() {
    return nanoTime.getAsLong();
  }

  /// @param count how often: documents where they are collected
  public void add(Stage stage, long startNanos, long count) {
    var _ = spent.merge(stage, new Spent(Math.max(1, now() - startNanos), count), Spent::plus);
  }

  /// The aggregations of the request.
  public ArrayNode toJson() {
    ArrayNode all = Json.MAPPER.createArrayNode();
    children.forEach(child -> all.add(child.json()));
    return all;
  }

  private ObjectNode json() {
    ObjectNode json = Json.object();
    json.put("type", type);
    json.put("description", name);
    json.put("time_in_nanos", spent.values().stream().mapToLong(Spent::nanos).sum());
    ObjectNode breakdown = json.putObject("breakdown");
    for (Stage stage : Stage.values()) {
      String stageName = stage.name().toLowerCase(Locale.ROOT);
      Spent of = spent.getOrDefault(stage, Spent.NOTHING);
      breakdown.put(stageName, of.nanos);
      breakdown.put(stageName + "_count", of.count);
    }
    breakdown.put("reduce", 0).put("reduce_count", 0);
    Consumer<ObjectNode> at = describing;
    if (at != null) {
      ObjectNode debug = Json.object();
      at.accept(debug);
      if (!debug.isEmpty()) {
        json.set("debug", debug);
      }
    }
    if (!children.isEmpty()) {
      ArrayNode below = json.putArray("children");
      children.forEach(child -> below.add(child.json()));
    }
    return json;
  }
}
