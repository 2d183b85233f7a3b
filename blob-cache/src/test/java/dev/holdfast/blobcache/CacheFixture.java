package dev.holdfast.blobcache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.blobcache.blob.Blob;
import dev.holdfast.blobcache.region.CacheConfig;
import dev.holdfast.objectstore.MemoryStore;
import dev.holdfast.objectstore.ObjectBody;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.world.ByteSize;
import dev.holdfast.world.World;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.apache.lucene.store.DataAccessHint;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.MergeInfo;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/// What the tests of CacheLaws share.
abstract class CacheFixture {
  static final IOContext SCAN = IOContext.DEFAULT.withHints(DataAccessHint.SEQUENTIAL);

  static final IOContext RANDOM = IOContext.DEFAULT.withHints(DataAccessHint.RANDOM);

  static final IOContext MERGE = IOContext.merge(new MergeInfo(1, 1, false, 1));

  @TempDir Path folder;
  final World world = World.real();

  final MemoryStore memory = new MemoryStore();

  final AtomicInteger reads = new AtomicInteger();

  @AfterEach
  void close() throws Exception {
    world.tasks().close();
  }

  /// A blob in a store.
  record StoreBlob(ObjectStore store, String key, AtomicInteger reads) implements Blob {
    @Override
    public byte[] read(long offset, int length) throws IOException {
      reads.incrementAndGet();
      return store.getRange(key, offset, length);
    }
  }

  static CacheConfig config(double hedgeShare, Duration mapEvery) {
    return new CacheConfig(
        ByteSize.kib(8),
        ByteSize.kib(64),
        ByteSize.kib(16),
        ByteSize.kib(16),
        ByteSize.kib(64),
        ByteSize.mib(1),
        8,
        4,
        hedgeShare,
        100,
        Duration.ofSeconds(1),
        Duration.ofSeconds(60),
        mapEvery);
  }

  BlobCache cache(Path at, ByteSize size) throws IOException {
    return new BlobCache(at, size, world, config(0, Duration.ofSeconds(60)));
  }

  BlobCache cache(ByteSize size) throws IOException {
    return cache(folder.resolve("cache"), size);
  }

  byte[] stored(String key, int length, long seed) throws IOException {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    var _ = memory.put(key, ObjectBody.of(bytes));
    return bytes;
  }

  Blob blob(String key) {
    return new StoreBlob(memory, key, reads);
  }

  static byte[] read(BlobCache cache, Blob blob, int at, int count, IOContext how)
      throws IOException {
    try (IndexInput in = cache.open("file", blob, 0, at + count, how)) {
      byte[] bytes = new byte[count];
      in.seek(at);
      in.readBytes(bytes, 0, count);
      return bytes;
    }
  }

  static void await(BooleanSupplier isTrue) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    while (!isTrue.getAsBoolean() && System.nanoTime() < deadline) {
      Thread.onSpinWait();
    }
    assertThat(isTrue.getAsBoolean()).isTrue();
  }
}
