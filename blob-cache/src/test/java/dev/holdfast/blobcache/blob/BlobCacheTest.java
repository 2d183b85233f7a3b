package dev.holdfast.blobcache.blob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.blobcache.BlobCache;
import dev.holdfast.blobcache.region.CacheConfig;
import dev.holdfast.world.ByteSize;
import dev.holdfast.world.World;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.MergeInfo;
import org.apache.lucene.store.RandomAccessInput;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class BlobCacheTest {
  private static final IOContext MERGE = IOContext.merge(new MergeInfo(1, 1, false, 1));
  private static final CacheConfig SMALL_FETCHES =
      new CacheConfig(
          ByteSize.kib(8),
          ByteSize.kib(64),
          ByteSize.kib(16),
          ByteSize.kib(16),
          ByteSize.kib(64),
          ByteSize.mib(1),
          4,
          4,
          0,
          100,
          java.time.Duration.ZERO,
          java.time.Duration.ofSeconds(60),
          java.time.Duration.ofSeconds(60));

  @TempDir Path folder;
  private final World world = World.real();

  /// A blob of random bytes in memory that counts how it is read.
  private static final class RandomBlob implements Blob {
    final String key;
    final byte[] bytes;
    final AtomicInteger reads = new AtomicInteger();
    volatile @Nullable IOException failure;
    volatile @Nullable HotRegion hot;

    RandomBlob(String key, int length, Random random) {
      this.key = key;
      this.bytes = new byte[length];
      random.nextBytes(bytes);
    }

    @Override
    public String key() {
      return key;
    }

    @Override
    public byte[] read(long offset, int length) throws IOException {
      reads.incrementAndGet();
      if (failure != null) {
        throw failure;
      }
      return Arrays.copyOfRange(bytes, (int) offset, (int) Math.min(bytes.length, offset + length));
    }

    @Override
    public Optional<HotRegion> readHot() {
      return Optional.ofNullable(hot);
    }
  }

  private BlobCache cache(ByteSize size) throws IOException {
    return new BlobCache(folder.resolve("cache"), size, world, SMALL_FETCHES);
  }

  @Test
  void readsEqualTheBlobWhateverTheCacheSizeAndHoweverManyThreads() throws Exception {
    long seed = System.nanoTime();
    System.out.println("seed=" + seed);
    Random random = new Random(seed);
    List<RandomBlob> blobs = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      blobs.add(new RandomBlob("blob" + i, 200_000 + random.nextInt(900_000), random));
    }
    RandomBlob large = new RandomBlob("large", (16 << 20) + 300_000, random);
    blobs.add(large);
    large.hot =
        new HotRegion(
            List.of(
                new HotRegion.Range(100, Arrays.copyOfRange(large.bytes, 100, 900)),
                new HotRegion.Range(50_000, Arrays.copyOfRange(large.bytes, 50_000, 50_016))));
    for (ByteSize size : List.of(new ByteSize(0), ByteSize.kib(128), ByteSize.mib(1))) {
      try (BlobCache cache = cache(size);
          ExecutorService threads = Executors.newFixedThreadPool(4)) {
        List<Callable<Void>> work = new ArrayList<>();
        for (int t = 0; t < 4; t++) {
          long threadSeed = random.nextLong();
          work.add(() -> {
            Random mine = new Random(threadSeed);
            for (int i = 0; i < 60; i++) {
              readAtRandom(cache, blobs.get(mine.nextInt(blobs.size())), mine);
            }
            return null;
          });
        }
        for (Future<Void> done : threads.invokeAll(work)) {
          done.get();
        }
        assertThat(cache.stats().bytes()).isLessThanOrEqualTo(size.bytes());
        assertThat(cache.stats().hits() + cache.stats().misses()).isPositive();
      }
    }
  }

  private static void readAtRandom(BlobCache cache, RandomBlob blob, Random random)
      throws IOException {
    int offset = random.nextInt(blob.bytes.length);
    if (random.nextBoolean()) {
      offset = Math.min(blob.bytes.length - 1, random.nextInt(100_000));
    }
    int length = random.nextInt(blob.bytes.length - offset) + 1;
    IOContext context = random.nextInt(4) == 0 ? MERGE : IOContext.DEFAULT;
    try (IndexInput whole = cache.open("file", blob, offset, length, context)) {
      IndexInput in = random.nextBoolean() ? whole : whole.clone();
      ByteBuffer expected =
          ByteBuffer.wrap(blob.bytes, offset, length).slice().order(ByteOrder.LITTLE_ENDIAN);
      if (random.nextBoolean()) {
        int from = random.nextInt(length);
        int count = random.nextInt(length - from) + 1;
        in = in.slice("slice", from, count);
        expected = expected.slice(from, count).order(ByteOrder.LITTLE_ENDIAN);
      }
      checkReads(in, expected, random);
    }
  }

  private static void checkReads(IndexInput in, ByteBuffer expected, Random random)
      throws IOException {
    RandomAccessInput direct = in.randomAccessSlice(0, in.length());
    for (int i = 0; i < 40; i++) {
      int at = random.nextInt(expected.capacity());
      int rest = expected.capacity() - at;
      switch (random.nextInt(9)) {
        case 0 -> assertThat(direct.readByte(at)).isEqualTo(expected.get(at));
        case 1 -> {
          if (rest >= 8) {
            assertThat(direct.readLong(at)).isEqualTo(expected.getLong(at));
          }
        }
        case 2 -> {
          if (rest >= 4) {
            in.seek(at);
            assertThat(in.readInt()).isEqualTo(expected.getInt(at));
          }
        }
        case 3 -> {
          if (rest >= 2) {
            assertThat(direct.readShort(at)).isEqualTo(expected.getShort(at));
          }
        }
        case 4 -> {
          in.seek(at);
          for (int n = 0; n < Math.min(rest, 300); n++) {
            assertThat(in.readByte()).isEqualTo(expected.get(at + n));
          }
        }
        case 5 -> {
          long[] longs = new long[Math.min(rest / 8, 5000) + 2];
          in.seek(at);
          in.readLongs(longs, 2, longs.length - 2);
          for (int n = 2; n < longs.length; n++) {
            assertThat(longs[n]).isEqualTo(expected.getLong(at + (n - 2) * 8));
          }
        }
        case 6 -> {
          float[] floats = new float[Math.min(rest / 4, 100)];
          in.seek(at);
          in.readFloats(floats, 0, floats.length);
          for (int n = 0; n < floats.length; n++) {
            assertThat(Float.floatToRawIntBits(floats[n])).isEqualTo(expected.getInt(at + n * 4));
          }
        }
        case 7 -> in.prefetch(at, random.nextInt(rest) + 1);
        default -> {
          byte[] bytes = new byte[random.nextInt(Math.min(rest, 100_000)) + 1];
          in.seek(at);
          in.readBytes(bytes, 0, bytes.length);
          byte[] wanted = new byte[bytes.length];
          expected.get(at, wanted);
          assertThat(bytes).isEqualTo(wanted);
        }
      }
    }
    assertThatThrownBy(() -> direct.readLong(in.length() - 7)).isInstanceOf(EOFException.class);
    in.seek(in.length());
    assertThatThrownBy(in::readByte).isInstanceOf(EOFException.class);
  }

  @Test
  void anInputWhoseRegionWasUnmappedFetchesAgain() throws Exception {
    List<RandomBlob> blobs = new ArrayList<>();
    List<IndexInput> inputs = new ArrayList<>();
    try (BlobCache cache = cache(ByteSize.kib(8))) {
      for (int i = 0; i < 4; i++) {
        blobs.add(new RandomBlob("blob" + i, 100_000, new Random(i)));
        inputs.add(cache.open("file", blobs.get(i), 0, 100_000, IOContext.DEFAULT));
      }
      for (int at = 0; at < 20; at++) {
        for (int i = 0; i < 4; i++) {
          inputs.get(i).seek(at);
          assertThat(inputs.get(i).readByte()).isEqualTo(blobs.get(i).bytes[at]);
        }
      }
      assertThat(cache.stats().evictions()).isGreaterThan(50);
    }
  }

  @Test
  void anEvictedWindowIsReadableForAWhile() throws Exception {
    RandomBlob a = new RandomBlob("a", 100_000, new Random(1));
    RandomBlob b = new RandomBlob("b", 100_000, new Random(2));
    CacheConfig config = CacheConfig.defaults();
    try (BlobCache cache = new BlobCache(folder.resolve("c"), ByteSize.kib(128), world, config)) {
      IndexInput readsA = cache.open("a", a, 0, 100_000, IOContext.DEFAULT);
      readsA.readByte();
      cache.open("b", b, 0, 100_000, IOContext.DEFAULT).readByte();
      assertThat(cache.stats().evictions()).isEqualTo(1);
      int reads = a.reads.get();
      assertThat(readsA.readByte()).isEqualTo(a.bytes[1]);
      assertThat(a.reads).hasValue(reads);
      assertThat(readsA.clone().readByte()).isEqualTo(a.bytes[2]);
      assertThat(a.reads).hasValue(reads + 1);
    }
  }

  @Test
  void racingReadersOfAPageFetchItOnce() throws Exception {
    CountDownLatch bothAsk = new CountDownLatch(1);
    RandomBlob bytes = new RandomBlob("a", 100_000, new Random(1));
    Blob slow =
        new Blob() {
          @Override
          public String key() {
            return "slow";
          }

          @Override
          public byte[] read(long offset, int length) throws IOException {
            try {
              bothAsk.await(300, TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
              throw new IOException(e);
            }
            return bytes.read(offset, length);
          }
        };
    try (BlobCache cache = cache(ByteSize.mib(1));
        ExecutorService threads = Executors.newFixedThreadPool(8)) {
      List<Callable<Byte>> readers = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        readers.add(() -> cache.open("f", slow, 0, 100_000, IOContext.DEFAULT).readByte());
      }
      for (Future<Byte> read : threads.invokeAll(readers)) {
        assertThat(read.get()).isEqualTo(bytes.bytes[0]);
      }
    }
    assertThat(bytes.reads).hasValue(1);
  }

  @Test
  void aFailedFetchFailsItsReadersAndIsTriedAgainByTheNext() throws Exception {
    RandomBlob blob = new RandomBlob("a", 100_000, new Random(1));
    try (BlobCache cache = cache(ByteSize.mib(1))) {
      IndexInput in = cache.open("f", blob, 0, 100_000, IOContext.DEFAULT);
      blob.failure = new IOException("no answer");
      assertThatThrownBy(in::readByte).hasMessage("no answer");
      blob.failure = null;
      assertThat(in.readByte()).isEqualTo(blob.bytes[0]);
    }
  }

  @Test
  void whatWasReadIsNotFetchedAgain() throws Exception {
    RandomBlob blob = new RandomBlob("a", 100_000, new Random(1));
    try (BlobCache cache = cache(ByteSize.mib(1))) {
      byte[] all = new byte[100_000];
      cache.open("f", blob, 0, 100_000, IOContext.DEFAULT).readBytes(all, 0, all.length);
      int reads = blob.reads.get();
      cache.open("g", blob, 0, 100_000, IOContext.DEFAULT).readBytes(all, 0, all.length);
      assertThat(all).isEqualTo(blob.bytes);
      assertThat(blob.reads).hasValue(reads);
      cache.drop("a");
      assertThat(cache.stats().bytes()).isZero();
      cache.open("h", blob, 0, 100_000, IOContext.DEFAULT).readByte();
      assertThat(blob.reads.get()).isGreaterThan(reads);
    }
  }

  @Test
  void mergesLeaveNoTrace() throws Exception {
    RandomBlob blob = new RandomBlob("a", 100_000, new Random(1));
    try (BlobCache cache = cache(ByteSize.mib(1))) {
      byte[] all = new byte[100_000];
      cache.open("f", blob, 0, 100_000, MERGE).readBytes(all, 0, all.length);
      assertThat(all).isEqualTo(blob.bytes);
      assertThat(cache.stats().bytes()).isZero();
    }
  }

  @Test
  void hotRangesAreReadWithoutAFetch() throws Exception {
    RandomBlob blob = new RandomBlob("a", 100_000, new Random(1));
    blob.hot =
        new HotRegion(
            List.of(new HotRegion.Range(1000, Arrays.copyOfRange(blob.bytes, 1000, 1064))));
    try (BlobCache cache = cache(ByteSize.mib(1))) {
      IndexInput in = cache.open("f", blob, 1000, 64, IOContext.DEFAULT);
      assertThat(in.readLong())
          .isEqualTo(ByteBuffer.wrap(blob.bytes).order(ByteOrder.LITTLE_ENDIAN).getLong(1000));
      assertThat(blob.reads).hasValue(0);
    }
  }

  @Test
  void prefetchFillsInTheBackground() throws Exception {
    RandomBlob blob = new RandomBlob("a", 100_000, new Random(1));
    try (BlobCache cache = cache(ByteSize.mib(1))) {
      IndexInput in = cache.open("f", blob, 0, 100_000, IOContext.DEFAULT);
      in.prefetch(40_000, 30_000);
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
      while (cache.stats().bytes() < 30_000 && System.nanoTime() < deadline) {
        Thread.onSpinWait();
      }
      int reads = blob.reads.get();
      byte[] bytes = new byte[30_000];
      in.seek(40_000);
      in.readBytes(bytes, 0, bytes.length);
      assertThat(bytes).isEqualTo(Arrays.copyOfRange(blob.bytes, 40_000, 70_000));
      assertThat(blob.reads).hasValue(reads);
    }
  }

  @Test
  void aLocalFileIsMappedAndOutlivesItsDeletion() throws Exception {
    byte[] bytes = new byte[50_000];
    new Random(3).nextBytes(bytes);
    Path file = Files.write(folder.resolve("object"), bytes);
    Blob blob =
        new Blob() {
          @Override
          public String key() {
            return "k";
          }

          @Override
          public byte[] read(long offset, int length) throws IOException {
            throw new IOException("not to be read");
          }

          @Override
          public Optional<Path> localFile() {
            return Optional.of(file);
          }
        };
    try (BlobCache cache = cache(ByteSize.mib(1))) {
      IndexInput first = cache.open("f", blob, 100, 1000, IOContext.DEFAULT);
      IndexInput second = cache.open("g", blob, 2000, 1000, IOContext.DEFAULT);
      first.close();
      first.close();
      Files.delete(file);
      byte[] read = new byte[1000];
      second.clone().readBytes(read, 0, 1000);
      assertThat(read).isEqualTo(Arrays.copyOfRange(bytes, 2000, 3000));
      assertThat(cache.stats().bytes()).isZero();
      second.close();
      assertThatThrownBy(() -> cache.open("f", blob, 100, 1000, IOContext.DEFAULT))
          .isInstanceOf(java.nio.file.NoSuchFileException.class);
    }
  }
}
