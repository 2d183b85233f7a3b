package dev.holdfast.api.indices;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.indices.lifecycle.AutoSharding;
import dev.holdfast.api.indices.lifecycle.WriteLoads;
import dev.holdfast.api.indices.resolve.IndexBlocks;
import dev.holdfast.api.indices.resolve.IndexExpression;
import dev.holdfast.api.indices.resolve.IndexNameRules;
import dev.holdfast.api.indices.resolve.NewIndexName;
import dev.holdfast.api.indices.resolve.StreamExpression;
import dev.holdfast.api.indices.settings.IndexSettings;
import dev.holdfast.api.indices.settings.SettingWarnings;
import dev.holdfast.api.indices.template.MatchingTemplates;
import dev.holdfast.api.stats.ShardFigures;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexId;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.stream.DataStream;
import dev.holdfast.clusterstate.stream.DataStreams;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.indexing.call.IndexingShards;
import dev.holdfast.world.Clock;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// `POST /{alias}/_rollover`: makes the next index of an alias or of a data stream when the one
/// written to now is big or old enough.
public final class RolloverApi implements Api {
  /// Its parameters.
  public static final List<String> PARAMETERS =
      List.of("dry_run", "lazy", "master_timeout", "timeout", "wait_for_active_shards");

  private static final Pattern NUMBERED = Pattern.compile("^(.*)-(\\d+)(>?)$");
  private static final int DIGITS = 6;

  private final Metadata metadata;
  private final IndexCreation creation;
  private final IndexingShards shards;
  private final Clock clock;
  private final RolloverConditions rules;

  public RolloverApi(
      Metadata metadata, IndexCreation creation, IndexingShards shards, Clock clock) {
    this.metadata = metadata;
    this.creation = creation;
    this.shards = shards;
    this.clock = clock;
    this.rules = new RolloverConditions(shards, clock);
  }

  @Override
  public Answer handle(ApiRequest request) throws Exception {
    StreamExpression.Selected target = StreamExpression.of(request.required("alias"));
    String alias = target.name();
    DataStream stream = DataStreams.written(metadata.current(), target.name());
    boolean isLazy = request.flag("lazy", false);
    if (isLazy && stream == null) {
      throw Refusal.badArgument("lazy rollover can be applied only on a data stream");
    }
    JsonObject body = JsonObject.of("rollover", request.body().kept());
    JsonNode conditions = body.take("conditions");
    ObjectNode creating = Json.object();
    for (String member : List.of("settings", "mappings", "aliases")) {
      JsonNode value = body.take(member);
      if (value != null) {
        creating.set(member, value);
      }
    }
    body.done();
    requireObjects(creating);
    requireTypeless(creating);
    if (conditions != null && !conditions.isObject()) {
      throw new Refusal(
          ErrorType.X_CONTENT_PARSE,
          "[rollover] conditions doesn't support values of type: " + JsonObject.token(conditions));
    }
    if (conditions != null) {
      RolloverConditions.requireReadable(conditions);
    }
    if (stream != null) {
      requireOfStream(request, creating, isLazy && conditions != null && !conditions.isEmpty());
    }
    if (stream != null && stream.writeIndex(target.component()) == null) {
      if (conditions != null && !conditions.isEmpty()) {
        throw new Refusal(
            ErrorType.ILLEGAL_STATE_OF_REQUEST,
            "Rolling over/initializing an empty failure store is only supported without"
                + " conditions.");
      }
      return first(request, stream, target.component());
    }
    IndexMetadata source =
        stream == null
            ? source(metadata.current(), target)
            : source(metadata.current(), stream, target.component());
    if (stream == null) {
      IndexBlocks.requireChangeable(source); // its alias changes
    }
    String provided = source.setting("index.provided_name", source.id().name());
    NewIndexName named =
        stream != null
            ? NewIndexName.plain(creation.streams().next(stream, target.component()))
            : request.has("new_index")
                ? new NewIndexName(request.required("new_index"), request.given("new_index"))
                : NewIndexName.of(
                    next(provided.startsWith("<") ? provided : source.id().name()),
                    clock.epochMillis());
    String name = named.name();
    ObjectNode results = Json.object();
    boolean isMet = conditions == null || conditions.isEmpty();
    boolean areMinimaMet = true;
    if (conditions != null) {
      RolloverConditions.requireMaximum(conditions);
      for (var one : conditions.properties()) {
        boolean holds = rules.hold(source, one.getKey(), one.getValue());
        results.put("[" + one.getKey() + ": " + one.getValue().asText() + "]", holds);
        if (one.getKey().startsWith("min_")) {
          areMinimaMet &= holds;
        } else {
          isMet |= holds;
        }
      }
    }
    WriteLoads load = null;
    if (stream != null && target.component() == DataStream.Component.DATA) {
      load = ShardFigures.writeLoads(shards, source);
      AutoSharding.Decision decision = creation.streams().autoSharding(stream, load);
      if (decision.kind() == AutoSharding.Kind.INCREASE_SHARDS) {
        results.put("[optimal_shard_count: " + decision.target() + "]", true);
        isMet = true;
      }
    }
    boolean isDryRun = request.flag("dry_run", false);
    IndexNameRules.requireIndexName(name);
    if (metadata.current().indices().containsKey(name)) {
      throw IndexCreation.exists(metadata.current(), name);
    }
    boolean rollsOver = isMet && areMinimaMet && !isDryRun && !isLazy;
    boolean isAcknowledged = isLazy;
    if (isLazy && stream != null && !isDryRun) {
      creation.streams().rollOverOnWrite(stream.name(), target.component());
    }
    if (rollsOver && stream != null) {
      IndexMetadata made = creation.streams().rollOver(stream, target.component(), load);
      isAcknowledged = CreateIndexApi.isWaitedFor(request, shards, made);
    } else if (rollsOver) {
      requireNoAliasOfTemplate(metadata.current(), alias, name);
      long now = clock.epochMillis();
      IndexMetadata made =
          creation.create(named, creating, state -> moved(state, target, source.id(), name, now));
      isAcknowledged = CreateIndexApi.isWaitedFor(request, shards, made);
    }
    ObjectNode answer =
        Json.object()
            .put("acknowledged", rollsOver || (isLazy && !isDryRun))
            .put("shards_acknowledged", isAcknowledged)
            .put("old_index", source.id().name())
            .put("new_index", name)
            .put("rolled_over", rollsOver)
            .put("dry_run", isDryRun)
            .put("lazy", isLazy);
    answer.set("conditions", results);
    return SettingWarnings.warn(
        Answer.of(200, answer), IndexSettings.read(creating.path("settings")));
  }

