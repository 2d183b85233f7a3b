package dev.holdfast.compoundcommit;

import dev.holdfast.blobcache.Blob;
import dev.holdfast.blobcache.BlobInputs;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.Lock;

/// What the IndexWriter of a shard writes to and reads from (§4).
@SuppressWarnings({"DoNotCallSuggester", "UnusedVariable"}) // signatures first, bodies follow
public final class IndexingDirectory extends Directory {
  /// @param folder its own: what lies there from an earlier life is deleted
  public IndexingDirectory(Path folder, BlobInputs inputs, Function<BlobId, Blob> blobs)
      throws IOException {
    this(folder, inputs, blobs, file -> {});
  }

  /// @param onDeleted hears the name of each file that Lucene deleted
  public IndexingDirectory(
      Path folder, BlobInputs inputs, Function<BlobId, Blob> blobs, Consumer<String> onDeleted)
      throws IOException {
    throw new UnsupportedOperationException();
  }

  /// Recovery: the commit's files exist, in their blobs.
  public void adopt(CompoundCommit commit) {
    throw new UnsupportedOperationException();
  }

  /// From now on these can be read from their blobs; names that Lucene deleted meanwhile are
  /// ignored.
  public void uploaded(Map<String, FileLocation> files) {
    throw new UnsupportedOperationException();
  }

  /// Deletes the local copies of uploaded files; open inputs stay valid, names that are not
  /// uploaded are kept.
  public void dropLocal(Collection<String> files) throws IOException {
    throw new UnsupportedOperationException();
  }

  /// Where the file lies in the store, if it does.
  public Optional<FileLocation> location(String file) {
    throw new UnsupportedOperationException();
  }

  /// The blobs that hold files of this directory or that an open input reads: not to be deleted.
  public SortedSet<BlobId> referencedBlobs() {
    throw new UnsupportedOperationException();
  }

  /// Bytes of the local files.
  public long localBytes() throws IOException {
    throw new UnsupportedOperationException();
  }

  @Override
  public String[] listAll() throws IOException {
    throw new UnsupportedOperationException();
  }

  @Override
  public void deleteFile(String name) throws IOException {
    throw new UnsupportedOperationException();
  }

  @Override
  public long fileLength(String name) throws IOException {
    throw new UnsupportedOperationException();
  }

  @Override
  public IndexOutput createOutput(String name, IOContext context) throws IOException {
    throw new UnsupportedOperationException();
  }

  @Override
  public IndexOutput createTempOutput(String prefix, String suffix, IOContext context)
      throws IOException {
    throw new UnsupportedOperationException();
  }

  @Override
  public void sync(Collection<String> names) {}

  @Override
  public void syncMetaData() {}

  @Override
  public void rename(String source, String dest) throws IOException {
    throw new UnsupportedOperationException();
  }

  @Override
  public IndexInput openInput(String name, IOContext context) throws IOException {
    throw new UnsupportedOperationException();
  }

  @Override
  public Lock obtainLock(String name) throws IOException {
    throw new UnsupportedOperationException();
  }

  @Override
  public Set<String> getPendingDeletions() throws IOException {
    throw new UnsupportedOperationException();
  }

  @Override
  public void close() throws IOException {
    throw new UnsupportedOperationException();
  }
}
