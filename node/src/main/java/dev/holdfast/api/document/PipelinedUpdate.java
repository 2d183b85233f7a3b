package dev.holdfast.api.document;

import dev.holdfast.api.indices.resolve.SingleIndex;
import dev.holdfast.api.ingest.IngestDraft;
import dev.holdfast.api.ingest.IngestPipelines;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.compoundcommit.notice.IndexingReads.RealTimeDocument;
import dev.holdfast.indexing.operation.WriteOperation;
import dev.holdfast.indexing.operation.WriteOperation.Kind;
import dev.holdfast.indexing.operation.WriteResult;
import dev.holdfast.indexing.write.UpdateOutcome;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.Reservation;
import java.io.IOException;

/// A single update of an index with pipelines: what the document or the script makes of the
/// document that is there goes through them as a whole, as every document of that index does. The
/// shard is asked for the document first, and given a write on the condition that it is the same
/// still; so the update may be tried again, and a bulk, whose updates run at their shards, sends
/// only what it inserts through pipelines, as Elasticsearch's does.
record PipelinedUpdate(WriteRequests writes, IngestPipelines.Route route) {
  /// What was written where.
  ///
  /// @param operation what the shard was asked for in the end
  record Written(IndexMetadata index, WriteOperation operation, WriteResult.Done done) {}

  /// @param update an update of this index
  /// @throws Refusal as the shard would, or as a pipeline does
  Written run(IndexMetadata index, WriteOperation update) throws IOException, InterruptedException {
    for (int triesLeft = update.retryOnConflict(); ; triesLeft--) {
      try {
        return attempt(index, update);
      } catch (Refusal refusal) {
        if (refusal.type() != ErrorType.VERSION_CONFLICT || triesLeft <= 0) {
          throw refusal;
        }
      }
    }
  }

  private Written attempt(IndexMetadata index, WriteOperation update)
      throws IOException, InterruptedException {
    ShardId shard = WriteRequests.shard(index, update);
    RealTimeDocument now = writes.current(index, update);
    long nowMillis = writes.world().clock().epochMillis();
    UpdateOutcome outcome;
    try (Reservation _ = UpdateOutcome.reserve(writes.world().memory().request(), update, now)) {
      outcome = UpdateOutcome.of(update, now, shard, nowMillis);
    }
    Kind kind = outcome.kind();
    if (kind == null) {
      return new Written(index, update, UpdateOutcome.nothing(update, now));
    }
    if (kind == Kind.DELETE) {
      WriteOperation delete =
          new WriteOperation(
              0,
              kind,
              update.id(),
              false,
              update.routing(),
              new byte[0],
              0,
              0,
              outcome.condition(),
              0);
      return new Written(index, delete, writes.writeOne(index, delete));
    }
    byte[] bytes = outcome.source();
    IngestDraft made =
        writes
            .ingest()
            .run(
                route,
                IngestDraft.of(
                    index.id().name(),
                    update.id(),
                    outcome.routing(),
                    outcome.condition(),
                    bytes,
                    0,
                    bytes.length));
    if (made.isDropped()) {
      return new Written(index, update, WriteAnswer.dropped(update.id()));
    }
    return write(index, kind, update.id(), made);
  }

  /// Writes what the pipelines made, where they say.
  private Written write(IndexMetadata index, Kind kind, String id, IngestDraft made)
      throws IOException, InterruptedException {
    boolean isElsewhere = !made.index().equals(index.id().name());
    IndexMetadata target = isElsewhere ? writes.index(made.index(), true, false) : index;
    WriteOperation write =
        new WriteOperation(
            0,
            kind,
            made.id() == null ? id : made.id(),
            false,
            SingleIndex.routing(target, made.index(), made.routing()),
            made.bytes(),
            made.offset(),
            made.length(),
            made.condition(),
            0);
    WriteResult.Done done = writes.writeOne(target, write);
    WriteResult.Done withSource =
        new WriteResult.Done(
            done.id(),
            done.effect(),
            done.seqNo(),
            done.primaryTerm(),
            done.version(),
            made.bytes());
    return new Written(target, write, withSource);
  }
}
