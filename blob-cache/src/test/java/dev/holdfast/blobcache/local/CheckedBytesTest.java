package dev.holdfast.blobcache.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.blobcache.BlobCache;
import dev.holdfast.blobcache.blob.Blob;
import dev.holdfast.blobcache.blob.HotRegion;
import dev.holdfast.blobcache.blob.PageChecksums;
import dev.holdfast.blobcache.read.CheckedReads;
import dev.holdfast.blobcache.read.HedgedReads;
import dev.holdfast.blobcache.read.HotRegions;
import dev.holdfast.blobcache.region.CacheConfig;
import dev.holdfast.blobcache.stats.CacheCounters;
import dev.holdfast.blobcache.stats.DamagedBlobs;
import dev.holdfast.world.ByteSize;
import dev.holdfast.world.CorruptObjectException;
import dev.holdfast.world.World;
import dev.holdfast.world.real.RealWorld;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.MergeInfo;
import org.apache.lucene.store.RandomAccessInput;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// No reader sees a byte that is not what was written.
final class CheckedBytesTest {
  private static final int PAGE = PageChecksums.PAGE_BYTES;
  private static final IOContext MERGE = IOContext.merge(new MergeInfo(1, 1, false, 1));

  @TempDir Path folder;
  private final World world = RealWorld.create();

  @AfterEach
  void close() throws Exception {
    world.tasks().close();
  }

  /// A blob with checksums, in memory or as a file.
  private static final class Checked implements Blob {
    final byte[] bytes;
    final byte[] written;
    final int covered;
    final AtomicInteger reads = new AtomicInteger();
    final @Nullable Path file;

    /// Whether only the next read is damaged: on its way.
    boolean isDamagedOnce;

    /// So many answers have one page at most.
    int cutOffs;

    Checked(int covered, int behind, @Nullable Path file) throws IOException {
      this.covered = covered;
      this.bytes = new byte[covered + behind];
      new Random(covered).nextBytes(bytes);
      this.written = bytes.clone();
      this.file = file;
      if (file != null) {
        Files.write(file, bytes);
      }
    }

    void flip(int at) throws IOException {
      bytes[at] ^= 4;
      if (file != null) {
        try (RandomAccessFile access = new RandomAccessFile(file.toFile(), "rw")) {
          access.seek(at);
          access.write(bytes[at]);
        }
      }
    }

    @Override
    public String key() {
      return "shards/x/blob-" + covered;
    }

    @Override
    public byte[] read(long offset, int length) {
      reads.incrementAndGet();
      byte[] read =
          Arrays.copyOfRange(bytes, (int) offset, (int) Math.min(bytes.length, offset + length));
      if (isDamagedOnce) {
        isDamagedOnce = false;
        read[0] ^= 1;
      }
      if (cutOffs > 0) {
        cutOffs--;
        return Arrays.copyOf(read, Math.min(read.length, PAGE));
      }
      return read;
    }

    @Override
    public Optional<Path> localFile() {
      return Optional.ofNullable(file);
    }

    @Override
    public Optional<HotRegion> readHot() {
      int[] crcs = new int[PageChecksums.pages(covered)];
      for (int page = 0; page < crcs.length; page++) {
        int start = page * PAGE;
        crcs[page] = PageChecksums.crc(written, start, Math.min(PAGE, covered - start));
      }
      return Optional.of(new HotRegion(List.of(), new PageChecksums(covered, crcs)));
    }
  }

  private BlobCache cache() throws IOException {
    return new BlobCache(folder.resolve("cache"), ByteSize.mib(8), world, CacheConfig.defaults());
  }

  private static byte[] read(BlobCache cache, Blob blob, int from, int length, IOContext how)
      throws IOException {
    try (IndexInput in = cache.open("file", blob, from, length, how)) {
      byte[] bytes = new byte[length];
      in.readBytes(bytes, 0, length);
      return bytes;
    }
  }

