package dev.holdfast.compoundcommit;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.Collection;
import java.util.Set;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.Lock;
import org.apache.lucene.store.NoLockFactory;

/// The files of one commit in blobs that an [IndexingDirectory] can read: read-only, and nothing is
/// held by it but what is open.
final class CommitView extends Directory {
  private final IndexingDirectory directory;
  private final CompoundCommit commit;

  CommitView(IndexingDirectory directory, CompoundCommit commit) {
    this.directory = directory;
    this.commit = commit;
  }

  /// Whether the commit's blobs are those of that directory.
  boolean isOf(IndexingDirectory other) {
    return directory == other;
  }

  FileLocation location(String name) throws NoSuchFileException {
    FileLocation location = commit.files().get(name);
    if (location == null) {
      throw new NoSuchFileException(name);
    }
    return location;
  }

  @Override
  public String[] listAll() {
    return commit.files().keySet().toArray(String[]::new);
  }

  @Override
  public long fileLength(String name) throws IOException {
    return location(name).length();
  }

  @Override
  public IndexInput openInput(String name, IOContext context) throws IOException {
    return directory.openAt(name, location(name), context);
  }

  /// Nobody changes a commit.
  @Override
  public Lock obtainLock(String name) throws IOException {
    return NoLockFactory.INSTANCE.obtainLock(this, name);
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
  public Set<String> getPendingDeletions() {
    return Set.of();
  }

  @Override
  public void close() {}

  private static UnsupportedOperationException readOnly() {
    return new UnsupportedOperationException("a commit is read-only");
  }
}
