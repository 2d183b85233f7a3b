package dev.holdfast.api.document.reindex;

import dev.holdfast.api.document.FailedDocument;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.indexing.operation.WriteOperation;
import dev.holdfast.query.result.Hit;
import dev.holdfast.search.node.ShardTarget;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A request to read the documents of a query and to write each again.
///
/// @param targets where they are read
/// @param documentsMax -1 for all
/// @param proceedsOnConflict version conflicts are counted, not failures
/// @param slices parts, of which a few dozen run at once
/// @param copiesWanted active copies that a write waits for
record ByQuery(
    Kind kind,
    List<ShardTarget> targets,
    ByQuerySearch search,
    int documentsMax,
    boolean proceedsOnConflict,
    int slices,
    float requestsPerSecond,
    boolean refreshes,
    Duration keepAlive,
    int copiesWanted,
    String timeout,
    Writing writing) {
  /// What is done.
  enum Kind {
    UPDATE,
    DELETE,
    REINDEX
  }

  /// Makes a write of a document that was read.
  interface Writing {
    /// @return null when there is nothing to do
    @Nullable Write of(Hit hit, int position) throws InterruptedException;
  }

  /// A write and where it goes.
  ///
  /// @param name what it is written to, as the request says
  /// @param refused why it is not made after all; null when it is
  record Write(
      IndexMetadata index,
      String name,
      WriteOperation operation,
      @Nullable FailedDocument refused) {}
}
