package dev.holdfast.compoundcommit;

import dev.holdfast.blobcache.Blob;
import dev.holdfast.blobcache.BlobInputs;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.compoundcommit.notice.CommitNotice;
import dev.holdfast.compoundcommit.notice.InUse;
import dev.holdfast.compoundcommit.notice.IndexingReads;
import java.io.IOException;
import java.util.Collection;
import java.util.Set;
import java.util.function.Function;
import org.apache.lucene.index.IndexCommit;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.Lock;

/// What the readers of a search copy read from (§4.1).
@SuppressWarnings({"DoNotCallSuggester", "UnusedVariable"}) // signatures first, bodies follow
public final class SearchDirectory extends Directory {
  /// @param blobs uploaded blobs
  /// @param chunks the indexing node, for what is not uploaded yet
  public SearchDirectory(
      ShardId shard, BlobInputs inputs, Function<BlobId, Blob> blobs, IndexingReads chunks) {
    throw new UnsupportedOperationException();
  }

  /// Makes the commit's files visible and learns what is uploaded. Older commits stay until
  /// [#retainOnly].
  public void show(CommitNotice notice) {
    throw new UnsupportedOperationException();
  }

  /// Forgets every commit but these; open inputs stay valid.
  public void retainOnly(Collection<CompoundCommit> commits) {
    throw new UnsupportedOperationException();
  }

  /// The shown commit of that Lucene generation, of the newest primary term: for
  /// `DirectoryReader.open` and `openIfChanged`.
  ///
  /// @throws java.nio.file.NoSuchFileException when it was not shown or is not retained
  public IndexCommit commit(long generation) throws IOException {
    throw new UnsupportedOperationException();
  }

  /// The retained commits and every blob that they or open inputs read (§6.1).
  public InUse inUse() {
    throw new UnsupportedOperationException();
  }

  @Override
  public String[] listAll() {
    throw new UnsupportedOperationException();
  }

  @Override
  public long fileLength(String name) throws IOException {
    throw new UnsupportedOperationException();
  }

  @Override
  public IndexInput openInput(String name, IOContext context) throws IOException {
    throw new UnsupportedOperationException();
  }

  @Override
  public void deleteFile(String name) {
    throw readOnly();
  }

  @Override
  public IndexOutput createOutput(String name, IOContext context) {
    throw readOnly();
  }

  @Override
  public IndexOutput createTempOutput(String prefix, String suffix, IOContext context) {
    throw readOnly();
  }

  @Override
  public void sync(Collection<String> names) {
    throw readOnly();
  }

  @Override
  public void syncMetaData() {
    throw readOnly();
  }

  @Override
  public void rename(String source, String dest) {
    throw readOnly();
  }

  @Override
  public Lock obtainLock(String name) {
    throw readOnly();
  }

  @Override
  public Set<String> getPendingDeletions() {
    return Set.of();
  }

  @Override
  public void close() {}

  private static UnsupportedOperationException readOnly() {
    return new UnsupportedOperationException("a search copy only reads");
  }
}
