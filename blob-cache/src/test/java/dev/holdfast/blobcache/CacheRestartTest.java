package dev.holdfast.blobcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.holdfast.blobcache.region.CacheMap;
import dev.holdfast.blobcache.region.Region;
import dev.holdfast.blobcache.region.RegionKey;
import dev.holdfast.world.ByteSize;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;

final class CacheRestartTest extends CacheFixture {
  @Test
  void aRestartKeepsWhatWasCached() throws Exception {
    byte[] bytes = stored("a", 300_000, 1);
    try (BlobCache cache = cache(ByteSize.mib(1))) {
      assertThat(read(cache, blob("a"), 0, 300_000, RANDOM)).isEqualTo(bytes);
    }
    int before = reads.get();
    try (BlobCache cache = cache(ByteSize.mib(1))) {
      assertThat(cache.stats().bytes()).isGreaterThanOrEqualTo(300_000);
      assertThat(read(cache, blob("a"), 0, 300_000, RANDOM)).isEqualTo(bytes);
      // and a blob of another name gets its own bytes
      byte[] other = stored("b", 50_000, 2);
      assertThat(read(cache, blob("b"), 0, 50_000, RANDOM)).isEqualTo(other);
    }
    assertThat(reads.get() - before).isLessThanOrEqualTo(7);
  }

  /// Else each restart would find less free than the one before, and throw away what it had.
  @Test
  void whatTheCacheHoldsIsFreeToIt() throws Exception {
    assertThat(CacheRoom.kept(folder.resolve("cache"))).isZero();
    byte[] bytes = stored("a", 300_000, 1);
    try (BlobCache cache = cache(ByteSize.mib(1))) {
      assertThat(read(cache, blob("a"), 0, 300_000, RANDOM)).isEqualTo(bytes);
    }
    assertThat(CacheRoom.kept(folder.resolve("cache"))).isBetween(300_000L, 1L << 20);
    assertThat(CacheRoom.share(100, 0, 1)).isEqualTo(new ByteSize(50));
    assertThat(CacheRoom.share(50, 50, 1)).isEqualTo(new ByteSize(50));
    assertThat(CacheRoom.share(90, 10, 5)).isEqualTo(new ByteSize(10));
  }

  @Test
  void afterACrashTheMapOfTheSameRunOfTheMachineIsUsed() throws Exception {
    assumeThat(CacheMap.thisBoot()).isNotEmpty();
    byte[] bytes = stored("a", 100_000, 1);
    Path crashed = folder.resolve("crashed");
    try (BlobCache cache =
        new BlobCache(
            folder.resolve("cache"), ByteSize.mib(1), world, config(0, Duration.ofMillis(5)))) {
      assertThat(read(cache, blob("a"), 0, 100_000, RANDOM)).isEqualTo(bytes);
      await(() ->
          CacheMap.read(folder.resolve("cache"), CacheMap.thisBoot()).entries().stream()
              .anyMatch(entry -> entry.filled().cardinality() >= 25));
      // what a dead process leaves behind, and a file that its map does not know
      Files.createDirectories(crashed);
      try (var files = Files.list(folder.resolve("cache"))) {
        for (Path file : files.toList()) {
          Files.copy(file, crashed.resolve(file.getFileName().toString()));
        }
      }
      Files.write(crashed.resolve("region-99"), new byte[10]);
    }
    int before = reads.get();
    try (BlobCache cache = cache(crashed, ByteSize.mib(1))) {
      assertThat(read(cache, blob("a"), 0, 100_000, RANDOM)).isEqualTo(bytes);
      assertThat(crashed.resolve("region-99")).doesNotExist();
    }
    assertThat(reads).hasValue(before);
  }

  @Test
  void aMapOfAnotherRunOfTheMachineIsTrustedOnlyWhenItsPagesWereForced() throws Exception {
    BitSet filled = new BitSet();
    filled.set(3, 7);
    filled.set(Region.PAGES - 1);
    CacheMap.Entry entry = new CacheMap.Entry(8, new RegionKey("a", 2), 5, filled);
    new CacheMap(false, "monday", List.of(entry)).write(folder);
    assertThat(CacheMap.read(folder, "tuesday")).isEqualTo(CacheMap.NONE);
    assertThat(CacheMap.read(folder, "monday").entries()).containsExactly(entry);
    new CacheMap(true, "monday", List.of(entry)).write(folder);
    assertThat(CacheMap.read(folder, "tuesday").entries()).containsExactly(entry);
  }

  @Test
  void aFolderInThePlaceOfARegionKeepsNobodyFromStarting() throws Exception {
    byte[] bytes = stored("a", 100_000, 1);
    for (String name : List.of("region-0", "region-mine")) {
      Files.createDirectories(folder.resolve("cache").resolve(name).resolve("somebody"));
    }
    int[] needed = new int[2];
    for (int life = 0; life < needed.length; life++) {
      int before = reads.get();
      try (BlobCache cache = cache(ByteSize.mib(1))) {
        assertThat(read(cache, blob("a"), 0, 100_000, RANDOM)).isEqualTo(bytes);
      }
      needed[life] = reads.get() - before;
    }
    assertThat(needed[1]).as("what the first life cached").isZero();
  }

  @Test
  void aDamagedMapIsIgnored() throws Exception {
    byte[] bytes = stored("a", 100_000, 1);
    try (BlobCache cache = cache(ByteSize.mib(1))) {
      assertThat(read(cache, blob("a"), 0, 100_000, RANDOM)).isEqualTo(bytes);
    }
    Path map = folder.resolve("cache").resolve("map");
    byte[] whole = Files.readAllBytes(map);
    for (int at = 0; at < whole.length; at++) {
      byte[] damaged = whole.clone();
      damaged[at] ^= 1;
      Files.write(map, damaged);
      assertThat(CacheMap.read(folder.resolve("cache"), "")).isEqualTo(CacheMap.NONE);
    }
    try (BlobCache cache = cache(ByteSize.mib(1))) {
      assertThat(cache.stats().bytes()).isZero();
      assertThat(read(cache, blob("a"), 0, 100_000, RANDOM)).isEqualTo(bytes);
    }
  }

  @Test
  void aRegionWhoseFileIsNotWholeIsFetchedAgain() throws Exception {
    byte[] bytes = stored("a", 100_000, 1);
    try (BlobCache cache = cache(ByteSize.mib(1))) {
      assertThat(read(cache, blob("a"), 0, 100_000, RANDOM)).isEqualTo(bytes);
    }
    Files.write(folder.resolve("cache").resolve("region-0"), new byte[5000]);
    try (BlobCache cache = cache(ByteSize.mib(1))) {
      assertThat(read(cache, blob("a"), 0, 100_000, RANDOM)).isEqualTo(bytes);
    }
  }
}
