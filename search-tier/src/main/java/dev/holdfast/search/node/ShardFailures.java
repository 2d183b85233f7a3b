package dev.holdfast.search.node;

import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The shards of a search that could not answer, as clients are told of them: those of an index
/// that failed for the same reason are one, by its first shard. A request that means nothing for an
/// index fails on each of its shards.
public final class ShardFailures {
  private final List<ShardFailure> grouped = new ArrayList<>();

  public ShardFailures(List<ShardFailure> failures) {
    record Group(String index, ErrorType type, String reason) {}
    Set<Group> told = new HashSet<>();
    for (ShardFailure failure : failures) {
      Refusal reason = failure.reason();
      if (told.add(new Group(failure.shard().index().name(), reason.type(), reason.reason()))) {
        grouped.add(failure);
      }
    }
  }

  /// As `_shards.failures` and `failed_shards` hold them.
  public List<Map<String, Object>> toMaps() {
    return grouped.stream().map(ShardFailure::toMap).toList();
  }

  /// The error of a search that no shard has answered.
  public Refusal ofAll() {
    return error("all shards failed", grouped.getFirst().located());
  }

  /// The error of a search that some shards have answered, where all of them must.
  public Refusal ofSome() {
    return error("Partial shards failure", null);
  }

  private Refusal error(String reason, @Nullable Refusal cause) {
    return Refusal.ofParts(
            ErrorType.SEARCH_PHASE_EXECUTION,
            reason,
            cause,
            grouped.stream().map(ShardFailure::located).toList())
        .with("phase", "query")
        .with("grouped", true)
        .with("failed_shards", toMaps());
  }
}
