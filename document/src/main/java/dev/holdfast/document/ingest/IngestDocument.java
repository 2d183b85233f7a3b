package dev.holdfast.document.ingest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.WorkMemory;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A document on its way through pipelines: its source, its metadata (`_index`, `_id`, …), and what
/// pipelines say of themselves under `_ingest`. Not thread-safe.
public final class IngestDocument {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
  private static final String PIPELINE = "pipeline";
  private static final int NO_NUMBER = Integer.MIN_VALUE;

  /// Pipelines that call one another, as Elasticsearch has it.
  private static final int PIPELINES_MAX = 100;

  /// What pipelines may add to a document unasked, in bytes.
  private static final long FREE_BYTES = 256 << 10;

  private final ObjectNode source;
  private final ObjectNode metadata;
  private final ObjectNode ingest;
  private final Deque<String> pipelines = new ArrayDeque<>();
  private IngestMeters meters = IngestMeters.NONE;
  private @Nullable Trace trace;
  private @Nullable FailurePlace failedAt;
  private long grown;
  private long came = -1;
  private boolean isDropped;
  private boolean isTerminated;
  private boolean isRerouted;

  /// @param metadata `_index`, `_id`, …
  /// @param timestamp when the document came, ISO 8601
  public IngestDocument(ObjectNode source, ObjectNode metadata, String timestamp) {
    this(source, metadata, Json.object().put("timestamp", timestamp));
  }

  private IngestDocument(ObjectNode source, ObjectNode metadata, ObjectNode ingest) {
    this.source = source;
    this.metadata = metadata;
    this.ingest = ingest;
  }

  IngestDocument copy() {
    IngestDocument copy =
        new IngestDocument(source.deepCopy(), metadata.deepCopy(), ingest.deepCopy());
    copy.pipelines.addAll(pipelines);
    return copy;
  }

  public ObjectNode source() {
    return source;
  }

  public ObjectNode metadata() {
    return metadata;
  }

  public ObjectNode ingest() {
    return ingest;
  }

  /// Tells `listener` of each step from now on.
  public void traceTo(Trace listener) {
    trace = listener;
  }

  /// Has what is done to it counted from now on.
  public void countTo(IngestMeters counting) {
    meters = counting;
  }

  IngestMeters meters() {
    return meters;
  }

  boolean isTraced() {
    return trace != null;
  }

  void trace(Step step, Trace.Outcome outcome, @Nullable Refusal error) {
    if (trace != null) {
      trace.step(step, this, outcome, error);
    }
  }

  /// Notes memory before a processor takes it for what it makes. A few steps of a few bytes each
  /// can double a document until no memory is left.
  ///
  /// @throws Refusal `circuit_breaking_exception` (429) when the budget of the document has no more
  public void grow(long bytes) {
    long above = grown + bytes - FREE_BYTES;
    if (above > 0) {
      WorkMemory.add(Math.min(bytes, above));
    }
    grown += bytes;
  }

  /// What it holds by now, about, in bytes: what it came with is looked at once.
  long held() {
    if (came < 0) {
      came = Math.max(0, ValueSize.of(source) - grown);
    }
    return came + grown;
  }

  /// Runs something whose steps are not told.
  public void untraced(Runnable inside) {
    Trace kept = trace;
    trace = null;
    try {
      inside.run();
    } finally {
      trace = kept;
    }
  }

  /// The document is not to be indexed.
  public void drop() {
    isDropped = true;
  }

  public boolean isDropped() {
    return isDropped;
  }

  /// The pipeline that runs ends here.
  public void terminate() {
    isTerminated = true;
  }

  /// The document goes to another index: every pipeline that runs ends here.
  public void reroute() {
    isRerouted = true;
  }

  boolean isTerminated() {
    return isTerminated || isRerouted;
  }

  /// Whether a pipeline sent it elsewhere since this was asked last.
  public boolean takeRerouted() {
    boolean wasRerouted = isRerouted;
    isRerouted = false;
    return wasRerouted;
  }

  /// The id of the pipeline that runs now.
  String pipeline() {
    return pipelines.isEmpty() ? "" : pipelines.getLast();
  }

  /// A step of the pipelines that run now.
  FailurePlace place(Step step) {
    return new FailurePlace(List.copyOf(pipelines), step.type(), step.tag());
  }

  void failedAt(FailurePlace place) {
    failedAt = place;
  }

  /// Where the document failed; null when it did not, or in no step.
  public @Nullable FailurePlace failedAt() {
    return failedAt;
  }

  void inside(IngestPipeline pipeline, Runnable steps) {
    if (pipelines.contains(pipeline.id())) {
      throw new Refusal(ErrorType.GRAPH_STRUCTURE, "Cycle detected for pipeline: " + pipeline.id());
    }
    if (pipelines.size() >= PIPELINES_MAX) {
      throw new Refusal(
          ErrorType.GRAPH_STRUCTURE,
          "Too many nested pipelines. Cannot have more than "
              + PIPELINES_MAX
              + " nested pipelines");
    }
    pipelines.addLast(pipeline.id());
    ingest.put(PIPELINE, pipeline.id());
    try {
      steps.run();
    } finally {
      var _ = pipelines.removeLast();
      isTerminated = false;
      if (pipelines.isEmpty()) {
        ingest.remove(PIPELINE);
      } else {
        ingest.put(PIPELINE, pipelines.getLast());
      }
    }
  }

  void failed(IngestFailure failure) {
    ingest.put("on_failure_message", failure.message());
    ingest.put("on_failure_processor_type", failure.step().type());
    ingest.put("on_failure_processor_tag", failure.step().tag());
    ingest.put("on_failure_pipeline", failure.pipeline());
  }

