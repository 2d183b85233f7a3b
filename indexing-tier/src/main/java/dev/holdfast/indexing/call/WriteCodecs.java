package dev.holdfast.indexing.call;

import dev.holdfast.compoundcommit.call.Codec;
import dev.holdfast.compoundcommit.call.RefusalCodec;
import dev.holdfast.compoundcommit.call.WireInput;
import dev.holdfast.compoundcommit.call.WireOutput;
import dev.holdfast.compoundcommit.call.WireValues;
import dev.holdfast.indexing.operation.WriteAttempt;
import dev.holdfast.indexing.operation.WriteOperation;
import dev.holdfast.indexing.operation.WriteOperation.Condition;
import dev.holdfast.indexing.operation.WriteOperation.Kind;
import dev.holdfast.indexing.operation.WriteOperation.VersionType;
import dev.holdfast.indexing.operation.WriteResult;
import dev.holdfast.indexing.operation.WriteResult.Effect;
import dev.holdfast.translog.WriteOrigin;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// How writes, their results and a shard's counters travel.
final class WriteCodecs {
  static final Codec<WriteOperation> OPERATION =
      Codec.record(WriteCodecs::writeOperation, WriteCodecs::readOperation);

  static final Codec<WriteAttempt> ATTEMPT =
      Codec.record(WriteCodecs::writeAttempt, WriteCodecs::readAttempt);

  static final Codec<WriteResult> RESULT =
      Codec.record(WriteCodecs::writeResult, WriteCodecs::readResult);

  static final Codec<ShardStats> STATS =
      Codec.record(WriteCodecs::writeStats, WriteCodecs::readStats);

  private WriteCodecs() {}

  private static void writeOperation(WireOutput out, WriteOperation operation) throws IOException {
    out.writeVInt(operation.position());
    out.writeString(operation.kind().name());
    out.writeString(operation.id());
    WireValues.writeFlag(out, operation.isAutoId());
    WireValues.writeText(out, operation.routing());
    WireValues.writeBytes(out, operation.bytes(), operation.offset(), operation.length());
    Condition condition = operation.condition();
    WireValues.writeFlag(out, !condition.equals(Condition.NONE));
    if (!condition.equals(Condition.NONE)) {
      out.writeZLong(condition.ifSeqNo());
      out.writeZLong(condition.ifPrimaryTerm());
      out.writeZLong(condition.version());
      out.writeString(condition.versionType().name());
    }
    out.writeVInt(operation.retryOnConflict());
    out.writeMapOfStrings(operation.dynamicTemplates());
    if (operation.isSourceUnwanted()) {
      WireValues.writeFlag(out, true);
    }
  }

  private static WriteOperation readOperation(WireInput in) throws IOException {
    int position = in.readVInt();
    Kind kind = Kind.valueOf(in.readString());
    String id = in.readString();
    boolean isAutoId = WireValues.readFlag(in);
    String routing = WireValues.readText(in);
    byte[] bytes = Objects.requireNonNull(WireValues.readBytes(in));
    Condition condition =
        WireValues.readFlag(in)
            ? new Condition(
                in.readZLong(),
                in.readZLong(),
                in.readZLong(),
                VersionType.valueOf(in.readString()))
            : Condition.NONE;
    return new WriteOperation(
        position,
        kind,
        id,
        isAutoId,
        routing,
        bytes,
        0,
        bytes.length,
        condition,
        in.readVInt(),
        in.readMapOfStrings(),
        in.hasMore() && WireValues.readFlag(in));
  }

  private static void writeAttempt(WireOutput out, WriteAttempt attempt) throws IOException {
    out.writeLong(attempt.origin().node());
    out.writeVLong(attempt.origin().number());
    out.writeVLong(attempt.origin().number() - attempt.origin().oldest());
    out.writeVInt(attempt.number());
    out.writeVInt(attempt.ordinals().size());
    for (int ordinal : attempt.ordinals()) {
      out.writeVInt(ordinal);
    }
  }

  private static WriteAttempt readAttempt(WireInput in) throws IOException {
    long node = in.readLong();
    long number = in.readVLong();
    WriteOrigin origin = new WriteOrigin(node, number, number - in.readVLong());
    int attempt = in.readVInt();
    int count = in.readLength();
    List<Integer> ordinals = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      ordinals.add(in.readVInt());
    }
    return new WriteAttempt(origin, attempt, ordinals);
  }

  private static void writeResult(WireOutput out, WriteResult result) throws IOException {
    switch (result) {
      case WriteResult.Done done -> {
        WireValues.writeFlag(out, true);
        out.writeString(done.id());
        out.writeString(done.effect().name());
        out.writeZLong(done.seqNo());
        out.writeZLong(done.primaryTerm());
        out.writeZLong(done.version());
        WireValues.writeBytes(out, done.source());
      }
      case WriteResult.Refused refused -> {
        WireValues.writeFlag(out, false);
        out.writeString(refused.id());
        RefusalCodec.INSTANCE.write(out, refused.refusal());
      }
    }
  }

  private static WriteResult readResult(WireInput in) throws IOException {
    if (!WireValues.readFlag(in)) {
      return new WriteResult.Refused(in.readString(), RefusalCodec.INSTANCE.read(in));
    }
    return new WriteResult.Done(
        in.readString(),
        Effect.valueOf(in.readString()),
        in.readZLong(),
        in.readZLong(),
        in.readZLong(),
        WireValues.readBytes(in));
  }

  private static void writeStats(WireOutput out, ShardStats stats) throws IOException {
    for (long number : stats.numbers()) {
      out.writeZLong(number);
    }
  }

  private static ShardStats readStats(WireInput in) throws IOException {
    long[] numbers = new long[ShardStats.NUMBERS];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = in.hasMore() ? in.readZLong() : 0;
    }
    return ShardStats.of(numbers);
  }
}
