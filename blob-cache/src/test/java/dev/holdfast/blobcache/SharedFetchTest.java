package dev.holdfast.blobcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.blobcache.blob.Blob;
import dev.holdfast.blobcache.blob.HotRegion;
import dev.holdfast.objectstore.StoreException;
import dev.holdfast.world.ByteSize;
import dev.holdfast.world.Sleeper;
import dev.holdfast.world.World;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Readers of the same bytes, one of whom gives up while the store fails.
final class SharedFetchTest extends CacheFixture {
  private final CountDownLatch isAsked = new CountDownLatch(1);
  private final CountDownLatch isAnswered = new CountDownLatch(1);

  /// The store fails it, once others wait for the same.
  private IOException refused() throws IOException {
    isAsked.countDown();
    try {
      isAnswered.await();
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
    return new StoreException.Unavailable("no answer", null);
  }

  /// As a merge reads.
  private Blob patient() {
    return new Blob() {
      @Override
      public String key() {
        return "blob";
      }

      @Override
      public byte[] read(long offset, int length) throws IOException {
        return memory.getRange("blob", offset, length);
      }

      @Override
      public boolean isTriedForever() {
        return true;
      }

      @Override
      public Optional<HotRegion> readHot() {
        return Optional.of(new HotRegion(List.of()));
      }
    };
  }

  /// One reads and fails, another waits for the same bytes and has them.
  private void failsAlone(Blob failing, byte[] bytes) throws Exception {
    try (BlobCache cache = cache(ByteSize.mib(1))) {
      FutureTask<byte[]> first = new FutureTask<>(() -> read(cache, failing, 0, 100, RANDOM));
      FutureTask<byte[]> second = new FutureTask<>(() -> read(cache, patient(), 0, 100, RANDOM));
      Thread.ofPlatform().start(first);
      isAsked.await();
      Thread waiter = Thread.ofPlatform().start(second);
      await(() -> waiter.getState() == Thread.State.TIMED_WAITING);
      isAnswered.countDown();

      assertThatThrownBy(first::get)
          .isInstanceOf(ExecutionException.class)
          .hasRootCauseMessage("no answer");
      assertThat(second.get()).isEqualTo(Arrays.copyOf(bytes, 100));
    }
  }

  @Test
  @Timeout(60)
  void whoTriesForeverDoesNotFailWithWhoGaveUp() throws Exception {
    byte[] bytes = stored("blob", 8 << 10, 1);
    failsAlone(
        new Blob() {
          @Override
          public String key() {
            return "blob";
          }

          @Override
          public byte[] read(long offset, int length) throws IOException {
            throw refused();
          }
        },
        bytes);
  }

  /// A fetch that takes longer than most would wait.
  @Test
  @Timeout(60)
  void norDoesItGiveUpBecauseTheOtherWaitsLong() throws Exception {
    byte[] bytes = stored("blob", 8 << 10, 1);
    World impatient =
        new World(
            world.clock(),
            new Sleeper() {
              @Override
              public void sleep(Duration duration) throws InterruptedException {
                world.sleeper().sleep(duration);
              }

              @Override
              public <T> T get(CompletableFuture<T> future, Duration max)
                  throws InterruptedException, ExecutionException, TimeoutException {
                if (isAnswered.getCount() > 0) {
                  isAnswered.countDown();
                  throw new TimeoutException();
                }
                return world.sleeper().get(future, max);
              }
            },
            world.ids(),
            world.chance(),
            world.tasks());
    Blob slow =
        new Blob() {
          @Override
          public String key() {
            return "blob";
          }

          @Override
          public byte[] read(long offset, int length) throws IOException {
            IOException _ = refused();
            return memory.getRange("blob", offset, length);
          }
        };
    try (BlobCache cache =
        new BlobCache(
            folder.resolve("cache"),
            ByteSize.mib(1),
            impatient,
            config(0, Duration.ofSeconds(60)))) {
      FutureTask<byte[]> first = new FutureTask<>(() -> read(cache, slow, 0, 100, RANDOM));
      Thread.ofPlatform().start(first);
      isAsked.await();

      assertThat(read(cache, patient(), 0, 100, RANDOM)).isEqualTo(Arrays.copyOf(bytes, 100));
      assertThat(first.get()).isEqualTo(Arrays.copyOf(bytes, 100));
    }
  }

  @Test
  @Timeout(60)
  void norWhereTheEndOfABlobIsRead() throws Exception {
    byte[] bytes = stored("blob", 8 << 10, 1);
    failsAlone(
        new Blob() {
          @Override
          public String key() {
            return "blob";
          }

          @Override
          public byte[] read(long offset, int length) {
            throw new AssertionError("its end is read first");
          }

          @Override
          public Optional<HotRegion> readHot() throws IOException {
            throw refused();
          }
        },
        bytes);
  }
}
