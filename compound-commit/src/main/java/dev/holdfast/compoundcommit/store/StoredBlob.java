package dev.holdfast.compoundcommit.store;

import dev.holdfast.blobcache.blob.Blob;
import dev.holdfast.blobcache.blob.HotRegion;
import dev.holdfast.blobcache.blob.PageChecksums;
import dev.holdfast.compoundcommit.blob.BlobTail;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.world.CorruptObjectException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// An uploaded blob.
///
/// @param known the end of the newest blob, left by who looked for it: used once, then forgotten
record StoredBlob(ObjectStore store, String key, AtomicReference<@Nullable BlobTail> known)
    implements Blob {
  private static final Logger LOG = LoggerFactory.getLogger(StoredBlob.class);

  @Override
  public byte[] read(long offset, int length) throws IOException {
    return store.getRange(key, offset, length);
  }

  @Override
  public boolean isTriedForever() {
    return store.triesForever();
  }

  @Override
  public Optional<Path> localFile() {
    return store.localFile(key);
  }

  @Override
  public Optional<HotRegion> readHot() throws IOException {
    BlobTail tail = known.get();
    if (tail != null && tail.key().equals(key) && known.compareAndSet(tail, null)) {
      try {
        return Optional.of(tail.hot());
      } catch (CorruptObjectException e) {
        LOG.warn("the end of a blob is damaged, reading it again: {}", e.getMessage());
      }
    }
    return Optional.of(BlobTail.read(store, key, BlobTail::hot));
  }

  @Override
  public Optional<PageChecksums> readChecksums() throws IOException {
    return Optional.of(BlobTail.read(store, key, BlobTail::checksums));
  }
}