  /// The first index of a failure store: there is none that conditions could be about.
  private Answer first(ApiRequest request, DataStream stream, DataStream.Component component)
      throws Exception {
    boolean isLazy = request.flag("lazy", false);
    boolean isDryRun = request.flag("dry_run", false);
    String name = creation.streams().next(stream, component);
    boolean rollsOver = !isDryRun && !isLazy;
    boolean isAcknowledged = isLazy;
    if (rollsOver) {
      IndexMetadata made = creation.streams().rollOver(stream, component, null);
      name = made.id().name();
      isAcknowledged = CreateIndexApi.isWaitedFor(request, shards, made);
    }
    ObjectNode answer =
        Json.object()
            .put("acknowledged", !isDryRun)
            .put("shards_acknowledged", isAcknowledged)
            .put("old_index", "_none_")
            .put("new_index", name)
            .put("rolled_over", rollsOver)
            .put("dry_run", isDryRun)
            .put("lazy", isLazy);
    answer.putObject("conditions");
    return Answer.of(200, answer);
  }

  private static void requireObjects(ObjectNode creating) {
    for (var one : creating.properties()) {
      if (!one.getValue().isObject()) {
        throw new Refusal(
            ErrorType.X_CONTENT_PARSE,
            "[rollover] "
                + one.getKey()
                + " doesn't support values of type: "
                + JsonObject.token(one.getValue()));
      }
    }
  }

  private static void requireTypeless(ObjectNode creating) {
    JsonNode mapping = creating.path("mappings");
    if (mapping.has("_doc") && mapping.size() == 1) {
      throw new Refusal(
          ErrorType.X_CONTENT_PARSE,
          "[rollover] failed to parse field [mappings]",
          Refusal.badArgument(
              "The mapping definition cannot be nested under a type [_doc] unless"
                  + " include_type_name is set to true."));
    }
  }

  /// What a stream's next index is made with, its template says.
  private static void requireOfStream(
      ApiRequest request, ObjectNode creating, boolean isLazyWithConditions) {
    if (request.has("new_index")) {
      throw Refusal.badArgument(
          "new index name may not be specified when rolling over a data stream");
    }
    if (!creating.isEmpty()) {
      throw Refusal.badArgument(
          "aliases, mappings, and index settings may not be specified when rolling over a data"
              + " stream");
    }
    if (isLazyWithConditions) {
      throw new Refusal(
          ErrorType.ACTION_REQUEST_VALIDATION,
          "Validation Failed: 1: lazy rollover can only be used without conditions;");
    }
  }