  void recovered() {
    ingest.remove("on_failure_message");
    ingest.remove("on_failure_processor_type");
    ingest.remove("on_failure_processor_tag");
    ingest.remove("on_failure_pipeline");
  }

  /// The value, or null when the document has none there.
  public @Nullable JsonNode find(FieldPath path) {
    if (path.text().equals("_source")) {
      return source;
    }
    JsonNode value = root(path);
    for (String step : path.steps()) {
      value =
          switch (value) {
            case ObjectNode object -> object.get(step);
            case ArrayNode array -> isIndex(step, array.size()) ? array.get(number(step)) : null;
            default -> null;
          };
      if (value == null) {
        return null;
      }
    }
    return value;
  }

  /// @throws Refusal `illegal_argument_exception` when the document has none there
  public JsonNode require(FieldPath path) {
    JsonNode value = root(path);
    for (String step : path.steps()) {
      value = child(value, step, path);
    }
    return value;
  }

  /// Sets a value; objects on the way are made.
  public void set(FieldPath path, JsonNode value) {
    path.requireFit(value);
    JsonNode holder = holder(path, true);
    String last = path.steps().getLast();
    switch (holder) {
      case ObjectNode object -> object.set(last, value);
      case ArrayNode array -> array.set(index(last, array, path), value);
      default -> throw unfit(holder, last, path);
    }
  }

  /// Adds to the list there; what is no list becomes one, unless it has all values already.
  ///
  /// @param values a list adds each of its elements
  public void append(FieldPath path, JsonNode values, boolean allowsDuplicates) {
    JsonNode found = find(path);
    boolean isList = found instanceof ArrayNode;
    ArrayNode list = found instanceof ArrayNode existing ? existing : NODES.arrayNode();
    if (!isList && found != null) {
      list.add(found);
    }
    int before = list.size();
    ArrayNode added = values instanceof ArrayNode a ? a : NODES.arrayNode().add(values);
    grow((long) ValueSize.ELEMENT_BYTES * added.size());
    Set<JsonNode> known = new HashSet<>();
    if (!allowsDuplicates) {
      grow((long) ValueSize.MEMBER_BYTES * (list.size() + added.size()));
      list.forEach(known::add);
    }
    for (JsonNode value : added) {
      if (allowsDuplicates || known.add(value)) {
        list.add(value);
      }
    }
    if (!isList && (allowsDuplicates || found == null || list.size() > before)) {
      set(path, list);
    }
  }

  /// @throws Refusal when the document has nothing there
  public void remove(FieldPath path) {
    path.requireFit(null);
    JsonNode holder = holder(path, false);
    String last = path.steps().getLast();
    var _ = child(holder, last, path);
    if (holder instanceof ObjectNode object) {
      object.remove(last);
    } else if (holder instanceof ArrayNode array) {
      var _ = array.remove(number(last));
    }
  }

  private ObjectNode root(FieldPath path) {
    return switch (path.root()) {
      case SOURCE -> source;
      case METADATA -> metadata;
      case INGEST -> ingest;
    };
  }

  private JsonNode holder(FieldPath path, boolean makes) {
    JsonNode holder = root(path);
    for (String step : path.steps().subList(0, path.steps().size() - 1)) {
      if (makes && holder instanceof ObjectNode object && !object.has(step)) {
        holder = object.putObject(step);
      } else {
        holder = child(holder, step, path);
      }
    }
    return holder;
  }

  private static JsonNode child(JsonNode value, String step, FieldPath path) {
    return switch (value) {
      case ObjectNode object -> {
        JsonNode found = object.get(step);
        if (found == null) {
          throw Refusal.badArgument(
              "field [" + step + "] not present as part of path [" + path.text() + "]");
        }
        yield found;
      }
      case ArrayNode array -> array.get(index(step, array, path));
      default -> throw unfit(value, step, path);
    };
  }

  private static Refusal unfit(JsonNode value, String step, FieldPath path) {
    return Refusal.badArgument(
        value.isNull()
            ? "cannot resolve [" + step + "] from null as part of path [" + path.text() + "]"
            : "cannot resolve ["
                + step
                + "] from object of type ["
                + typeName(value)
                + "] as part of path ["
                + path.text()
                + "]");
  }

  private static int index(String step, ArrayNode array, FieldPath path) {
    int index = number(step);
    if (index == NO_NUMBER) {
      throw Refusal.badArgument(
          "["
              + step
              + "] is not an integer, cannot be used as an index as part of path ["
              + path.text()
              + "]");
    }
    if (index < 0 || index >= array.size()) {
      throw Refusal.badArgument(
          "["
              + step
              + "] is out of bounds for array with length ["
              + array.size()
              + "] as part of path ["
              + path.text()
              + "]");
    }
    return index;
  }

  private static boolean isIndex(String step, int size) {
    int index = number(step);
    return index >= 0 && index < size;
  }

  private static int number(String step) {
    try {
      return Integer.parseInt(step);
    } catch (NumberFormatException e) {
      return NO_NUMBER;
    }
  }

  /// The name that Elasticsearch's messages have for the type of a value.
  public static String typeName(JsonNode value) {
    return switch (value.getNodeType()) {
      case STRING -> "java.lang.String";
      case BOOLEAN -> "java.lang.Boolean";
      case NUMBER ->
          value.isInt()
              ? "java.lang.Integer"
              : value.isIntegralNumber() ? "java.lang.Long" : "java.lang.Double";
      case ARRAY -> "java.util.ArrayList";
      case OBJECT -> "java.util.HashMap";
      default -> "null";
    };
  }
}