  @Test
  void aFlippedBitOfAnyPageIsAnErrorThatNamesObjectAndOffset() throws Exception {
    for (IOContext how : List.of(IOContext.DEFAULT, MERGE)) {
      for (int at : List.of(0, PAGE - 1, PAGE, 5 * PAGE + 77, 7 * PAGE + 4096)) {
        Checked blob = new Checked(7 * PAGE + 4097, 333, null);
        blob.flip(at);
        try (BlobCache cache = cache()) {
          int page = at / PAGE * PAGE;
          assertThatThrownBy(() -> read(cache, blob, at, 1, how))
              .satisfies(e -> {
                CorruptObjectException damage = CorruptObjectException.in(e);
                assertThat(damage).isNotNull();
                assertThat(damage.key()).isEqualTo(blob.key());
                assertThat(damage.offset()).isEqualTo(page);
              });
          assertThat(cache.stats().damaged()).isEqualTo(1);
          cache.drop(blob.key());
        }
      }
    }
  }

  @Test
  void readsOfAnyPlaceAndLengthAreRightAndChecked() throws Exception {
    Random random = new Random(7);
    Checked blob = new Checked(40 * PAGE + 1234, 5000, null);
    try (BlobCache cache = cache()) {
      for (int i = 0; i < 200; i++) {
        int from = random.nextInt(blob.covered);
        int length = 1 + random.nextInt(Math.min(3 * PAGE, blob.covered - from));
        IOContext how = random.nextInt(3) == 0 ? MERGE : IOContext.DEFAULT;
        assertThat(read(cache, blob, from, length, how))
            .isEqualTo(Arrays.copyOfRange(blob.written, from, from + length));
      }
      assertThat(cache.stats().checked()).isGreaterThan(20);
      assertThat(cache.stats().damaged()).isZero();
    }
  }

  @Test
  void damageOnTheWayIsReadAgain() throws Exception {
    Checked blob = new Checked(3 * PAGE, 0, null);
    blob.isDamagedOnce = true;
    try (BlobCache cache = cache()) {
      assertThat(read(cache, blob, 0, 100, IOContext.DEFAULT))
          .isEqualTo(Arrays.copyOf(blob.written, 100));
      assertThat(cache.stats().damaged()).isEqualTo(1);
    }
  }

  @Test
  void whatRottedOnTheDiskOfTheCacheIsFetchedAgain() throws Exception {
    Checked blob = new Checked(6 * PAGE, 0, null);
    try (BlobCache cache = cache()) {
      byte[] _ = read(cache, blob, 0, blob.covered, IOContext.DEFAULT);
    }
    int before = blob.reads.get();
    Path region = folder.resolve("cache").resolve("region-0");
    for (int at : List.of(10, PAGE + 5000, 3 * PAGE)) {
      try (RandomAccessFile file = new RandomAccessFile(region.toFile(), "rw")) {
        file.seek(at);
        int was = file.read();
        file.seek(at);
        file.write(was ^ 32);
      }
    }
    try (BlobCache cache = cache()) {
      assertThat(read(cache, blob, 0, blob.covered, IOContext.DEFAULT)).isEqualTo(blob.written);
      assertThat(cache.stats().damagedHere()).isEqualTo(3);
      assertThat(blob.reads.get()).isGreaterThan(before);
      assertThat(cache.stats().bytes()).isEqualTo(blob.covered);
    }
  }

  @Test
  void whatIsWholeOnTheDiskOfTheCacheIsNotFetchedAgain() throws Exception {
    Checked blob = new Checked(6 * PAGE, 0, null);
    try (BlobCache cache = cache()) {
      byte[] _ = read(cache, blob, 0, blob.covered, IOContext.DEFAULT);
    }
    int before = blob.reads.get();
    try (BlobCache cache = cache()) {
      assertThat(read(cache, blob, 0, blob.covered, IOContext.DEFAULT)).isEqualTo(blob.written);
    }
    assertThat(blob.reads).hasValue(before);
  }

