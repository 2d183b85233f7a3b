package dev.holdfast.blobcache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.blobcache.blob.Blob;
import dev.holdfast.blobcache.blob.ByteRange;
import dev.holdfast.blobcache.blob.HotRegion;
import dev.holdfast.blobcache.stats.Latencies;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.faulty.Faulty;
import dev.holdfast.objectstore.faulty.StoreFaults;
import dev.holdfast.objectstore.retry.Retrying;
import dev.holdfast.world.ByteSize;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.junit.jupiter.api.Test;

/// What holds for the blob cache over a store that is slow, over restarts, and beside scans.
final class CacheLawsTest extends CacheFixture {
  @Test
  void whateverTheStoreDoesAndWhoeverElseReadsTheBytesAreTheBlobs() throws Exception {
    long seed = System.nanoTime();
    System.out.println("seed=" + seed);
    List<byte[]> expected = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      expected.add(stored("blob" + i, 150_000 + i * 40_000, seed + i));
    }
    Faulty faulty =
        new Faulty(memory, world, StoreFaults.NONE.withLatency(0.2, 8).withErrorBefore(0.02));
    ObjectStore store = Retrying.forever(faulty, world);
    try (BlobCache cache =
            new BlobCache(
                folder.resolve("cache"),
                ByteSize.kib(256),
                world,
                config(0.2, Duration.ofMillis(20)));
        ExecutorService threads = Executors.newFixedThreadPool(4)) {
      List<Callable<Void>> work = new ArrayList<>();
      for (int t = 0; t < 4; t++) {
        Random random = new Random(seed + 100 + t);
        work.add(() -> {
          for (int i = 0; i < 150; i++) {
            int number = random.nextInt(expected.size());
            check(cache, store, number, expected.get(number), random);
          }
          return null;
        });
      }
      for (Future<Void> done : threads.invokeAll(work)) {
        done.get();
      }
      assertThat(cache.stats().evictions()).isPositive();
      assertThat(cache.stats().bytes()).isLessThanOrEqualTo(ByteSize.kib(256).bytes());
    }
  }

  private void check(BlobCache cache, ObjectStore store, int number, byte[] bytes, Random random)
      throws IOException {
    Blob blob = new StoreBlob(store, "blob" + number, reads);
    int at = random.nextInt(bytes.length);
    int count = 1 + random.nextInt(Math.min(50_000, bytes.length - at));
    IOContext how = List.of(SCAN, RANDOM, MERGE, IOContext.DEFAULT).get(random.nextInt(4));
    switch (random.nextInt(8)) {
      case 0 -> cache.warm(blob, List.of(new ByteRange(at, at + count)));
      case 1 -> cache.drop(blob.key());
      case 2 ->
          cache.written(
              blob, new HotRegion(List.of()), bytes.length, new ByteArrayInputStream(bytes));
      case 3 -> {
        try (IndexInput in = cache.open("_0.nvd", blob, at, count, IOContext.DEFAULT)) {
          in.prefetch(0, 1);
          assertThat(in.readByte()).isEqualTo(bytes[at]);
        }
      }
      case 4 -> {
        long _ = cache.clear(blob.key()::equals);
      }
      default ->
          assertThat(read(cache, blob, at, count, how))
              .isEqualTo(Arrays.copyOfRange(bytes, at, at + count));
    }
  }

  @Test
  void aScanDoesNotEvictWhatIsReadAgainAndAgain() throws Exception {
    byte[] hot = stored("hot", 600_000, 1);
    byte[] large = stored("large", 5_000_000, 2);
    for (IOContext how : List.of(SCAN, MERGE, IOContext.DEFAULT)) {
      try (BlobCache cache = cache(folder.resolve("c" + how.hashCode()), ByteSize.mib(1))) {
        assertThat(read(cache, blob("hot"), 0, 600_000, RANDOM)).isEqualTo(hot);
        assertThat(read(cache, blob("large"), 0, 5_000_000, how)).isEqualTo(large);
        int before = reads.get();
        assertThat(read(cache, blob("hot"), 0, 600_000, RANDOM)).isEqualTo(hot);
        assertThat(reads).hasValue(before);
        assertThat(cache.stats().bypassed()).isPositive();
      }
    }
  }

  @Test
  void whatIsClearedIsReadAgainAndNothingElse() throws Exception {
    byte[] one = stored("a/one", 300_000, 1);
    byte[] other = stored("b/other", 300_000, 2);
    try (BlobCache cache = cache(ByteSize.mib(1))) {
      assertThat(read(cache, blob("a/one"), 0, 300_000, RANDOM)).isEqualTo(one);
      assertThat(read(cache, blob("b/other"), 0, 300_000, RANDOM)).isEqualTo(other);
      int before = reads.get();
      assertThat(cache.clear(key -> key.startsWith("a/"))).isGreaterThanOrEqualTo(300_000);
      assertThat(read(cache, blob("b/other"), 0, 300_000, RANDOM)).isEqualTo(other);
      assertThat(reads).hasValue(before);
      assertThat(read(cache, blob("a/one"), 0, 300_000, RANDOM)).isEqualTo(one);
      assertThat(reads.get()).isGreaterThan(before);
    }
  }

  @Test
  void whatAScanLeftGoesForTheNextScan() throws Exception {
    byte[] first = stored("first", 1_000_000, 1);
    byte[] second = stored("second", 1_000_000, 2);
    try (BlobCache cache = cache(ByteSize.mib(1))) {
      assertThat(read(cache, blob("first"), 0, 1_000_000, SCAN)).isEqualTo(first);
      assertThat(read(cache, blob("second"), 0, 1_000_000, SCAN)).isEqualTo(second);
      int before = reads.get();
      assertThat(read(cache, blob("second"), 0, 1_000_000, SCAN)).isEqualTo(second);
      assertThat(reads).hasValue(before);
    }
  }

  @Test
  void aSlowReadIsSentAgainAndTheFirstAnswerCounts() throws Exception {
    byte[] bytes = stored("a", 3_000_000, 1);
    AtomicBoolean isStuck = new AtomicBoolean();
    Blob blob =
        new Blob() {
          @Override
          public String key() {
            return "a";
          }

          @Override
          public byte[] read(long offset, int length) throws IOException {
            if (isStuck.getAndSet(false)) {
              try {
                world.sleeper().sleep(Duration.ofSeconds(100));
              } catch (InterruptedException e) {
                throw new IOException(e);
              }
            }
            return memory.getRange("a", offset, length);
          }
        };
    try (BlobCache cache =
        new BlobCache(
            folder.resolve("cache"),
            ByteSize.mib(8),
            world,
            config(0.05, Duration.ofSeconds(60)))) {
      for (int i = 0; i < 60; i++) {
        byte[] _ = read(cache, blob, i * 8192, 8192, RANDOM);
      }
      assertThat(cache.stats().hedges()).isLessThanOrEqualTo(3);
      isStuck.set(true);
      long start = System.nanoTime();
      assertThat(read(cache, blob, 2_000_000, 100, RANDOM))
          .isEqualTo(Arrays.copyOfRange(bytes, 2_000_000, 2_000_100));
      assertThat(System.nanoTime() - start).isLessThan(TimeUnit.SECONDS.toNanos(50));
      assertThat(cache.stats().hedgesWon()).isPositive();
    }
  }

  @Test
  void secondRequestsAreABoundedShareOfAll() throws Exception {
    Latencies latencies = new Latencies();
    for (int i = 1; i <= 100; i++) {
      latencies.add(TimeUnit.MILLISECONDS.toNanos(i));
    }
    assertThat(latencies.p95Nanos()).isBetween(90_000_000L, 100_000_000L);
    byte[] _ = stored("a", 2_000_000, 1);
    // every other request takes ten times as long: more than a twentieth looks slow
    AtomicInteger turn = new AtomicInteger();
    Blob blob =
        new Blob() {
          @Override
          public String key() {
            return "a";
          }

          @Override
          public byte[] read(long offset, int length) throws IOException {
            int millis = turn.incrementAndGet() > 40 ? 12 : 1;
            try {
              world.sleeper().sleep(Duration.ofMillis(millis));
            } catch (InterruptedException e) {
              throw new IOException(e);
            }
            return memory.getRange("a", offset, length);
          }
        };
    try (BlobCache cache =
        new BlobCache(
            folder.resolve("cache"), ByteSize.mib(8), world, config(0.1, Duration.ofSeconds(60)))) {
      for (int i = 0; i < 80; i++) {
        byte[] _ = read(cache, blob, i * 8192, 100, RANDOM);
      }
      assertThat(cache.stats().hedges()).isBetween(1L, 9L);
    }
  }

  @Test
  void warmingReadsNearRangesWithOneRequest() throws Exception {
    byte[] bytes = stored("a", 200_000, 1);
    try (BlobCache cache = cache(ByteSize.mib(1))) {
      cache.warm(
          blob("a"),
          List.of(
              new ByteRange(130_000, 140_000),
              new ByteRange(12_000, 15_000),
              new ByteRange(0, 5_000)));
      await(() -> cache.stats().bytes() >= 2 * 4096 + 4 * 4096);
      await(() -> reads.get() == 2 && cache.stats().bytes() >= 28_000);
      assertThat(read(cache, blob("a"), 0, 15_000, RANDOM)).isEqualTo(Arrays.copyOf(bytes, 15_000));
      assertThat(read(cache, blob("a"), 130_000, 10_000, RANDOM))
          .isEqualTo(Arrays.copyOfRange(bytes, 130_000, 140_000));
      assertThat(reads).hasValue(2);
    }
    assertThat(
            ByteRange.coalesced(
                List.of(new ByteRange(20, 30), new ByteRange(0, 10), new ByteRange(5, 12)), 7))
        .containsExactly(new ByteRange(0, 12), new ByteRange(20, 30));
  }

  @Test
  void whatWasUploadedHereIsNotFetched() throws Exception {
    byte[] bytes = stored("a", 300_000, 1);
    try (BlobCache cache = cache(ByteSize.mib(1))) {
      HotRegion hot = new HotRegion(List.of(new HotRegion.Range(0, Arrays.copyOf(bytes, 100))));
      cache.written(blob("a"), hot, bytes.length, new ByteArrayInputStream(bytes));
      assertThat(read(cache, blob("a"), 0, 300_000, RANDOM)).isEqualTo(bytes);
      assertThat(reads).hasValue(0);
      assertThat(cache.stats().bytesPinned()).isEqualTo(100);
    }
  }

  @Test
  void aPrefetchOfNormsMeansAllOfThem() throws Exception {
    byte[] bytes = stored("a", 200_000, 1);
    try (BlobCache cache = cache(ByteSize.mib(1));
        IndexInput norms = cache.open("_0.nvd", blob("a"), 100, 50_000, IOContext.DEFAULT)) {
      norms.slice("one field", 0, 40_000).prefetch(0, 1);
      await(() -> reads.get() == 1 && cache.stats().bytes() >= 40_000);
      for (int at = 0; at < 40_000; at += 999) {
        norms.seek(at);
        assertThat(norms.readByte()).isEqualTo(bytes[100 + at]);
      }
      assertThat(reads).hasValue(1);
    }
  }

  @Test
  void aSegmentOfOneRegionOutlivesItsEviction() throws Exception {
    byte[] bytes = stored("a", 100_000, 1);
    byte[] _ = stored("b", 900_000, 2);
    try (BlobCache cache = cache(ByteSize.kib(900))) {
      CachedBlobInput in =
          (CachedBlobInput) cache.open("f", blob("a"), 1000, 50_000, IOContext.DEFAULT);
      assertThat(in.segmentSliceOrNull(0, 50_000)).isNull();
      in.readBytes(new byte[50_000], 0, 50_000);
      MemorySegment segment = in.segmentSliceOrNull(10, 40_000);
      assertThat(segment).isNotNull();
      byte[] _ = read(cache, blob("b"), 0, 900_000, RANDOM);
      assertThat(cache.stats().evictions()).isPositive();
      cache.drop("a");
      assertThat(segment.toArray(ValueLayout.JAVA_BYTE))
          .isEqualTo(Arrays.copyOfRange(bytes, 1010, 41_010));
      assertThat(in.segmentSliceOrNull(10, 50_000)).isNull();
    }
  }
}
