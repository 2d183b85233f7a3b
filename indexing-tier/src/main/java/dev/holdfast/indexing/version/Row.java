package dev.holdfast.indexing.version;

import dev.holdfast.document.DocumentSource;
import dev.holdfast.indexing.operation.WriteOperation.Condition;
import dev.holdfast.indexing.operation.WriteOperation.Kind;
import dev.holdfast.indexing.operation.WriteResult.Effect;
import dev.holdfast.indexing.version.VersionRules.Current;
import org.jspecify.annotations.Nullable;

/// One document's change on its way into Lucene. Filled in as it goes: what it is when made; where
/// it lies in the batch when scanned; what it is in the shard's history when judged.
public final class Row {
  public final int slot;
  public final String id;
  public final Kind kind;
  public final Condition condition;
  public final boolean isAppend;

  /// Null for deletes.
  public final @Nullable DocumentSource source;

  /// The document as the version map keeps it: after an update, and while somebody asks for
  /// documents that no reader shows yet. Null when it keeps none.
  public final VersionMap.@Nullable Source kept;

  /// Its row in the batch; -1 for deletes.
  public int batchRow = -1;

  public Current before = new Current.Absent();
  public long seqNo = SequenceNumbers.NONE;
  public long primaryTerm;
  public long version;
  public Effect effect = Effect.NOOP;

  /// @param slot where its result goes
  /// @param kind `INDEX`, `CREATE` or `DELETE`
  /// @param isAppend the id was made by the server and is known not to exist
  public Row(
      int slot,
      String id,
      Kind kind,
      Condition condition,
      boolean isAppend,
      @Nullable DocumentSource source,
      VersionMap.@Nullable Source kept) {
    this.slot = slot;
    this.id = id;
    this.kind = kind;
    this.condition = condition;
    this.isAppend = isAppend;
    this.source = source;
    this.kept = kept;
  }

  /// A document that goes.
  public static Row delete(int slot, String id, Condition condition) {
    return new Row(slot, id, Kind.DELETE, condition, false, null, null);
  }

  public boolean isDelete() {
    return source == null;
  }

  /// Whether Lucene has a document of that id that must go.
  public boolean replaces() {
    return before instanceof Current.Present;
  }
}
