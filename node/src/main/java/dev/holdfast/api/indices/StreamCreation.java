package dev.holdfast.api.indices;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.indices.alias.Aliases;
import dev.holdfast.api.indices.lifecycle.AutoSharding;
import dev.holdfast.api.indices.lifecycle.WriteLoads;
import dev.holdfast.api.indices.resolve.IndexNameRules;
import dev.holdfast.api.indices.resolve.NewIndexName;
import dev.holdfast.api.indices.settings.IndexSettings;
import dev.holdfast.api.indices.template.LogsMode;
import dev.holdfast.api.indices.template.SeriesRange;
import dev.holdfast.api.indices.template.StreamTemplate;
import dev.holdfast.api.indices.template.StreamTemplateRules;
import dev.holdfast.api.indices.template.TemplateMappings;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.IndexSplit;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.stream.DataStream;
import dev.holdfast.clusterstate.stream.DataStream.Component;
import dev.holdfast.clusterstate.stream.DataStreams;
import dev.holdfast.world.Clock;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.util.Locale;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Makes data streams and the indices behind them: by request, by the first write to a name whose
/// template says so, and by rollover. A stream and its index come in one change of the state.
public final class StreamCreation {
  /// How often a rollover begins anew because the stream's other component rolled over meanwhile.
  private static final int ROLLOVER_TRIES = 10;

  private static final String REQUIRED = "_data_stream_timestamp";
  private static final String AUTO_SHARDING = "auto_sharding";

  private final Metadata metadata;
  private final IndexCreation indices;
  private final Clock clock;

  StreamCreation(Metadata metadata, IndexCreation indices, Clock clock) {
    this.metadata = metadata;
    this.indices = indices;
    this.clock = clock;
  }

  /// Makes a data stream with its first backing index.
  ///
  /// @throws Refusal when the name is bad or in use, or no template is for it; nothing is made then
  public DataStream create(String name) throws InterruptedException {
    requireName(name);
    ClusterState state = metadata.current();
    requireFree(state, name);
    StreamTemplate template = StreamTemplate.require(state, name);
    DataStream empty =
        DataStream.empty(name, template.isHidden(), template.allowsCustomRouting())
            .with("lifecycle", template.lifecycle())
            .with("options", template.options())
            .with("aliases", aliases(template, name));
    IndexMetadata first = backing(empty, template);
    DataStream stream = empty.rolledOver(Component.DATA, first.id().name());
    metadata.update(
        "create-data-stream [" + name + "]",
        now -> {
          if (IndexCreation.isMade(now, first)) {
            return now; // made before, its answer was lost
          }
          requireFree(now, name);
          stream
              .aliases()
              .fieldNames()
              .forEachRemaining(alias -> Aliases.requireNoneOfIndices(now, alias));
          return DataStreams.with(IndexCreation.add(now, first), stream);
        });
    return stream;
  }

  /// The stream of that name, made when there is none.
  void createIfAbsent(String name) throws InterruptedException {
    try {
      var _ = create(name);
    } catch (Refusal e) {
      if (e.type() != ErrorType.RESOURCE_ALREADY_EXISTS) {
        throw e;
      }
      // Whoever made it a moment ago may still be publishing it: this waits its turn behind them.
      metadata.update("find-data-stream [" + name + "]", state -> state);
    }
  }

  /// Gives a stream its next index, if it has not got one meanwhile.
  ///
  /// @param before as it was when somebody found that it needs one
  /// @param load of the index that it is written to until now; null for unknown
  /// @return the index that is written to now
  public IndexMetadata rollOver(DataStream before, Component component, @Nullable WriteLoads load)
      throws InterruptedException {
    String name = before.name();
    DataStream stream = before;
    ClusterState state = metadata.current();
    for (int i = 0;
        i < ROLLOVER_TRIES && stream != null && !hasNext(before, stream, component);
        i++) {
      DataStream from = stream;
      DataStream free = beforeFree(state, stream, component);
      DataStream sharded = component == Component.DATA ? sharded(state, free, load) : free;
      IndexMetadata next =
          component == Component.DATA
              ? backing(sharded, StreamTemplate.require(state, name))
              : failures(free);
      state =
          metadata.update(
              "rollover [" + name + "]",
              now -> {
                DataStream newest = DataStreams.of(now, name);
                // The other component may have taken the generation: then the name is another.
                return newest == null || newest.generation() != from.generation()
                    ? now
                    : DataStreams.with(
                        IndexCreation.add(now, next),
                        remembering(newest, sharded)
                            .at(free.generation())
                            .rolledOver(component, next.id().name()));
              });
      stream = DataStreams.of(state, name);
    }
    String written = stream == null ? null : stream.writeIndex(component);
    IndexMetadata index = written == null ? null : state.indices().get(written);
    if (index == null) {
      throw Refusal.indexNotFound(name); // deleted again at once
    }
    return index;
  }

