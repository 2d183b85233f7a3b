package dev.holdfast.compoundcommit.directory;

import dev.holdfast.compoundcommit.CompoundCommit;
import dev.holdfast.compoundcommit.FileLocation;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.Lock;
import org.apache.lucene.store.NoLockFactory;

/// The files of one commit in blobs that an [IndexingDirectory] can read: read-only, and nothing is
/// held by it but what is open.
final class CommitView extends ReadOnlyDirectory {
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
  public void close() {}
}
