package dev.holdfast.compoundcommit.directory;

import dev.holdfast.blobcache.blob.Blob;
import dev.holdfast.blobcache.blob.HotRegion;
import dev.holdfast.blobcache.blob.PageChecksums;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.compoundcommit.BlobId;
import dev.holdfast.compoundcommit.notice.IndexingReads;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/// A blob as a search copy sees it: chunks of its indexing node at first, the uploaded object from
/// some moment on and for good (§4.1). The bytes are the same at the same places.
final class LiveBlob implements Blob {
  /// The most that is asked of an indexing node at once: it bounds the memory it needs to answer.
  private static final int CHUNK_BYTES_MAX = 128 << 10;

  private final ShardId shard;
  private final BlobId id;
  private final Blob stored;
  private final IndexingReads chunks;
  private volatile boolean uploaded;

  LiveBlob(ShardId shard, BlobId id, Blob stored, IndexingReads chunks) {
    this.shard = shard;
    this.id = id;
    this.stored = stored;
    this.chunks = chunks;
  }

  void markUploaded() {
    uploaded = true;
  }

  boolean isUploaded() {
    return uploaded;
  }

  @Override
  public String key() {
    return stored.key();
  }

  @Override
  public byte[] read(long offset, int length) throws IOException {
    return read(offset, length, CHUNK_BYTES_MAX);
  }

  /// As [#read], with one call while nothing is uploaded: for one reader at a time.
  byte[] readAtOnce(long offset, int length) throws IOException {
    return read(offset, length, length);
  }

  private byte[] read(long offset, int length, int chunkMax) throws IOException {
    byte[] bytes = new byte[length];
    int done = 0;
    while (!uploaded && done < length) {
      int wanted = Math.min(chunkMax, length - done);
      Optional<byte[]> chunk = chunks.chunk(shard, id, offset + done, wanted);
      if (chunk.isEmpty()) {
        uploaded = true;
        break;
      }
      byte[] got = chunk.get();
      System.arraycopy(got, 0, bytes, done, got.length);
      done += got.length;
      if (got.length < wanted) {
        return Arrays.copyOf(bytes, done);
      }
    }
    if (done == length) {
      return bytes;
    }
    // What came as chunks is read again from the store: rare, and simpler than to join the two.
    return stored.read(offset, length);
  }

  @Override
  public Optional<Path> localFile() {
    return uploaded ? stored.localFile() : Optional.empty();
  }

  @Override
  public Optional<HotRegion> readHot() throws IOException {
    return uploaded ? stored.readHot() : Optional.empty();
  }

  @Override
  public Optional<PageChecksums> readChecksums() throws IOException {
    return uploaded ? stored.readChecksums() : Optional.empty();
  }
}