  /// What a stream's rollover would do about its number of shards.
  ///
  /// @param load of the index that it is written to; null for unknown
  public AutoSharding.Decision autoSharding(DataStream stream, @Nullable WriteLoads load) {
    ClusterState state = metadata.current();
    return AutoSharding.of(state)
        .decide(state, stream, saysShards(state, stream), load, clock.epochMillis());
  }

  /// Whether a stream, or its template, says how many shards its indices have.
  public static boolean saysShards(ClusterState state, DataStream stream) {
    StreamTemplate template = StreamTemplate.of(state, stream.name());
    return template == null || settings(stream, template).containsKey("index.number_of_shards");
  }

  /// The stream with what it knows after a rollover: how hard the index before was written to, and
  /// since when it has how many shards.
  private DataStream sharded(ClusterState state, DataStream stream, @Nullable WriteLoads load) {
    AutoSharding.Decision decision = autoSharding(stream, load);
    DataStream known =
        load == null ? stream : stream.withWriteLoad(stream.writeIndex(), load.json());
    StreamTemplate template = StreamTemplate.require(state, stream.name());
    boolean isSaid = settings(stream, template).containsKey("index.number_of_shards");
    if (!AutoSharding.of(state).isFor(stream.name(), isSaid)) {
      return known.with(AUTO_SHARDING, null);
    }
    int target =
        decision.changes() ? decision.target() : splitTo(state.indices().get(stream.writeIndex()));
    return target == 0
        ? known
        : known.with(
            AUTO_SHARDING,
            Json.object()
                .put("trigger_index_name", stream.writeIndex())
                .put("target_number_of_shards", target)
                .put("event_time_millis", clock.epochMillis()));
  }

  /// How many shards an index has got, or gets, while it is written to (decision 031): the next one
  /// would have as many as this was made with. 0 for one that was not split.
  private static int splitTo(@Nullable IndexMetadata written) {
    IndexSplit split = written == null ? null : written.split();
    return split == null ? 0 : split.to();
  }

  /// The newest stream with what a rollover has found out about it.
  private static DataStream remembering(DataStream newest, DataStream known) {
    JsonNode load = known.writeLoad(known.writeIndex());
    DataStream with = newest.with(AUTO_SHARDING, known.autoShardingEvent());
    return load == null ? with : with.withWriteLoad(known.writeIndex(), load);
  }

  /// The name of the index that its next rollover makes.
  String next(DataStream stream, Component component) {
    return beforeFree(metadata.current(), stream, component).next(component, clock.epochMillis());
  }

  /// The stream at a generation whose next index has a name that no index has: one that it has
  /// given up may be called so.
  private DataStream beforeFree(ClusterState state, DataStream stream, Component component) {
    DataStream free = stream;
    while (state.indices().containsKey(free.next(component, clock.epochMillis()))) {
      free = free.at(free.generation() + 1);
    }
    return free;
  }

  /// Whether a stream has got another index since.
  private static boolean hasNext(DataStream before, DataStream now, Component component) {
    return !Objects.equals(before.writeIndex(component), now.writeIndex(component));
  }

  /// The next write to a stream rolls it over first.
  public void rollOverOnWrite(String name, Component component) throws InterruptedException {
    metadata.update(
        "lazy-rollover [" + name + "]",
        now -> {
          DataStream stream = DataStreams.of(now, name);
          return stream == null || stream.rollsOverOnWrite(component)
              ? now
              : DataStreams.with(now, stream.rollingOverOnWrite(component));
        });
  }

  /// What the next backing index of a stream is made with: the template, and over it what the
  /// stream has of its own.
  public static SortedMap<String, Object> settings(DataStream stream, StreamTemplate template) {
    SortedMap<String, Object> settings = new TreeMap<>(template.indices().settings());
    settings.putAll(IndexSettings.read(stream.settings()));
    settings.values().removeIf(value -> value == IndexSettings.Reset.RESET);
    return settings;
  }

