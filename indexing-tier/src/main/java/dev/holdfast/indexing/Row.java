package dev.holdfast.indexing;

import dev.holdfast.document.DocumentSource;
import dev.holdfast.indexing.VersionRules.Current;
import dev.holdfast.indexing.WriteOperation.Condition;
import dev.holdfast.indexing.WriteOperation.Kind;
import dev.holdfast.indexing.WriteResult.Effect;
import org.jspecify.annotations.Nullable;

/// One document's change on its way into Lucene. Filled in as it goes: what it is when made; where
/// it lies in the batch when scanned; what it is in the shard's history when judged.
final class Row {
  final int slot;
  final String id;
  final Kind kind;
  final Condition condition;
  final boolean isAppend;

  /// Null for deletes.
  final @Nullable DocumentSource source;

  /// The document after an update, kept in the version map.
  final VersionMap.@Nullable Source updated;

  /// Its row in the batch; -1 for deletes.
  int batchRow = -1;

  Current before = new Current.Absent();
  long seqNo = SequenceNumbers.NONE;
  long primaryTerm;
  long version;
  Effect effect = Effect.NOOP;

  /// @param slot where its result goes
  /// @param kind `INDEX`, `CREATE` or `DELETE`
  /// @param isAppend the id was made by the server and is known not to exist
  Row(
      int slot,
      String id,
      Kind kind,
      Condition condition,
      boolean isAppend,
      @Nullable DocumentSource source,
      VersionMap.@Nullable Source updated) {
    this.slot = slot;
    this.id = id;
    this.kind = kind;
    this.condition = condition;
    this.isAppend = isAppend;
    this.source = source;
    this.updated = updated;
  }

  boolean isDelete() {
    return source == null;
  }

  /// Whether Lucene has a document of that id that must go.
  boolean replaces() {
    return before instanceof Current.Present;
  }
}
