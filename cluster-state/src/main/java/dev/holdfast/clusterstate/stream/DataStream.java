package dev.holdfast.clusterstate.stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.world.Json;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A data stream: documents with a time, written to the newest of its backing indices and searched
/// in all. Immutable: a change makes another one. What a newer build adds to it stays.
///
/// @param json as the cluster state keeps it; never changed
public record DataStream(String name, ObjectNode json) {
  /// The field that every document has.
  public static final String TIMESTAMP = "@timestamp";

  private static final DateTimeFormatter DAY =
      DateTimeFormatter.ofPattern("uuuu.MM.dd", Locale.ROOT).withZone(ZoneOffset.UTC);

  private static final String INDICES = "indices";
  private static final String FAILURES = "failure_indices";
  private static final String WRITE_LOADS = "write_loads";

  /// Which indices of a stream are meant: those of its documents, or those of documents that it
  /// could not take.
  public enum Component {
    DATA(INDICES, "rollover_on_write", ".ds-"),
    FAILURES(DataStream.FAILURES, "failure_rollover_on_write", ".fs-");

    private final String member;
    private final String lazy;
    private final String prefix;

    Component(String member, String lazy, String prefix) {
      this.member = member;
      this.lazy = lazy;
      this.prefix = prefix;
    }
  }

  /// One that has no index yet.
  public static DataStream empty(String name, boolean isHidden, boolean allowsCustomRouting) {
    ObjectNode json = Json.object();
    json.putArray(INDICES);
    json.put("generation", 0).put("hidden", isHidden);
    json.put("allow_custom_routing", allowsCustomRouting);
    return new DataStream(name, json);
  }

  /// Names of the indices, oldest first.
  public List<String> indices(Component component) {
    List<String> names = new ArrayList<>();
    json.path(component.member).forEach(index -> names.add(index.asText()));
    return names;
  }

  /// Names of the backing indices, oldest first.
  public List<String> indices() {
    return indices(Component.DATA);
  }

  /// The index that is written to; null for none yet.
  public @Nullable String writeIndex(Component component) {
    List<String> names = indices(component);
    return names.isEmpty() ? null : names.getLast();
  }

  /// The backing index that is written to.
  public String writeIndex() {
    return Objects.requireNonNull(writeIndex(Component.DATA));
  }

  /// Whether an index of this name is behind it, of either component.
  public boolean has(String index) {
    return indices().contains(index) || indices(Component.FAILURES).contains(index);
  }

  /// Grows with each index that a rollover adds.
  public int generation() {
    return json.path("generation").asInt();
  }

  /// The same at another generation.
  public DataStream at(int generation) {
    ObjectNode changed = json.deepCopy();
    return new DataStream(name, changed.put("generation", generation));
  }

  public boolean isHidden() {
    return json.path("hidden").asBoolean();
  }

  public boolean allowsCustomRouting() {
    return json.path("allow_custom_routing").asBoolean();
  }

  /// Whether the next write makes a new index first: it was asked for, or there is none yet.
  public boolean rollsOverOnWrite(Component component) {
    return json.path(component.lazy).asBoolean() || writeIndex(component) == null;
  }

  /// Its aliases: name to options (`filter`, `is_write_index`).
  public ObjectNode aliases() {
    return object("aliases");
  }

  /// Settings of its own, flat, that its next indices have beside those of the template.
  public ObjectNode settings() {
    return object("settings");
  }

  /// The same of mappings.
  public ObjectNode mappings() {
    return object("mappings");
  }

  /// How long its documents are kept; null for no lifecycle.
  public @Nullable ObjectNode lifecycle() {
    return json.get("lifecycle") instanceof ObjectNode given ? given : null;
  }

  /// `{"failure_store": {…}}`; null for none.
  public @Nullable ObjectNode options() {
    return json.get("options") instanceof ObjectNode given ? given : null;
  }

  /// When and why its indices got another number of shards: `{"trigger_index_name",
  /// "target_number_of_shards", "event_time_millis"}`; null for never.
  public @Nullable ObjectNode autoShardingEvent() {
    return json.get("auto_sharding") instanceof ObjectNode event ? event : null;
  }

  /// How hard an index was written to until a rollover; null when nobody knows.
  public @Nullable JsonNode writeLoad(String index) {
    return json.path(WRITE_LOADS).get(index);
  }

  /// With how hard an index was written to.
  public DataStream withWriteLoad(String index, JsonNode load) {
    ObjectNode loads = object(WRITE_LOADS).deepCopy();
    loads.set(index, load);
    return with(WRITE_LOADS, loads);
  }

  private ObjectNode object(String member) {
    return json.get(member) instanceof ObjectNode given ? given : Json.object();
  }

  /// The name of the index that its next rollover makes, of that day.
  public String next(Component component, long epochMillis) {
    return String.format(
        Locale.ROOT,
        "%s%s-%s-%06d",
        component.prefix,
        name,
        DAY.format(Instant.ofEpochMilli(epochMillis)),
        generation() + 1);
  }

  /// Whether an index is called as one that a rollover has made.
  public boolean names(Component component, String index) {
    return index.startsWith(component.prefix + name + "-");
  }

  /// With an index that is written to from now on.
  public DataStream rolledOver(Component component, String index) {
    List<String> names = indices(component);
    names.add(index);
    DataStream changed = withIndices(component, names);
    changed.json.put("generation", generation() + 1).remove(component.lazy);
    return changed;
  }

  /// With other indices.
  ///
  /// @param names oldest first; the last is written to
  public DataStream withIndices(Component component, List<String> names) {
    ObjectNode changed = json.deepCopy();
    ArrayNode list = changed.putArray(component.member);
    names.forEach(list::add);
    return new DataStream(name, changed);
  }

  /// With another index in the place of one: what is known of its writes stays known.
  public DataStream replaced(String index, String by) {
    DataStream changed = this;
    for (Component component : Component.values()) {
      List<String> names = indices(component);
      if (names.contains(index)) {
        names.replaceAll(each -> each.equals(index) ? by : each);
        changed = changed.withIndices(component, names);
      }
    }
    JsonNode load = writeLoad(index);
    return load == null ? changed : changed.withoutWriteLoad(index).withWriteLoad(by, load);
  }

  /// Without an index, wherever it is.
  public DataStream without(String index) {
    DataStream changed = this;
    for (Component component : Component.values()) {
      List<String> names = indices(component);
      if (names.remove(index)) {
        changed = changed.withIndices(component, names);
      }
    }
    return changed.withoutWriteLoad(index);
  }

  private DataStream withoutWriteLoad(String index) {
    if (writeLoad(index) == null) {
      return this;
    }
    ObjectNode loads = object(WRITE_LOADS).deepCopy();
    loads.remove(index);
    return with(WRITE_LOADS, loads.isEmpty() ? null : loads);
  }

  /// A stream whose next write makes a new index first.
  public DataStream rollingOverOnWrite(Component component) {
    ObjectNode changed = json.deepCopy();
    changed.put(component.lazy, true);
    return new DataStream(name, changed);
  }

  /// With another member: `aliases`, `settings`, `mappings`, `lifecycle` or `options`.
  ///
  /// @param value null to take it away
  public DataStream with(String member, @Nullable JsonNode value) {
    ObjectNode changed = json.deepCopy();
    if (value == null) {
      changed.remove(member);
    } else {
      changed.set(member, value);
    }
    return new DataStream(name, changed);
  }
}