  /// The same of its mapping.
  public static ObjectNode mapping(DataStream stream, StreamTemplate template) {
    ObjectNode mapping = Json.object();
    mapping.putObject(REQUIRED).put("enabled", true);
    mapping.putObject("properties").putObject(DataStream.TIMESTAMP).put("type", "date");
    mapping = TemplateMappings.merge(mapping, template.indices().mapping());
    return TemplateMappings.merge(mapping, stream.mappings());
  }

  /// @throws Refusal when the next index of a stream could not be made as it is
  public void requireNext(DataStream stream) {
    StreamTemplate template = StreamTemplate.require(metadata.current(), stream.name());
    if (!mapping(stream, template).path(REQUIRED).path("enabled").asBoolean(false)) {
      throw Refusal.badArgument("[" + REQUIRED + "] of a data stream must be enabled");
    }
    IndexMetadata _ = backing(stream, template);
  }

  private IndexMetadata backing(DataStream stream, StreamTemplate template) {
    SortedMap<String, Object> settings = settings(stream, template);
    settings.put("index.hidden", "true");
    LogsMode.putByDefault(metadata.current(), stream.name(), settings);
    if (stream.autoShardingEvent() != null) {
      settings.put(
          "index.number_of_shards",
          stream.autoShardingEvent().path("target_number_of_shards").asText());
    }
    IndexSettings.check(settings);
    ObjectNode mapping = mapping(stream, template);
    IndexMetadata before =
        stream.indices().isEmpty()
            ? null
            : metadata.current().indices().get(stream.indices().getLast());
    SeriesRange.put(indices.mappings(), mapping, settings, before, clock.epochMillis());
    StreamTemplateRules.requireTimestamp(mapping);
    return indices.draft(
        NewIndexName.plain(stream.next(Component.DATA, clock.epochMillis())),
        settings,
        mapping,
        Json.object());
  }

  /// An index of the failure store: what could not be taken, and why.
  private IndexMetadata failures(DataStream stream) {
    SortedMap<String, Object> settings = new TreeMap<>();
    settings.put("index.hidden", "true");
    return indices.draft(
        NewIndexName.plain(stream.next(Component.FAILURES, clock.epochMillis())),
        settings,
        FailureDocuments.mapping(),
        Json.object());
  }

  private static @Nullable ObjectNode aliases(StreamTemplate template, String stream) {
    ObjectNode aliases = Json.object();
    for (var alias : template.indices().aliases().properties()) {
      JsonNode options = Objects.requireNonNull(alias.getValue());
      aliases.set(alias.getKey().replace("{index}", stream), options.deepCopy());
    }
    return aliases.isEmpty() ? null : aliases;
  }

  /// @throws Refusal for a name that a data stream cannot have in that state
  public static void requireUsable(ClusterState state, String name) {
    requireName(name);
    requireFree(state, name);
  }

  /// @throws Refusal for a name that no data stream can have: its indices are called after it
  public static void requireName(String name) {
    if (!name.equals(name.toLowerCase(Locale.ROOT))) {
      throw Refusal.badArgument("data_stream [" + name + "] must be lowercase");
    }
    for (Component component : Component.values()) {
      String prefix = component == Component.DATA ? ".ds-" : ".fs-";
      if (name.startsWith(prefix)) {
        throw Refusal.badArgument(
            "data_stream [" + name + "] must not start with '" + prefix + "'");
      }
    }
    IndexNameRules.requireIndexName(name);
  }

  private static void requireFree(ClusterState state, String name) {
    if (DataStreams.of(state, name) != null) {
      throw new Refusal(
          ErrorType.RESOURCE_ALREADY_EXISTS, "data_stream [" + name + "] already exists");
    }
    boolean isAlias =
        !DataStreams.aliased(state, name).isEmpty()
            || state.indices().values().stream().anyMatch(i -> i.aliases().containsKey(name));
    if (isAlias || state.indices().containsKey(name)) {
      throw Refusal.badArgument(
          "data stream ["
              + name
              + "] conflicts with "
              + (isAlias ? "alias" : "index")
              + " of the same name");
    }
  }
}
