package dev.holdfast.simulation.client;

import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.compoundcommit.notice.IndexingReads.RealTimeDocument;
import dev.holdfast.indexing.operation.WriteOperation;
import dev.holdfast.indexing.operation.WriteOperation.VersionType;
import dev.holdfast.indexing.operation.WriteResult;
import dev.holdfast.simulation.client.Ledger.Shown;
import dev.holdfast.simulation.linear.DocumentCall.Answer;
import dev.holdfast.simulation.linear.DocumentCall.Condition;
import dev.holdfast.simulation.linear.DocumentCall.Effect;
import dev.holdfast.simulation.linear.DocumentCall.Kind;
import dev.holdfast.simulation.linear.DocumentCall.Request;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/// Several clients write the same few documents in every way there is: what they ask, and what they
/// were told, as the judge of [Histories] wants it.
public final class Rivalry {
  /// The last ones have versions that clients give.
  public static final List<String> IDS = List.of("id0", "id1", "id2", "id3", "id4", "ext0", "ext1");

  private static final int UPDATE_RETRIES = 3;

  private final Histories histories;

  /// What some client knows of each document: what a condition may be made of.
  private final Map<String, Seen> seen = new HashMap<>();

  private long externalVersions = 10;

  private record Seen(long seqNo, long primaryTerm) {}

  /// A write, as the product and as the judge has it.
  record Ask(WriteOperation operation, Request.Write request) {}

  public Rivalry(Histories histories) {
    this.histories = histories;
  }

  Histories histories() {
    return histories;
  }

  /// Some ids are busier than others.
  String id(SplittableRandom random) {
    return IDS.get(Math.min(random.nextInt(IDS.size()), random.nextInt(IDS.size() + 2)));
  }

  static Kind kind(SplittableRandom random) {
    return switch (random.nextInt(10)) {
      case 0, 1 -> Kind.DELETE;
      case 2, 3 -> Kind.CREATE;
      case 4 -> Kind.UPDATE;
      case 5 -> Kind.UPSERT;
      default -> Kind.INDEX;
    };
  }

  Ask ask(
      int position, ShardId shard, String id, Kind wanted, long value, SplittableRandom random) {
    boolean isExternal = id.startsWith("ext");
    Kind kind = isExternal && wanted != Kind.DELETE ? Kind.INDEX : wanted;
    Seen last = seen.get(Ledger.key(shard, id));
    Condition condition = Condition.NONE;
    WriteOperation.Condition asked = WriteOperation.Condition.NONE;
    if (isExternal) {
      long version = externalVersions++ - (random.nextInt(4) == 0 ? 3 : 0);
      condition = new Condition.External(version);
      asked = new WriteOperation.Condition(-2, 0, version, VersionType.EXTERNAL);
    } else if (last != null
        && (kind == Kind.INDEX || kind == Kind.DELETE)
        && random.nextInt(3) == 0) {
      condition = new Condition.IfSeqNo(last.seqNo);
      asked = new WriteOperation.Condition(last.seqNo, last.primaryTerm, -3, VersionType.INTERNAL);
    }
    byte[] body = body(kind, value).getBytes(StandardCharsets.UTF_8);
    boolean isUpdate = kind == Kind.UPDATE || kind == Kind.UPSERT;
    WriteOperation operation =
        new WriteOperation(
            position,
            kindOf(kind),
            id,
            false,
            null,
            body,
            0,
            body.length,
            asked,
            isUpdate ? UPDATE_RETRIES : 0);
    return new Ask(operation, new Request.Write(kind, value, condition));
  }

  private static String body(Kind kind, long value) {
    String document = "{\"n\":" + value + ",\"text\":\"quick brown fox\"}";
    return switch (kind) {
      case DELETE -> "";
      case UPDATE -> "{\"doc\":" + document + "}";
      case UPSERT -> "{\"doc\":" + document + ",\"doc_as_upsert\":true}";
      case INDEX, CREATE -> document;
    };
  }

  private static WriteOperation.Kind kindOf(Kind kind) {
    return switch (kind) {
      case INDEX -> WriteOperation.Kind.INDEX;
      case CREATE -> WriteOperation.Kind.CREATE;
      case UPDATE, UPSERT -> WriteOperation.Kind.UPDATE;
      case DELETE -> WriteOperation.Kind.DELETE;
    };
  }

  void begins(ShardId shard, long begin, Ask ask) {
    histories.begins(Ledger.key(shard, ask.operation.id()), begin, ask.request);
  }

  void answered(ShardId shard, long begin, Ask ask, WriteResult result) {
    String key = Ledger.key(shard, ask.operation.id());
    switch (result) {
      case WriteResult.Done done -> {
        Effect effect = Effect.valueOf(done.effect().name());
        histories.answered(
            key, begin, ask.request, new Answer.Done(effect, done.seqNo(), done.version()));
        seen.put(key, new Seen(done.seqNo(), done.primaryTerm()));
      }
      case WriteResult.Refused refused -> {
        switch (refused.refusal().type()) {
          case VERSION_CONFLICT ->
              histories.answered(key, begin, ask.request, new Answer.Conflict());
          case DOCUMENT_MISSING ->
              histories.answered(key, begin, ask.request, new Answer.Missing());
          default -> {} // nobody knows
        }
      }
    }
  }

  void got(ShardId shard, String id, long begin, Shown shown, RealTimeDocument found) {
    String key = Ledger.key(shard, id);
    histories.answered(
        key,
        begin,
        new Request.Get(),
        shown.exists()
            ? new Answer.Shown(shown.number(), shown.seqNo(), found.version())
            : new Answer.Nothing());
    if (shown.exists()) {
      seen.put(key, new Seen(found.seqNo(), found.primaryTerm()));
    }
  }
}
