package dev.holdfast.blobcache.region;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.world.real.RealWorld;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.Objects;
import org.apache.lucene.util.IOUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RegionsTest {
  /// A process has 65,530 mappings: a thousand caches whose disks had failed kept all that theirs
  /// had.
  @Test
  void whatCannotBeKeptForTheNextStartIsUnmappedAsWell(@TempDir Path disk) throws Exception {
    Path folder = disk.resolve("cache");
    Regions regions =
        new Regions(folder, Region.BYTES, CacheConfig.defaults(), RealWorld.create().clock());
    Region region =
        Objects.requireNonNull(regions.beginFill(new RegionKey("blob", 0), 0, 1, false));
    region.write(0, new byte[] {7});
    regions.endFill(region, 0, 1, true);
    MemorySegment read = region.window(0, true).segment();
    assertThat(read.get(ValueLayout.JAVA_BYTE, 0)).isEqualTo((byte) 7);

    IOUtils.rm(folder);
    assertThatThrownBy(regions::close).isInstanceOf(IOException.class);

    assertThatThrownBy(() -> read.get(ValueLayout.JAVA_BYTE, 0))
        .isInstanceOf(IllegalStateException.class);
  }
}
