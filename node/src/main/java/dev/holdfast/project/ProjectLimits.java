package dev.holdfast.project;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.cost.StoreBudget;
import dev.holdfast.world.ByteSize;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.Suggestions;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What a project may take, so that one cannot slow or starve another. Threads and bytes are those
/// of each node.
///
/// @param shards of its indices, all together
/// @param bulkBytesPerSecond of bodies of its requests; 0 for as many as come
/// @param searchThreads that search for it at once; 0 for as many as the node searches with
/// @param writeThreads that index for it at once; 0 for as many as the node indexes with
/// @param heapPercent of the heap that its requests may hold
/// @param storeBudget dollars a month that its requests to the store may cost, as `store.budget`
///   says it; empty for no bound
public record ProjectLimits(
    int shards,
    long bulkBytesPerSecond,
    int searchThreads,
    int writeThreads,
    int heapPercent,
    String storeBudget) {
  private static final Logger LOG = LoggerFactory.getLogger(ProjectLimits.class);
  private static final String SHARDS = "shards";
  private static final String BULK_BYTES = "bulk_bytes_per_second";
  private static final String SEARCH_THREADS = "search_threads";
  private static final String WRITE_THREADS = "write_threads";
  private static final String HEAP = "heap_percent";
  private static final String BUDGET = "store_budget";
  private static final Set<String> NAMES =
      Set.of(SHARDS, BULK_BYTES, SEARCH_THREADS, WRITE_THREADS, HEAP, BUDGET);

  private static final int SHARDS_MAX = 100_000;
  private static final int THREADS_MAX = 1024;
  private static final int HEAP_PERCENT_MAX = 60;

  /// Half of what a node without projects gives its requests.
  private static final ProjectLimits DEFAULT = new ProjectLimits(1000, 0, 0, 0, 30, "");

  /// Those of a request, over the defaults.
  ///
  /// @throws Refusal `illegal_argument_exception` for what is no limit
  public static ProjectLimits of(@Nullable JsonNode given) {
    ProjectLimits limits = DEFAULT;
    if (given == null || given.isNull()) {
      return limits;
    }
    if (!given.isObject()) {
      throw Refusal.badArgument("[limits] must be an object, not [" + given.getNodeType() + "]");
    }
    for (Map.Entry<String, JsonNode> one : given.properties()) {
      if (!one.getValue().isNull()) {
        limits = limits.with(one.getKey(), one.getValue());
      }
    }
    return limits;
  }

  /// Those that were kept by a node; what newer ones added, or allow, is passed over.
  static ProjectLimits kept(JsonNode kept) {
    ProjectLimits limits = DEFAULT;
    for (Map.Entry<String, JsonNode> one : kept.properties()) {
      if (NAMES.contains(one.getKey())) {
        limits = limits.withKept(one.getKey(), one.getValue());
      }
    }
    return limits;
  }

  /// A state with a limit that this build would refuse must be read all the same.
  private ProjectLimits withKept(String name, JsonNode value) {
    try {
      return with(name, value);
    } catch (Refusal e) {
      LOG.warn("a project's limit is not known to this build [name={}, value={}]", name, value, e);
      return this;
    }
  }

  private ProjectLimits with(String name, JsonNode value) {
    return switch (name) {
      case SHARDS ->
          new ProjectLimits(
              count(name, value, SHARDS_MAX),
              bulkBytesPerSecond,
              searchThreads,
              writeThreads,
              heapPercent,
              storeBudget);
      case BULK_BYTES ->
          new ProjectLimits(
              shards, bytes(value), searchThreads, writeThreads, heapPercent, storeBudget);
      case SEARCH_THREADS ->
          new ProjectLimits(
              shards,
              bulkBytesPerSecond,
              count(name, value, THREADS_MAX),
              writeThreads,
              heapPercent,
              storeBudget);
      case WRITE_THREADS ->
          new ProjectLimits(
              shards,
              bulkBytesPerSecond,
              searchThreads,
              count(name, value, THREADS_MAX),
              heapPercent,
              storeBudget);
      case HEAP ->
          new ProjectLimits(
              shards,
              bulkBytesPerSecond,
              searchThreads,
              writeThreads,
              count(name, value, HEAP_PERCENT_MAX),
              storeBudget);
      case BUDGET ->
          new ProjectLimits(
              shards, bulkBytesPerSecond, searchThreads, writeThreads, heapPercent, budget(value));
      default ->
          throw Refusal.badArgument(
              Suggestions.didYouMean("unknown limit [" + name + "]", name, NAMES));
    };
  }

  private static int count(String name, JsonNode value, int max) {
    String text = value.isValueNode() ? value.asText() : value.toString();
    if (!text.matches("[0-9]{1,9}") || Integer.parseInt(text) < 1 || Integer.parseInt(text) > max) {
      throw Refusal.badArgument(
          "limit [" + name + "] must be a number from 1 to " + max + ", not [" + text + "]");
    }
    return Integer.parseInt(text);
  }

  private static long bytes(JsonNode value) {
    String text = value.isValueNode() ? value.asText() : value.toString();
    long bytes = ByteSize.parse(BULK_BYTES, text).bytes();
    if (bytes < 1) {
      throw Refusal.badArgument(
          "limit [" + BULK_BYTES + "] must be above 0, not [" + text + "]; leave it out for none");
    }
    return bytes;
  }

  private static String budget(JsonNode value) {
    String text = value.isValueNode() ? value.asText() : value.toString();
    double _ = StoreBudget.parse(text);
    return text;
  }

  /// As a request gives them; those that bound nothing are left out.
  public ObjectNode json() {
    ObjectNode json = Json.object().put(SHARDS, shards).put(HEAP, heapPercent);
    if (bulkBytesPerSecond > 0) {
      json.put(BULK_BYTES, bulkBytesPerSecond + "b");
    }
    if (searchThreads > 0) {
      json.put(SEARCH_THREADS, searchThreads);
    }
    if (writeThreads > 0) {
      json.put(WRITE_THREADS, writeThreads);
    }
    if (!storeBudget.isEmpty()) {
      json.put(BUDGET, storeBudget);
    }
    return json;
  }
}
