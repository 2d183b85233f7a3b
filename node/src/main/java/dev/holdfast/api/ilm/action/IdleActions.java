package dev.holdfast.api.ilm.action;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.world.Json;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.util.List;
import java.util.function.Function;

/// Actions that mean nothing where shards lie in an object store: taken, checked, and left out with
/// a note in `_ilm/explain`.
final class IdleActions {
  static final String NO_TIERS = "shards lie in the object store: there are no data tiers";

  private IdleActions() {}

  /// @param step named after what Elasticsearch does first
  private record Idle(
      String name, String step, String why, Function<JsonObject, ObjectNode> reading)
      implements LifecycleAction {
    @Override
    public ObjectNode read(JsonObject body) {
      return reading.apply(body);
    }

    @Override
    public List<Step> steps(ObjectNode body) {
      return List.of(
          new Step(step, context -> why.isEmpty() ? Outcome.done() : Outcome.skipped(name, why)));
    }
  }

  static LifecycleAction migrate() {
    return new Idle(
        "migrate",
        "migrate",
        NO_TIERS,
        body -> Json.object().put("enabled", body.bool("enabled", true)));
  }

  /// An index that follows none of another cluster has nothing to unfollow, here as there.
  static LifecycleAction unfollow() {
    return new Idle("unfollow", "wait-for-indexing-complete", "", body -> Json.object());
  }

  static LifecycleAction searchableSnapshot() {
    return new Idle(
        "searchable_snapshot",
        "mount-snapshot",
        "all indices are searched in the object store already",
        IdleActions::readSnapshot);
  }

  private static ObjectNode readSnapshot(JsonObject body) {
    String repository = body.string("snapshot_repository");
    if (repository == null || repository.isEmpty()) {
      throw Refusal.badArgument("the snapshot repository must be specified");
    }
    ObjectNode kept =
        Json.object()
            .put("snapshot_repository", repository)
            .put("force_merge_index", body.bool("force_merge_index", true));
    if (body.has("total_shards_per_node")) {
      int shards = body.integer("total_shards_per_node", 1);
      if (shards < 1) {
        throw Refusal.badArgument("[total_shards_per_node] must be >= 1");
      }
      kept.put("total_shards_per_node", shards);
    }
    String replicated = body.string("replicate_for");
    return replicated == null ? kept : kept.put("replicate_for", replicated);
  }
}
