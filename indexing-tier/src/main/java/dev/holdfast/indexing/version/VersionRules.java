package dev.holdfast.indexing.version;

import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.indexing.operation.WriteOperation.Condition;
import dev.holdfast.indexing.operation.WriteOperation.Kind;
import dev.holdfast.indexing.operation.WriteOperation.VersionType;
import dev.holdfast.indexing.operation.WriteResult.Effect;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import org.jspecify.annotations.Nullable;

/// Which writes may happen on a document as it is, and the version they give it: Elasticsearch's
/// rules of optimistic concurrency.
public final class VersionRules {
  private VersionRules() {}

  /// A document as it is before a write.
  public sealed interface Current {
    /// The operation that made it so; [SequenceNumbers#NONE] for none that is remembered.
    long seqNo();

    /// Never written, or deleted too long ago to be remembered.
    record Absent() implements Current {
      @Override
      public long seqNo() {
        return SequenceNumbers.NONE;
      }
    }

    record Deleted(long seqNo, long primaryTerm, long version) implements Current {}

    record Present(long seqNo, long primaryTerm, long version) implements Current {}
  }

  /// What a write would do.
  public sealed interface Verdict {
    record Accepted(long version, Effect effect) implements Verdict {}

    record Conflict(Refusal refusal) implements Verdict {}
  }

  /// @param kind `INDEX`, `CREATE` or `DELETE`: updates have become one of these before
  public static Verdict judge(
      ShardId shard, String id, Kind kind, Condition condition, Current current) {
    String conflict = conflict(kind, condition, current);
    if (conflict != null) {
      return new Verdict.Conflict(conflict(shard, id, conflict));
    }
    boolean exists = current instanceof Current.Present;
    Effect effect =
        kind == Kind.DELETE
            ? exists ? Effect.DELETED : Effect.NOT_FOUND
            : exists ? Effect.UPDATED : Effect.CREATED;
    return new Verdict.Accepted(nextVersion(condition, current), effect);
  }

  /// `version_conflict_engine_exception` with Elasticsearch's members.
  static Refusal conflict(ShardId shard, String id, String why) {
    return new Refusal(ErrorType.VERSION_CONFLICT, "[" + id + "]: version conflict, " + why)
        .with("index_uuid", shard.index().uuid())
        .with("shard", Integer.toString(shard.number()))
        .with("index", shard.index().name());
  }

  private static @Nullable String conflict(Kind kind, Condition condition, Current current) {
    if (condition.ifSeqNo() >= 0) {
      return sequenceConflict(condition, current);
    }
    long version =
        switch (current) {
          case Current.Absent() -> -1;
          case Current.Deleted deleted -> deleted.version();
          case Current.Present present -> present.version();
        };
    return switch (condition.versionType()) {
      case EXTERNAL ->
          version >= condition.version() && version >= 0
              ? "current version ["
                  + version
                  + "] is higher or equal to the one provided ["
                  + condition.version()
                  + "]"
              : null;
      case EXTERNAL_GTE ->
          version > condition.version() && version >= 0
              ? "current version ["
                  + version
                  + "] is higher than the one provided ["
                  + condition.version()
                  + "]"
              : null;
      case INTERNAL ->
          kind == Kind.CREATE && current instanceof Current.Present
              ? "document already exists (current version [" + version + "])"
              : null;
    };
  }

  private static @Nullable String sequenceConflict(Condition condition, Current current) {
    String required =
        "required seqNo ["
            + condition.ifSeqNo()
            + "], primary term ["
            + condition.ifPrimaryTerm()
            + "].";
    return switch (current) {
      case Current.Absent() -> required + " but no document was found";
      case Current.Deleted _ -> required + " but no document was found";
      case Current.Present present ->
          present.seqNo() == condition.ifSeqNo()
                  && present.primaryTerm() == condition.ifPrimaryTerm()
              ? null
              : required
                  + " current document has seqNo ["
                  + present.seqNo()
                  + "] and primary term ["
                  + present.primaryTerm()
                  + "]";
    };
  }

  private static long nextVersion(Condition condition, Current current) {
    if (condition.versionType() != VersionType.INTERNAL) {
      return condition.version();
    }
    return switch (current) {
      case Current.Absent() -> 1;
      case Current.Deleted deleted -> deleted.version() + 1;
      case Current.Present present -> present.version() + 1;
    };
  }
}
