package dev.holdfast.api.indices;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.indices.alias.Aliases;
import dev.holdfast.api.indices.resolve.DateMathNames;
import dev.holdfast.api.indices.resolve.IndexNameRules;
import dev.holdfast.api.indices.resolve.NewIndexName;
import dev.holdfast.api.indices.resolve.SingleIndex;
import dev.holdfast.api.indices.settings.IndexSettings;
import dev.holdfast.api.indices.settings.LifecycleSettings;
import dev.holdfast.api.indices.template.IndexMode;
import dev.holdfast.api.indices.template.MatchingTemplates;
import dev.holdfast.api.indices.template.StreamTemplate;
import dev.holdfast.api.indices.template.StreamTemplateRules;
import dev.holdfast.api.indices.template.TemplateMappings;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.Formats;
import dev.holdfast.clusterstate.IndexId;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.stream.DataStreams;
import dev.holdfast.document.Mapping;
import dev.holdfast.document.MappingFactory;
import dev.holdfast.document.TimeSeries;
import dev.holdfast.document.field.Similarities;
import dev.holdfast.document.mapping.IndexSort;
import dev.holdfast.document.mapping.MappingShape;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.Reservation;
import dev.holdfast.world.WorkMemory;
import dev.holdfast.world.World;
import dev.holdfast.world.text.JsonMemory;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import org.apache.lucene.search.Sort;

/// Makes indices: for `PUT /{index}`, and for the first write to a name that does not exist.
public final class IndexCreation {
  /// Of a mapping's tree, how many there are while it is read and checked, beside those that its
  /// request asks for: most of it may be a `_meta` that nobody bounds otherwise.
  private static final int MAPPING_COPIES = 3;

  /// Copies that take less are not asked for.
  private static final long SMALL_MAX_BYTES = 1 << 20;

  /// What `index.version.created` says: the version of Elasticsearch whose behaviour the index has.
  private static final String VERSION_CREATED = TimeSeries.COMPACT_SINCE;

  /// The same while members of the cluster do not know what came with it.
  private static final String VERSION_BEFORE = "9039003";

  private static final int SHARDS_IN_CLUSTER_MAX = 10_000;

  private final World world;
  private final Metadata metadata;
  private final MappingFactory mappings;

  public IndexCreation(World world, Metadata metadata, MappingFactory mappings) {
    this.world = world;
    this.metadata = metadata;
    this.mappings = mappings;
  }

  /// Creates an index.
  ///
  /// @param body `{"settings", "mappings", "aliases"}`
  /// @throws Refusal for a bad name, a name in use, bad settings or a bad mapping; nothing is
  ///   created then
  public IndexMetadata create(String name, ObjectNode body) throws InterruptedException {
    return create(NewIndexName.plain(name), body);
  }

  /// The same, of a name that may have been given with dates.
  public IndexMetadata create(NewIndexName name, ObjectNode body) throws InterruptedException {
    return create(name, body, state -> state);
  }

  /// The same, with something else in the same step.
  ///
  /// @param also changes the state that has the new index
  IndexMetadata create(NewIndexName named, ObjectNode body, UnaryOperator<ClusterState> also)
      throws InterruptedException {
    String name = named.name();
    IndexNameRules.requireIndexName(name);
    JsonObject object = JsonObject.of("create_index", body);
    ObjectNode settings = section(object, "settings");
    ObjectNode mapping = section(object, "mappings");
    if (mapping.size() == 1 && mapping.path("_doc").isObject()) {
      throw Refusal.badArgument("The mapping definition cannot be nested under a type [_doc].");
    }
    MappingShape.check(mapping);
    ObjectNode aliases = section(object, "aliases");
    if (!object.rest().isEmpty()) {
      throw new Refusal(
          ErrorType.PARSE, "unknown key [" + object.rest().getFirst() + "] for create index");
    }
    SortedMap<String, Object> given = IndexSettings.read(settings);
    IndexSettings.check(given);
    IndexSettings.requirePublic(given);
    IndexMetadata index = templated(named, given, mapping, aliases);
    ClusterState after =
        metadata.update(
            "create-index [" + name + "]",
            state -> isMade(state, index) ? state : also.apply(add(state, index)));
    return created(after, name);
  }

  /// Creates an index like another, empty: templates add nothing.
  ///
  /// @param settings flat
  public IndexMetadata createAs(
      String name, SortedMap<String, Object> settings, ObjectNode mapping, ObjectNode aliases)
      throws InterruptedException {
    return createAs(name, settings, mapping, aliases, (state, index) -> index);
  }

