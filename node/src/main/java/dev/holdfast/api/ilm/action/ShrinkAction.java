package dev.holdfast.api.ilm.action;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.indices.ShrunkenSize;
import dev.holdfast.api.indices.settings.IndexSettings;
import dev.holdfast.api.indices.settings.LifecycleSettings;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.world.ByteSize;
import dev.holdfast.world.Json;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;

/// `shrink`: an index with fewer shards takes the place of the index, in its data stream or under
/// its name as an alias. It is made beside it and takes its place in one change of the state.
final class ShrinkAction implements LifecycleAction {
  private static final String SHARDS = "number_of_shards";
  private static final String SIZE = "max_primary_shard_size";
  private static final String WRITES = "allow_write_after_shrink";
  private static final String LAST = "is-shrunken-index";
  private static final String REPLICAS = "index.number_of_replicas";
  private static final String BLOCK = "index.blocks.write";

  @Override
  public String name() {
    return "shrink";
  }

  @Override
  public ObjectNode read(JsonObject body) {
    ObjectNode kept = Json.object();
    String size = body.string(SIZE);
    if (size != null) {
      if (ByteSize.parse(SIZE, size).bytes() <= 0) {
        throw Refusal.badArgument("[" + SIZE + "] must be greater than 0");
      }
      kept.put(SIZE, size);
    }
    if (body.has(SHARDS)) {
      int shards = body.integer(SHARDS, 0);
      if (size != null) {
        throw Refusal.badArgument("Cannot set both [" + SHARDS + "] and [" + SIZE + "]");
      }
      if (shards <= 0) {
        throw Refusal.badArgument("[" + SHARDS + "] must be greater than 0");
      }
      kept.put(SHARDS, shards);
    } else if (size == null) {
      throw Refusal.badArgument("Either [" + SHARDS + "] or [" + SIZE + "] must be set");
    }
    return kept.put(WRITES, body.bool(WRITES, false));
  }

  @Override
  public List<Step> steps(ObjectNode body) {
    return List.of(
        new Step("branch-shrink-check-skip-action", context -> needed(context, body)),
        WriteIndexCheck.STEP,
        TimeSeriesEnd.ofStream(name()),
        WriteIndexCheck.READ_ONLY,
        new Step("check-target-shards-count", context -> counted(context, body)),
        new Step("generate-shrink-index-name", ShrinkAction::named),
        new Step("shrink", context -> shrunken(context, body)),
        new Step(
            "shrunk-shards-allocated",
            context -> IndexReplacement.started(context, context.lifecycle().shrunkenName())),
        new Step(
            "replace-index",
            context ->
                IndexReplacement.outcome(
                    context, context.lifecycle().shrunkenName(), LAST, ShrinkAction::isMadeOf)),
        new Step(LAST, context -> Outcome.done()));
  }

  private static Outcome needed(StepContext context, ObjectNode body) {
    int before = context.index().shards();
    boolean isThere = before == 1 || before == body.path(SHARDS).asInt(0);
    return isThere ? Outcome.actionDone() : Outcome.done();
  }

  private static Outcome counted(StepContext context, ObjectNode body) throws Exception {
    int before = context.index().shards();
    if (!body.has(SHARDS) || (before % body.path(SHARDS).asInt() == 0)) {
      return Outcome.done();
    }
    return Outcome.waiting(
        "lifecycle action of policy ["
            + context.policy()
            + "] for index ["
            + context.name()
            + "] cannot make progress because the target shards count ["
            + body.path(SHARDS).asInt()
            + "] must be a factor of the source index's shards count ["
            + before
            + "]");
  }

  /// One that was shrunk before is still known by its own name.
  private static Outcome named(StepContext context) {
    String known = context.lifecycle().shrunkenName();
    if (!known.isEmpty() && !known.equals(context.name())) {
      return Outcome.done();
    }
    String random =
        context.tools().world().ids().uuid().toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "");
    String name =
        "shrink-" + random.substring(0, Math.min(4, random.length())) + "-" + context.name();
    return new Outcome.Done(state -> state, kept -> kept.withShrunkenName(name), false);
  }

  private static Outcome shrunken(StepContext context, ObjectNode body) throws Exception {
    IndexMetadata source = context.index();
    String target = context.lifecycle().shrunkenName();
    IndexMetadata there = context.state().indices().get(target);
    if (there != null && isMadeOf(there, source)) {
      return Outcome.done();
    }
    int shards = shards(context, body);
    if (shards >= source.shards()) {
      return Outcome.actionDone();
    }
    SortedMap<String, Object> given = new TreeMap<>();
    given.put(LifecycleSettings.NAME, IndexSettings.Reset.RESET); // none before it is in its place
    given.put(REPLICAS, source.setting(REPLICAS, "1")); // a shrunken index would have the default
    if (body.path(WRITES).asBoolean()) {
      given.put(BLOCK, IndexSettings.Reset.RESET);
    }
    var _ = context.tools().resize().shrunken(source, target, shards, given);
    return Outcome.done();
  }

  private static boolean isMadeOf(IndexMetadata index, IndexMetadata source) {
    return index.setting("index.resize.source.uuid", "").equals(source.id().uuid());
  }

  /// The fewest shards that are small enough and can be made of those there are.
  private static int shards(StepContext context, ObjectNode body) throws Exception {
    if (body.has(SHARDS)) {
      return body.path(SHARDS).asInt();
    }
    long most = ByteSize.parse(SIZE, body.path(SIZE).asText()).bytes();
    return new ShrunkenSize(most).shards(context.tools().shards(), context.index());
  }
}
