package dev.holdfast.indexing.write;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.compoundcommit.notice.IndexingReads.RealTimeDocument;
import dev.holdfast.indexing.operation.WriteOperation;
import dev.holdfast.indexing.operation.WriteOperation.Condition;
import dev.holdfast.indexing.operation.WriteOperation.Kind;
import dev.holdfast.indexing.operation.WriteOperation.VersionType;
import dev.holdfast.indexing.operation.WriteResult;
import dev.holdfast.indexing.operation.WriteResult.Effect;
import dev.holdfast.indexing.version.VersionRules;
import dev.holdfast.script.ScriptJson;
import dev.holdfast.script.ScriptSource;
import dev.holdfast.script.ScriptValues;
import dev.holdfast.world.CircuitBreaker;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.Reservation;
import dev.holdfast.world.text.JsonMemory;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What an update comes to, given its document as it is: a write of the whole document on the
/// condition that nobody wrote in between.
///
/// @param kind null for nothing to do
/// @param source the document, where one is written
@SuppressWarnings("ArrayRecordComponent") // a carrier, never compared
public record UpdateOutcome(
    @Nullable Kind kind, Condition condition, byte[] source, @Nullable String routing) {
  /// The trees of smaller updates are not asked for.
  private static final int SMALL_MAX_BYTES = 16 << 10;

  /// The memory for working an update out: what it says and what is there are trees meanwhile.
  ///
  /// @param now the document as a real-time get finds it
  /// @throws Refusal when there is none (429)
  public static Reservation reserve(
      CircuitBreaker breaker, WriteOperation operation, RealTimeDocument now) {
    byte[] before = now.source();
    Reservation memory = breaker.begin("<update>");
    if (operation.length() + (before == null ? 0 : before.length) > SMALL_MAX_BYTES) {
      try {
        memory.add(JsonMemory.ofText(operation.bytes(), operation.offset(), operation.length()));
        memory.add(before == null ? 0 : JsonMemory.ofText(before, 0, before.length));
      } catch (Refusal e) {
        memory.close();
        throw e;
      }
    }
    return memory;
  }

  /// @param now the document as a real-time get finds it
  /// @throws Refusal 404 when there is neither document nor upsert, 409 when the update's own
  ///   condition does not hold, 400 for what the body or its script does wrong
  public static UpdateOutcome of(
      WriteOperation operation, RealTimeDocument now, ShardId shard, long nowMillis) {
    UpdateBody body = UpdateBody.parse(operation);
    return now.exists()
        ? changed(body, operation, now, shard, nowMillis)
        : inserted(body, operation, shard, nowMillis);
  }

  private static UpdateOutcome inserted(
      UpdateBody body, WriteOperation operation, ShardId shard, long nowMillis) {
    ObjectNode upsert = body.upsert();
    if (upsert == null) {
      throw missing(ErrorType.DOCUMENT_MISSING, "document missing", operation, shard);
    }
    if (body.condition().ifSeqNo() >= 0) {
      require(operation, body.condition(), new VersionRules.Current.Absent(), shard);
    }
    if (body.script() == null || !body.runsOnUpsert()) {
      return new UpdateOutcome(
          Kind.CREATE, Condition.NONE, Json.bytes(upsert), operation.routing());
    }
    ScriptedUpdate made =
        scripted(
            body.script(),
            operation,
            shard,
            ScriptValues.map(upsert),
            null,
            operation.routing(),
            nowMillis);
    return new UpdateOutcome(made.kind(), Condition.NONE, made.source(), operation.routing());
  }

  private static UpdateOutcome changed(
      UpdateBody body,
      WriteOperation operation,
      RealTimeDocument now,
      ShardId shard,
      long nowMillis) {
    require(
        operation,
        body.condition(),
        new VersionRules.Current.Present(now.seqNo(), now.primaryTerm(), now.version()),
        shard);
    byte[] before = now.source();
    if (before == null) {
      throw missing(ErrorType.DOCUMENT_SOURCE_MISSING, "document source missing", operation, shard);
    }
    Kind kind;
    byte[] source;
    if (body.script() == null) {
      ObjectNode merged = Json.parseObject(before, 0, before.length);
      kind = body.mergeInto(merged) ? Kind.INDEX : null;
      source = kind == null ? before : Json.bytes(merged);
    } else {
      Map<String, Object> found = ScriptJson.read(before, 0, before.length);
      ScriptedUpdate made =
          scripted(body.script(), operation, shard, found, now.version(), now.routing(), nowMillis);
      kind = made.kind();
      source = made.source();
    }
    Condition unchanged = new Condition(now.seqNo(), now.primaryTerm(), -3, VersionType.INTERNAL);
    return new UpdateOutcome(
        kind, unchanged, source, operation.routing() == null ? now.routing() : operation.routing());
  }

  private static ScriptedUpdate scripted(
      ScriptSource script,
      WriteOperation operation,
      ShardId shard,
      Map<String, Object> source,
      @Nullable Long version,
      @Nullable String routing,
      long nowMillis) {
    return ScriptedUpdate.run(
        script, operation, shard.index().name(), source, version, routing, nowMillis);
  }

  /// Refuses an update whose own condition does not hold.
  private static void require(
      WriteOperation operation, Condition condition, VersionRules.Current current, ShardId shard) {
    if (VersionRules.judge(shard, operation.id(), Kind.INDEX, condition, current)
        instanceof VersionRules.Verdict.Conflict(Refusal conflict)) {
      throw conflict;
    }
  }

  /// A refusal of an update that lacks what it would change.
  private static Refusal missing(
      ErrorType type, String what, WriteOperation operation, ShardId shard) {
    return new Refusal(type, "[" + operation.id() + "]: " + what)
        .with("index_uuid", shard.index().uuid())
        .with("shard", Integer.toString(shard.number()))
        .with("index", shard.index().name());
  }

  /// The result of an update that has nothing to do.
  ///
  /// @param now the document it found
  public static WriteResult.Done nothing(WriteOperation update, RealTimeDocument now) {
    return new WriteResult.Done(
        update.id(),
        Effect.NOOP,
        now.seqNo(),
        now.primaryTerm(),
        now.version(),
        update.isSourceUnwanted() ? null : now.source());
  }
}