  /// Creates an index that begins with what another has: templates add nothing.
  ///
  /// @param settings flat
  /// @param beginning gives the index what says where it came from, in the state that it is added
  ///   to
  public IndexMetadata createAs(
      String name,
      SortedMap<String, Object> settings,
      ObjectNode mapping,
      ObjectNode aliases,
      BiFunction<ClusterState, IndexMetadata, IndexMetadata> beginning)
      throws InterruptedException {
    IndexNameRules.requireIndexName(name);
    IndexMetadata index = draft(NewIndexName.plain(name), settings, mapping, aliases);
    ClusterState after =
        metadata.update(
            "create-like [" + name + "]",
            state -> isMade(state, index) ? state : add(state, beginning.apply(state, index)));
    return created(after, name);
  }

  /// The index with what templates add to the request, which wins over them: a null of it stands
  /// for the default, whatever they say.
  private IndexMetadata templated(
      NewIndexName wanted,
      SortedMap<String, Object> given,
      ObjectNode mapping,
      ObjectNode aliases) {
    String name = wanted.name();
    MatchingTemplates.Resolved resolved = MatchingTemplates.resolve(metadata.current(), name);
    if (resolved.createsDataStreams() != null) {
      throw Refusal.badArgument(
          "cannot create index with name ["
              + name
              + "], because it matches with template ["
              + resolved.createsDataStreams()
              + "] that creates data streams only, use create data stream api instead");
    }
    SortedMap<String, Object> settings = new TreeMap<>(resolved.settings());
    settings.putAll(given);
    settings.values().removeIf(value -> value == IndexSettings.Reset.RESET);
    ObjectNode plain =
        mapping.size() == 1 && mapping.get("_doc") instanceof ObjectNode inner ? inner : mapping;
    MappingShape.checkTemplates(plain, settings);
    ObjectNode merged =
        TemplateMappings.merge(resolved.mapping(), resolved.mapping().isEmpty() ? mapping : plain);
    ObjectNode named = Json.object();
    resolved
        .aliases()
        .properties()
        .forEach(alias -> named.set(alias.getKey().replace("{index}", name), alias.getValue()));
    named.setAll(aliases);
    return draft(wanted, settings, merged, named);
  }

  /// Makes data streams.
  public StreamCreation streams() {
    return new StreamCreation(metadata, this, world.clock());
  }

  /// The index of that name, created with defaults when it does not exist; of a name whose template
  /// makes data streams, the index that the new stream is written to.
  ///
  /// @throws Refusal `index_not_found_exception` when `action.auto_create_index` forbids it
  public IndexMetadata createIfAbsent(NewIndexName named) throws InterruptedException {
    String name = named.name();
    requireMayAutoCreate(name);
    if (StreamTemplate.of(metadata.current(), name) != null) {
      streams().createIfAbsent(name);
      return SingleIndex.of(metadata.current(), name, true);
    }
    try {
      return create(named, Json.object());
    } catch (Refusal e) {
      if (e.type() == ErrorType.RESOURCE_ALREADY_EXISTS) {
        // Whoever made it a moment ago may still be publishing it: this waits its turn behind them.
        ClusterState after = metadata.update("find-index [" + name + "]", state -> state);
        return SingleIndex.of(after, name, true);
      }
      throw e;
    }
  }

  /// @throws Refusal `index_not_found_exception` when writes may not create that index
  public void requireMayAutoCreate(String name) {
    AutoCreation.require(metadata.current(), name);
  }

  private static ObjectNode section(JsonObject body, String name) {
    return switch (body.take(name)) {
      case null -> Json.object();
      case ObjectNode object -> object;
      default -> throw new Refusal(ErrorType.PARSE, "key [" + name + "] must be an object");
    };
  }

  /// An index that is not there yet, with all that is checked before it is.
  ///
  /// @param given settings, flat
  /// @throws Refusal for bad settings or a bad mapping
  IndexMetadata draft(
      NewIndexName named, SortedMap<String, Object> given, ObjectNode mapping, ObjectNode aliases) {
    String name = named.name();
    SortedMap<String, Object> settings = new TreeMap<>(given);
    settings.putIfAbsent("index.number_of_shards", "1");
    settings.putIfAbsent(IndexSettings.REPLICAS, IndexSettings.REPLICAS_DEFAULT);
    IndexId id = new IndexId(name, world.ids().uuid());
    settings.put("index.uuid", id.uuid());
    settings.put("index.creation_date", Long.toString(world.clock().epochMillis()));
    settings.put("index.provided_name", named.given());
    settings.put(
        TimeSeries.CREATED,
        Formats.areEnabled(metadata.current(), Formats.COMPACT_MODES)
            ? VERSION_CREATED
            : VERSION_BEFORE);
    int shards = wholeNumber("index.number_of_shards", settings.get("index.number_of_shards"));
    // A mapping may be wrapped in the one type of old ("_doc"): taken off, as Elasticsearch refuses
    // it.
    // Merging nothing asks whether the heap has room for its fields.
    Similarities.check(settings);
    new LifecycleSettings(settings).requireDate(name);
    ObjectNode whole = IndexMode.prepared(mappings, mapping, settings);
    Mapping checked = checked(whole, settings);
    Sort _ = IndexSort.of(checked, settings);
    PartitionedRouting.check(name, settings, checked);
    SortedMap<String, ObjectNode> defined = new TreeMap<>();
    aliases
        .properties()
        .forEach(alias -> {
          String plain = DateMathNames.resolve(alias.getKey(), world.clock().epochMillis());
          IndexNameRules.requireAliasName(plain);
          Aliases.requireNoRouting(settings, alias.getValue());
          defined.put(plain, Aliases.readDefined(plain, alias.getValue()));
        });
    return new IndexMetadata(
        id,
        shards,
        settings,
        1,
        checked.toJson(),
        1,
        defined,
        true,
        Collections.nCopies(shards, 0L));
  }