  @Test
  void aMappedFileIsCheckedWhereItIsFirstTouched() throws Exception {
    Checked blob = new Checked(20 * PAGE + 99, 10, folder.resolve("blob"));
    blob.flip(9 * PAGE + 3);
    try (BlobCache cache = cache();
        IndexInput whole = cache.open("file", blob, 0, blob.covered, IOContext.DEFAULT)) {
      IndexInput in = whole.clone();
      in.seek(5 * PAGE + 1);
      assertThat(in.readByte()).isEqualTo(blob.written[5 * PAGE + 1]);
      assertThat(cache.stats().checked()).isEqualTo(1);
      RandomAccessInput random = whole.randomAccessSlice(0, blob.covered);
      assertThat(random.readByte(20L * PAGE + 98)).isEqualTo(blob.written[20 * PAGE + 98]);
      assertThat(cache.stats().checked()).isEqualTo(2);
      assertThatThrownBy(() -> random.readLong(9L * PAGE - 4))
          .isInstanceOf(CorruptObjectException.class)
          .hasMessageContaining("offset=" + 9 * PAGE);
      assertThatThrownBy(() -> whole.slice("slice", 9L * PAGE, 50))
          .isInstanceOf(CorruptObjectException.class);
      assertThatThrownBy(() -> in.readBytes(new byte[8 * PAGE], 0, 8 * PAGE))
          .isInstanceOf(CorruptObjectException.class);
    }
  }

  @Test
  void whatIsCheckedOfAMappedFileIsReadWithoutAnyCheck() throws Exception {
    Checked blob = new Checked(20 * PAGE, 0, folder.resolve("blob"));
    try (BlobCache cache = cache();
        IndexInput whole = cache.open("file", blob, 0, blob.covered, IOContext.DEFAULT)) {
      assertThat(whole.clone()).isInstanceOf(CheckedInput.class);
      assertThat(whole.slice("slice", 0, PAGE)).isNotInstanceOf(CheckedInput.class);
      byte[] all = new byte[blob.covered];
      whole.clone().readBytes(all, 0, all.length);
      assertThat(all).isEqualTo(blob.written);
      assertThat(whole.clone()).isNotInstanceOf(CheckedInput.class);
      assertThat(cache.stats().checked()).isEqualTo(20);
    }
  }

  @Test
  void aMappedFileThatIsCutOffIsAnErrorThatNamesIt() throws Exception {
    Checked blob = new Checked(4 * PAGE, 0, folder.resolve("blob"));
    Files.write(folder.resolve("blob"), Arrays.copyOf(blob.written, 2 * PAGE));
    try (BlobCache cache = cache()) {
      assertThatThrownBy(() -> cache.open("file", blob, 0, blob.covered, IOContext.DEFAULT))
          .isInstanceOf(CorruptObjectException.class)
          .hasMessageContaining(blob.key());
    }
  }

  @Test
  void anAnswerThatIsCutOffWhereAPageEndsIsNotWhole() throws Exception {
    Checked blob = new Checked(4 * PAGE, 0, null);
    CacheCounters counters = new CacheCounters();
    DamagedBlobs damages = new DamagedBlobs();
    CheckedReads reads =
        new CheckedReads(
            new HedgedReads(world, 0, counters),
            new HotRegions(world.sleeper(), 1 << 20, damages),
            counters,
            damages);

    blob.cutOffs = 1;
    assertThat(reads.read(blob, 0, 3 * PAGE)).isEqualTo(Arrays.copyOf(blob.written, 3 * PAGE));

    blob.cutOffs = 2;
    assertThatThrownBy(() -> reads.read(blob, 0, 3 * PAGE))
        .isInstanceOfSatisfying(
            CorruptObjectException.class, damage -> assertThat(damage.offset()).isEqualTo(PAGE));
  }
}
