package dev.holdfast.compoundcommit;

import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.objectstore.ObjectBody;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// The virtual batched compound commit (VBCC, §4).
@SuppressWarnings({"DoNotCallSuggester", "UnusedVariable"}) // signatures first, bodies follow
public final class VirtualBatch implements Closeable {
  /// @param id its generation is that of the first commit to be appended
  /// @param localFolder where the IndexWriter's files lie
  public VirtualBatch(ShardId shard, BlobId id, Path localFolder) {
    throw new UnsupportedOperationException();
  }

  public BlobId id() {
    throw new UnsupportedOperationException();
  }

  /// Appends the commit's files that lie in no blob yet, and copies generational files again.
  ///
  /// @return the commit with the place of each file
  public CompoundCommit append(NewCommit commit) throws IOException {
    throw new UnsupportedOperationException();
  }

  /// Bytes so far, a multiple of the page.
  public long bytes() {
    throw new UnsupportedOperationException();
  }

  public int commitCount() {
    throw new UnsupportedOperationException();
  }

  /// The commits so far, oldest first.
  public List<CompoundCommit> commits() {
    throw new UnsupportedOperationException();
  }

  /// Bytes `[offset, offset + length)`; fewer at the end, which is a multiple of the page.
  public byte[] chunk(long offset, int length) throws IOException {
    throw new UnsupportedOperationException();
  }

  /// The local file of that name, when it is in this batch and still lies in the local folder.
  public Optional<Path> localFile(String name) {
    throw new UnsupportedOperationException();
  }

  /// No commit can be appended any more; the whole blob can be uploaded.
  public Frozen freeze() throws IOException {
    throw new UnsupportedOperationException();
  }

  /// Lets go of the files; chunks are refused from now on (`AlreadyClosedException`).
  @Override
  public void close() throws IOException {
    throw new UnsupportedOperationException();
  }

  /// A batch that is ready to be uploaded.
  ///
  /// @param commits oldest first
  /// @param body the whole blob; readable until the batch is closed
  public record Frozen(BlobId id, List<CompoundCommit> commits, ObjectBody body) {}
}
