package dev.holdfast.api.ilm.action;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.TokenBuffer;
import dev.holdfast.api.indices.RolloverTimes;
import dev.holdfast.api.indices.settings.LifecycleSettings;
import dev.holdfast.api.indices.stream.LifecycleRuns;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.stream.DataStream;
import dev.holdfast.http.Answer;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.http.HeaderValues;
import dev.holdfast.http.RequestBody;
import dev.holdfast.http.TimeValue;
import dev.holdfast.http.Verb;
import dev.holdfast.objectstore.open.StoreClock;
import dev.holdfast.world.ByteSize;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.util.List;
import java.util.Map;

/// `rollover`: when the index is big or old enough, its alias or data stream gets the next one.
final class RolloverAction implements LifecycleAction {
  /// Whether an index without documents is left alone, a cluster setting.
  static final String ONLY_WITH_DOCUMENTS = "indices.lifecycle.rollover.only_if_has_documents";

  private static final List<String> NUMBERS =
      List.of("max_docs", "max_primary_shard_docs", "min_docs", "min_primary_shard_docs");
  private static final List<String> SIZES =
      List.of("max_size", "max_primary_shard_size", "min_size", "min_primary_shard_size");
  private static final List<String> AGES = List.of("max_age", "min_age");

  @Override
  public String name() {
    return "rollover";
  }

  @Override
  public ObjectNode read(JsonObject body) {
    ObjectNode kept = Json.object();
    for (String name : AGES) {
      String age = body.string(name);
      if (age != null) {
        if (TimeValue.parse(name, age).isNegative()) {
          throw Refusal.badArgument(
              "failed to parse setting ["
                  + name
                  + "] with value ["
                  + age
                  + "] as a time value: negative durations are not supported");
        }
        kept.put(name, age);
      }
    }
    for (String name : NUMBERS) {
      if (body.has(name)) {
        long number = body.longValue(name, 0);
        if (number < 0) {
          throw Refusal.badArgument("[" + name + "] must not be negative");
        }
        kept.put(name, number);
      }
    }
    for (String name : SIZES) {
      String size = body.string(name);
      if (size != null) {
        var _ = ByteSize.parse(name, size);
        kept.put(name, size);
      }
    }
    boolean hasMaximum = false;
    for (var condition : kept.properties()) {
      hasMaximum |= condition.getKey().startsWith("max_");
    }
    if (!hasMaximum) {
      throw Refusal.badArgument("At least one max_* rollover condition must be set.");
    }
    return kept;
  }

  @Override
  public List<Step> steps(ObjectNode body) {
    return List.of(
        new Step("check-rollover-ready", context -> ready(context, body)),
        new Step("attempt-rollover", RolloverAction::attempt),
        new Step("update-rollover-lifecycle-date", RolloverAction::dated),
        new Step(
            "set-indexing-complete",
            context -> Outcome.done(context.setting(LifecycleSettings.INDEXING_COMPLETE, "true"))));
  }

  private static Outcome ready(StepContext context, ObjectNode body) throws Exception {
    if (isRolledOver(context)) {
      return Outcome.done();
    }
    if (LifecycleSettings.of(context.index()).isIndexingComplete()) {
      return Outcome.actionDone();
    }
    String target = target(context);
    ObjectNode conditions = body.deepCopy();
    boolean isForDocuments =
        !"false".equals(String.valueOf(context.state().setting(ONLY_WITH_DOCUMENTS)));
    if (isForDocuments && !body.has("min_docs") && !body.has("min_primary_shard_docs")) {
      conditions.put("min_docs", 1);
    }
    ObjectNode request = Json.object();
    request.set("conditions", conditions);
    JsonNode looked = call(context, target, request, true);
    boolean areMaximaMet = false;
    boolean areMinimaMet = true;
    for (var condition : looked.path("conditions").properties()) {
      if (condition.getKey().startsWith("[min_")) {
        areMinimaMet &= condition.getValue().asBoolean();
      } else {
        areMaximaMet |= condition.getValue().asBoolean();
      }
    }
    if (!areMaximaMet || !areMinimaMet) {
      return new Outcome.Waiting(null);
    }
    // The date of the next index is since when this one ages.
    StoreClock clock = context.tools().storeClock();
    return clock.agrees()
        ? Outcome.done()
        : new Outcome.Waiting(
            Json.object()
                .put(
                    "message",
                    "nothing is rolled over: "
                        + clock.difference().orElse("the object store does not say its time")));
  }

  private static Outcome attempt(StepContext context) throws Exception {
    if (!isRolledOver(context)) {
      var _ = call(context, target(context), Json.object(), false);
    }
    return Outcome.done();
  }

  private static Outcome dated(StepContext context) {
    DataStream stream = context.stream();
    String alias = LifecycleSettings.of(context.index()).rolloverAlias();
    long rolledOver =
        stream == null
            ? RolloverTimes.millis(context.index(), alias)
            : LifecycleRuns.rolledOverMillis(
                context.state(), stream, DataStream.Component.DATA, context.name());
    long millis = rolledOver > 0 ? rolledOver : context.tools().nowMillis();
    return new Outcome.Done(state -> state, kept -> kept.withLifecycleMillis(millis), false);
  }

  /// Whether somebody else is written to by now.
  private static boolean isRolledOver(StepContext context) {
    DataStream stream = context.stream();
    if (stream != null) {
      return context.writingStream() == null;
    }
    String alias = LifecycleSettings.of(context.index()).rolloverAlias();
    return !alias.isEmpty() && RolloverTimes.millis(context.index(), alias) > 0;
  }

  /// The alias or stream that is written to this index.
  private static String target(StepContext context) {
    DataStream stream = context.stream();
    if (stream != null) {
      return stream.name();
    }
    IndexMetadata index = context.index();
    String alias = LifecycleSettings.of(index).rolloverAlias();
    if (alias.isEmpty()) {
      throw Refusal.badArgument(
          "setting [index.lifecycle.rollover_alias] for index ["
              + context.name()
              + "] is empty or not defined");
    }
    ObjectNode options = index.aliases().get(alias);
    if (options == null) {
      throw Refusal.badArgument(
          "index.lifecycle.rollover_alias ["
              + alias
              + "] does not point to index ["
              + context.name()
              + "]");
    }
    boolean isShared =
        context.state().indices().values().stream()
                .filter(other -> other.aliases().containsKey(alias))
                .count()
            > 1;
    if (!options.path("is_write_index").asBoolean(!isShared)) {
      throw Refusal.badArgument(
          "index [" + context.name() + "] is not the write index for alias [" + alias + "]");
    }
    return alias;
  }

  private static JsonNode call(
      StepContext context, String target, ObjectNode body, boolean isDryRun) throws Exception {
    Map<String, String> parameters =
        isDryRun ? Map.of("dry_run", "true") : Map.of("wait_for_active_shards", "0");
    ApiRequest request =
        new ApiRequest(
            Verb.POST,
            "/" + target + "/_rollover",
            Map.of("alias", target),
            parameters,
            HeaderValues.NONE,
            RequestBody.of(Json.bytes(body)),
            null,
            () -> false);
    Answer answer = context.tools().rollover().handle(request);
    if (!(answer.content() instanceof Answer.Content.Structured structured)) {
      throw new Refusal(ErrorType.INTERNAL, "a rollover did not answer");
    }
    try (TokenBuffer buffer = new TokenBuffer(Json.MAPPER, false)) {
      structured.writer().write(buffer);
      return Json.MAPPER.readTree(buffer.asParser());
    }
  }
}
