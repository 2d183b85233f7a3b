package dev.holdfast.compoundcommit.directory;

import dev.holdfast.blobcache.local.TrackedInput;
import dev.holdfast.compoundcommit.BlobId;
import java.io.IOException;
import java.util.Collection;
import java.util.concurrent.ConcurrentSkipListMap;
import org.apache.lucene.store.IndexInput;

/// Counts the open inputs of each blob: a blob that is being read is not to be deleted, even when
/// no commit names it any more.
final class OpenBlobs {
  private final ConcurrentSkipListMap<BlobId, Integer> inputs = new ConcurrentSkipListMap<>();

  /// Opens an input that counts until it is closed.
  interface Opening {
    IndexInput open() throws IOException;
  }

  void add(BlobId blob) {
    inputs.merge(blob, 1, Integer::sum);
  }

  void remove(BlobId blob) {
    inputs.computeIfPresent(blob, (id, count) -> count == 1 ? null : count - 1);
  }

  /// Opens an input of a blob that was added, and removes the blob when it is closed, or at once
  /// when it cannot be opened.
  IndexInput open(String name, BlobId blob, Opening opening) throws IOException {
    boolean isOpen = false;
    try {
      IndexInput input = new TrackedInput(name, opening.open(), () -> remove(blob));
      isOpen = true;
      return input;
    } finally {
      if (!isOpen) {
        remove(blob);
      }
    }
  }

  Collection<BlobId> blobs() {
    return inputs.keySet();
  }
}
