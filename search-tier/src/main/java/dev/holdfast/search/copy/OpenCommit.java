package dev.holdfast.search.copy;

import dev.holdfast.compoundcommit.CompoundCommit;
import dev.holdfast.document.Mapping;
import dev.holdfast.document.runtime.RuntimeColumns;
import dev.holdfast.document.runtime.RuntimeReader;
import dev.holdfast.query.ElasticsearchSimilarity;
import dev.holdfast.search.cache.MappedFilterCache;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.function.BooleanSupplier;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.QueryCache;
import org.apache.lucene.util.IOSupplier;

/// A commit being searched; [#release] must be called once for each [SearchShard#acquire].
///
/// @param copy that it was opened in
public record OpenCommit(
    SearchShard copy, CompoundCommit commit, DirectoryReader reader, IndexSearcher searcher) {
  /// Whether the commit can be had from the store.
  public boolean isUploaded() {
    return copy.isUploaded(commit);
  }

  /// Whether the files are closed when this reference is given back, as far as can be said: the
  /// copy has a newer commit, and nobody else reads this one.
  public boolean isLast() {
    return !copy.isNewest(commit) && reader.getRefCount() <= 1;
  }

  public void release() throws IOException {
    reader.decRef();
  }

  /// The same commit with the runtime fields of a mapping, for one search. This one's reference
  /// goes with it.
  public OpenCommit with(Mapping mapping, RuntimeColumns columns, BooleanSupplier isCancelled)
      throws IOException {
    if (mapping.runtime().isEmpty()) {
      return this;
    }
    boolean isDone = false;
    try {
      DirectoryReader over = new RuntimeReader(reader, mapping, columns, isCancelled);
      IndexSearcher own = ElasticsearchSimilarity.searcher(over);
      QueryCache filters = searcher.getQueryCache();
      own.setQueryCache(
          filters == null ? null : new MappedFilterCache(filters, mapping.runtime().keySet()));
      own.setQueryCachingPolicy(searcher.getQueryCachingPolicy());
      isDone = true;
      return new OpenCommit(copy, commit, over, own);
    } finally {
      if (!isDone) {
        release();
      }
    }
  }

  /// Runs a phase of a search with a reference of its own: who acquired the commit may have been
  /// interrupted and have released it.
  public <T> T whileOpen(IOSupplier<T> work) throws IOException {
    if (!reader.tryIncRef()) {
      throw new Refusal(ErrorType.TASK_CANCELLED, "task cancelled");
    }
    try {
      return copy.fieldUse().during(work);
    } finally {
      reader.decRef();
    }
  }
}
