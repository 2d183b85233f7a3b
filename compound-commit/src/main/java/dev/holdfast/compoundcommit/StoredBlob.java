package dev.holdfast.compoundcommit;

import dev.holdfast.blobcache.Blob;
import dev.holdfast.blobcache.HotRegion;
import dev.holdfast.objectstore.ObjectStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/// An uploaded blob.
record StoredBlob(ObjectStore store, String key) implements Blob {
  @Override
  public byte[] read(long offset, int length) throws IOException {
    return store.getRange(key, offset, length);
  }

  @Override
  public Optional<Path> localFile() {
    return store.localFile(key);
  }

  @Override
  public Optional<HotRegion> readHot() throws IOException {
    return Optional.of(BlobTail.read(store, key).hot());
  }
}
