package dev.holdfast.compoundcommit.blob;

import dev.holdfast.blobcache.blob.PageChecksums;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.world.CorruptObjectException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// Checks a whole blob in the store: its tail, and every page of its files.
public final class BlobCheck {
  /// Read at once; a multiple of the page.
  private static final int READ_BYTES = 4 << 20;

  private BlobCheck() {}

  /// Is told of bytes before they are read; may wait.
  @FunctionalInterface
  public interface Pace {
    void take(long bytes) throws InterruptedException;
  }

  /// @param damages in order; none when the blob is whole
  /// @param pages that were compared
  public record Result(List<CorruptObjectException> damages, long pages) {
    public Result {
      damages = List.copyOf(damages);
    }
  }

  /// @throws IOException when the store cannot be read, which says nothing of the blob
  public static Result check(ObjectStore store, String key, Pace pace)
      throws IOException, InterruptedException {
    PageChecksums checksums;
    try {
      pace.take(BlobTail.GUESS_BYTES);
      checksums =
          BlobTail.read(
              store,
              key,
              tail -> {
                tail.check();
                return tail.checksums();
              });
    } catch (CorruptObjectException e) {
      return new Result(List.of(e), 0);
    }
    List<CorruptObjectException> damages = new ArrayList<>();
    for (long at = 0; at < checksums.covered(); at += READ_BYTES) {
      int length = (int) Math.min(READ_BYTES, checksums.covered() - at);
      pace.take(length);
      check(key, checksums, at, store.getRange(key, at, length), damages);
    }
    return new Result(damages, checksums.pages());
  }

  private static void check(
      String key,
      PageChecksums checksums,
      long start,
      byte[] bytes,
      List<CorruptObjectException> damages) {
    long end = Math.min(checksums.covered(), start + READ_BYTES);
    for (long at = start; at < end; at += PageChecksums.PAGE_BYTES) {
      int page = (int) (at / PageChecksums.PAGE_BYTES);
      boolean isWhole = checksums.end(page) - start <= bytes.length;
      if (!isWhole || !checksums.matches(page, bytes, (int) (at - start))) {
        damages.add(CorruptObjectException.page(key, at));
      }
    }
  }
}