  /// What is copied for it is let go of with its end: one request may make many indices.
  private Mapping checked(ObjectNode mapping, SortedMap<String, Object> settings) {
    long bytes = MAPPING_COPIES * JsonMemory.of(mapping);
    try (Reservation memory = bytes < SMALL_MAX_BYTES ? null : WorkMemory.part()) {
      if (memory != null) {
        memory.add(bytes);
      }
      Mapping checked = mappings.create(mapping, settings).merge(Json.object());
      StreamTemplateRules.requireTimestampOf(checked.toJson());
      return checked;
    }
  }

  public MappingFactory mappings() {
    return mappings;
  }

  /// The refusal of a name that an index has.
  static Refusal exists(ClusterState state, String name) {
    IndexMetadata existing = state.indices().get(name);
    String uuid = existing == null ? "_na_" : existing.id().uuid();
    return new Refusal(
            ErrorType.RESOURCE_ALREADY_EXISTS, "index [" + name + "/" + uuid + "] already exists")
        .with("index_uuid", uuid)
        .with("index", name);
  }

  /// Whether it is there already: it is made again after an answer was lost.
  static boolean isMade(ClusterState state, IndexMetadata index) {
    IndexMetadata existing = state.indices().get(index.id().name());
    return existing != null && existing.id().equals(index.id());
  }

  /// A state with a new index.
  ///
  /// @throws Refusal when its name is in use, there are too many shards, or a member does not know
  ///   its mode
  public static ClusterState add(ClusterState state, IndexMetadata index) {
    String name = index.id().name();
    if (isMade(state, index)) {
      return state;
    }
    IndexMode.requireKnown(state, index);
    if (state.indices().containsKey(name)) {
      throw exists(state, name);
    }
    for (String alias : index.aliases().keySet()) {
      if (alias.equals(name)) {
        throw Refusal.badArgument("alias name [" + alias + "] self-conflicts with index name");
      }
      if (state.indices().containsKey(alias) || DataStreams.of(state, alias) != null) {
        throw Aliases.nameInUse(alias);
      }
      Aliases.requireNoneOfStreams(state, alias);
    }
    if (DataStreams.of(state, name) != null) {
      throw new Refusal(
              ErrorType.INVALID_INDEX_NAME,
              "Invalid index name [" + name + "], already exists as data stream")
          .with("index_uuid", "_na_")
          .with("index", name);
    }
    if (state.indices().values().stream().anyMatch(i -> i.aliases().containsKey(name))
        || !DataStreams.aliased(state, name).isEmpty()) {
      throw new Refusal(
              ErrorType.INVALID_INDEX_NAME,
              "Invalid index name [" + name + "], already exists as alias")
          .with("index_uuid", "_na_")
          .with("index", name);
    }
    requireRoom(state, index.shardsWanted());
    ClusterState added = state.withIndex(index);
    index.aliases().keySet().forEach(alias -> Aliases.requireOneWriteIndex(added, alias));
    return added;
  }

  /// @throws Refusal when the cluster would have too many shards
  static void requireRoom(ClusterState state, int added) {
    int shards = state.indices().values().stream().mapToInt(IndexMetadata::shardsWanted).sum();
    if (shards + added > SHARDS_IN_CLUSTER_MAX) {
      throw new Refusal(
          ErrorType.ACTION_REQUEST_VALIDATION,
          "Validation Failed: 1: this action would add ["
              + added
              + "] shards, but this cluster currently has ["
              + shards
              + "]/["
              + SHARDS_IN_CLUSTER_MAX
              + "] maximum shards open;");
    }
  }

  private static IndexMetadata created(ClusterState state, String name) {
    List<IndexMetadata> found =
        state.indices().values().stream().filter(i -> i.id().name().equals(name)).toList();
    if (found.isEmpty()) {
      throw Refusal.indexNotFound(name); // deleted again at once
    }
    return found.getFirst();
  }

  /// @throws Refusal `illegal_argument_exception` when a setting is no number
  static int wholeNumber(String setting, Object value) {
    try {
      return Integer.parseInt(value.toString());
    } catch (NumberFormatException e) {
      throw new Refusal(
          ErrorType.ILLEGAL_ARGUMENT,
          "Failed to parse value [" + value + "] for setting [" + setting + "]",
          e);
    }
  }
}