  private static IndexMetadata source(
      ClusterState state, DataStream stream, DataStream.Component component) {
    String written = stream.writeIndex(component);
    IndexMetadata index = written == null ? null : state.indices().get(written);
    if (index == null) {
      throw Refusal.indexNotFound(stream.name());
    }
    return index;
  }

  private static IndexMetadata source(ClusterState state, StreamExpression.Selected target) {
    String alias = target.name();
    if (state.indices().containsKey(alias)) {
      throw Refusal.badArgument(
          "rollover target is a [concrete index] but one of [alias,data_stream] was expected");
    }
    List<IndexMetadata> targets = new ArrayList<>(IndexExpression.targets(state, alias));
    if (targets.isEmpty()) {
      throw new Refusal(
          ErrorType.RESOURCE_NOT_FOUND, "rollover target [" + alias + "] does not exist");
    }
    if (target.component() == DataStream.Component.FAILURES) {
      throw new Refusal(
          ErrorType.ILLEGAL_STATE_OF_REQUEST,
          "Rolling over failure stores is only possible on data streams.");
    }
    if (!DataStreams.aliased(state, alias).isEmpty()) { // none of which is written to by it
      throw Refusal.badArgument("rollover target [" + alias + "] does not point to a write index");
    }
    List<IndexMetadata> writers =
        targets.size() == 1
            ? targets
            : targets.stream()
                .filter(i -> options(i, alias).path("is_write_index").asBoolean(false))
                .toList();
    if (writers.size() != 1
        || !options(writers.getFirst(), alias).path("is_write_index").asBoolean(true)) {
      throw Refusal.badArgument("rollover target [" + alias + "] does not point to a write index");
    }
    return writers.getFirst();
  }

  /// The index before it would keep the alias as one that nobody gave it.
  private static void requireNoAliasOfTemplate(ClusterState state, String alias, String name) {
    for (var one : MatchingTemplates.resolve(state, name).aliases().properties()) {
      if (one.getKey().replace("{index}", name).equals(alias)) {
        throw Refusal.badArgument(
            "Rollover alias ["
                + alias
                + "] can point to multiple indices, found duplicated alias [["
                + one.getKey()
                + "]] in the templates of index ["
                + name
                + "]");
      }
    }
  }

  private static ObjectNode options(IndexMetadata index, String alias) {
    return index.aliases().getOrDefault(alias, Json.object());
  }

  private static String next(String name) {
    Matcher numbered = NUMBERED.matcher(name);
    if (!numbered.matches()) {
      throw Refusal.badArgument("index name [" + name + "] does not match pattern '^.*-\\d+$'");
    }
    long last = Long.parseLong(numbered.group(2));
    if (last == Long.MAX_VALUE) {
      throw new Refusal(ErrorType.NUMBER_FORMAT, "no number follows [" + last + "]");
    }
    String number = Long.toString(last + 1);
    return numbered.group(1)
        + "-"
        + "0".repeat(Math.max(0, DIGITS - number.length()))
        + number
        + numbered.group(3);
  }

  /// An alias with a write index keeps the old one for reading; another leaves it.
  private static ClusterState moved(
      ClusterState state,
      StreamExpression.Selected target,
      IndexId source,
      String name,
      long nowMillis) {
    String alias = target.name();
    IndexMetadata before = source(state.withoutIndex(name), target);
    IndexMetadata after = state.indices().get(name);
    if (!before.id().equals(source) || after == null) { // somebody else has moved it meanwhile
      throw Refusal.badArgument(
          "rollover target ["
              + alias
              + "] is not written to ["
              + source.name()
              + "] any more, but to ["
              + before.id().name()
              + "]");
    }
    IndexBlocks.requireChangeable(before);
    ObjectNode options = options(before, alias).deepCopy();
    boolean isExplicit = options.has("is_write_index");
    SortedMap<String, ObjectNode> left = new TreeMap<>(before.aliases());
    SortedMap<String, ObjectNode> gained = new TreeMap<>(after.aliases());
    gained.put(alias, options);
    if (isExplicit) {
      left.put(alias, options.deepCopy().put("is_write_index", false));
    } else {
      left.remove(alias);
    }
    return state
        .withIndex(RolloverTimes.with(before.withAliases(left), alias, nowMillis))
        .withIndex(after.withAliases(gained));
  }
}
