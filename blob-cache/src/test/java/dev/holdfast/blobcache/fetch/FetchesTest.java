package dev.holdfast.blobcache.fetch;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.blobcache.read.CheckedReads;
import dev.holdfast.blobcache.read.HedgedReads;
import dev.holdfast.blobcache.read.HotRegions;
import dev.holdfast.blobcache.region.CacheConfig;
import dev.holdfast.blobcache.region.ReadRequest;
import dev.holdfast.blobcache.region.RegionKey;
import dev.holdfast.blobcache.region.Regions;
import dev.holdfast.blobcache.stats.CacheCounters;
import dev.holdfast.blobcache.stats.DamagedBlobs;
import dev.holdfast.world.World;
import dev.holdfast.world.real.RealWorld;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

final class FetchesTest {
  private static final long BYTES = 1 << 20;

  @TempDir Path folder;
  private final World world = RealWorld.create();

  /// Others wait for the bytes of a flight that somebody else has taken on.
  @Test
  @Timeout(60)
  void whoWaitsForBytesThatCouldNotBeTakenHearsSo() throws Exception {
    CacheConfig config = CacheConfig.defaults();
    CacheCounters counters = new CacheCounters();
    DamagedBlobs damages = new DamagedBlobs();
    CheckedReads reads =
        new CheckedReads(
            new HedgedReads(world, 0, counters),
            new HotRegions(world.sleeper(), BYTES, damages),
            counters,
            damages);
    Fetches fetches =
        new Fetches(
            new ReentrantLock(),
            new Regions(folder.resolve("cache"), BYTES, config, world.clock()),
            reads,
            counters,
            config);
    RegionKey key = RegionKey.at("blob", 0);
    PendingFetch flight = Objects.requireNonNull(fetches.claim(key, -1, 0)); // no page has it

    assertThatThrownBy(() -> fetches.land(flight, new byte[] {1}, ReadRequest.Admission.FULL))
        .isInstanceOf(RuntimeException.class);

    assertThatThrownBy(() -> flight.await(world.sleeper()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("fetch failed");
  }
}
