package dev.holdfast.blobcache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.blobcache.blob.Blob;
import dev.holdfast.world.ByteSize;
import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A batch that is not uploaded yet grows while it is read (§4.1).
final class GrowingBlobTest extends CacheFixture {
  private static final int BEFORE = 4 << 10;
  private static final int AFTER = 8 << 10;

  @Test
  @Timeout(60)
  void whoWaitsForAReadThatBeganBeforeTheBlobGrewReadsItAgain() throws Exception {
    byte[] bytes = stored("batch", AFTER, 1);
    CountDownLatch isAsked = new CountDownLatch(1);
    CountDownLatch isAnswered = new CountDownLatch(1);
    Blob growing =
        new Blob() {
          @Override
          public String key() {
            return "batch";
          }

          @Override
          public byte[] read(long offset, int length) throws IOException {
            int grown = reads.getAndIncrement() == 0 ? BEFORE : AFTER;
            isAsked.countDown();
            try {
              isAnswered.await();
            } catch (InterruptedException e) {
              throw new IOException(e);
            }
            return Arrays.copyOfRange(bytes, (int) offset, (int) Math.min(grown, offset + length));
          }
        };
    try (BlobCache cache = cache(ByteSize.mib(1))) {
      FutureTask<byte[]> first = new FutureTask<>(() -> read(cache, growing, 0, 100, RANDOM));
      FutureTask<byte[]> second = new FutureTask<>(() -> read(cache, growing, BEFORE, 100, RANDOM));
      Thread.ofPlatform().start(first);
      isAsked.await();
      Thread waiter = Thread.ofPlatform().start(second);
      await(() -> waiter.getState() == Thread.State.TIMED_WAITING);
      isAnswered.countDown();

      assertThat(first.get()).isEqualTo(Arrays.copyOf(bytes, 100));
      assertThat(second.get()).isEqualTo(Arrays.copyOfRange(bytes, BEFORE, BEFORE + 100));
      assertThat(reads.get()).isEqualTo(2);
    }
  }
}
