package dev.holdfast.compoundcommit.blob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.blobcache.blob.HotRegion;
import dev.holdfast.blobcache.blob.PageChecksums;
import dev.holdfast.clusterstate.IndexId;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.compoundcommit.BlobId;
import dev.holdfast.compoundcommit.CompoundCommit;
import dev.holdfast.compoundcommit.FileLocation;
import dev.holdfast.compoundcommit.TestCommitShard;
import dev.holdfast.compoundcommit.TranslogPosition;
import dev.holdfast.compoundcommit.store.CommitStore;
import dev.holdfast.objectstore.MemoryStore;
import dev.holdfast.objectstore.ObjectBody;
import dev.holdfast.world.CorruptObjectException;
import dev.holdfast.world.NewerFormatException;
import dev.holdfast.world.Promise;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class BlobFormatTest {
  /// A blob of version 3: 8 bytes of files, hot region, checksums, directory, trailer. Never to be
  /// changed: data of this format is in the stores of users.
  private static final String GOLDEN =
      "01020304050607080a00000028b52ffd200a51000002000203030102060708b830f2351000000028b52f"
          + "fd2010810000000001000800000000000000811f8946b73ff5c14400000028b52ffd2044210200031102"
          + "020903110103110a7365676d656e74735f68066e6f64652d6105010c80d095ffbc3102065f302e636673"
          + "008020c0843d0a7365676d656e74735f6801000802070919cd8dcb484643430300000008000000000000"
          + "001b000000550000002100000023372645";

  private static final BlobId ID = new BlobId(3, 17);

  /// Its log would be deleted, and nobody could ever read it.
  @Test
  void nothingIsWrittenThatIsTooLongToBeRead() {
    int sectionMax = BlobTrailer.SECTION_BYTES_MAX;

    assertThat(new BlobTrailer(0, 1, 1, sectionMax).write()).hasSize(BlobTrailer.BYTES);
    for (BlobTrailer tooLong :
        List.of(
            new BlobTrailer(0, sectionMax + 1, 1, 1),
            new BlobTrailer(0, 1, sectionMax + 1, 1),
            new BlobTrailer(0, 1, 1, sectionMax + 1))) {
      assertThatThrownBy(tooLong::write).isInstanceOf(Promise.Broken.class);
    }
    BlobSection.requireReadable(BlobSection.RAW_BYTES_MAX);
    assertThatThrownBy(() -> BlobSection.requireReadable(BlobSection.RAW_BYTES_MAX + 1))
        .isInstanceOf(Promise.Broken.class);
  }

  private static final ShardId SHARD = new ShardId(new IndexId("index", "uuid"), 1);

  private static CommitDirectory directory() {
    TreeMap<String, FileLocation> files = new TreeMap<>();
    files.put("_0.cfs", new FileLocation(new BlobId(2, 9), 4096, 1_000_000));
    files.put("segments_h", new FileLocation(ID, 0, 8));
    CompoundCommit commit =
        new CompoundCommit(
            3,
            17,
            "segments_h",
            new TranslogPosition("node-a", 5),
            -1,
            12,
            1_700_000_000_000L,
            files);
    return new CommitDirectory(ID, List.of(commit), new byte[] {7, 9});
  }

  private static byte[] blob() throws IOException {
    byte[] files = {1, 2, 3, 4, 5, 6, 7, 8};
    byte[] hot =
        BlobSection.write(
            HotRanges.write(
                new HotRegion(
                    List.of(
                        new HotRegion.Range(0, new byte[] {1, 2}),
                        new HotRegion.Range(5, new byte[] {6, 7, 8})))));
    byte[] checksums =
        ChecksumTable.write(
            new PageChecksums(files.length, new int[] {PageChecksums.crc(files, 0, files.length)}));
    byte[] directory = BlobSection.write(directory().write());
    ByteArrayOutputStream blob = new ByteArrayOutputStream();
    blob.writeBytes(files);
    blob.writeBytes(hot);
    blob.writeBytes(checksums);
    blob.writeBytes(directory);
    blob.writeBytes(
        new BlobTrailer(files.length, hot.length, checksums.length, directory.length).write());
    return blob.toByteArray();
  }

  private static List<CompoundCommit> read(byte[] blob) throws IOException {
    MemoryStore store = new MemoryStore();
    CommitStore commits = new CommitStore(store, SHARD);
    store.put(ID.key(SHARD), ObjectBody.of(blob));
    HotRegion hot = commits.blob(ID).readHot().orElseThrow();
    byte[] files = commits.blob(ID).read(0, 8);
    if (java.util.Objects.requireNonNull(hot.checksums()).firstDamaged(0, files) >= 0) {
      throw CorruptObjectException.page(ID.key(SHARD), 0);
    }
    return commits.commits(ID);
  }

  @Test
  void goldenBytesAreWrittenAndRead() throws Exception {
    assertThat(HexFormat.of().formatHex(blob())).isEqualTo(GOLDEN);
    byte[] golden = HexFormat.of().parseHex(GOLDEN);
    assertThat(read(golden)).isEqualTo(directory().commits());
    assertThat(CommitDirectory.read("golden", directory().write()).carried()).containsExactly(7, 9);
    MemoryStore store = new MemoryStore();
    store.put(ID.key(SHARD), ObjectBody.of(golden));
    HotRegion hot = new CommitStore(store, SHARD).blob(ID).readHot().orElseThrow();
    assertThat(hot.bytes()).isEqualTo(5);
    assertThat(hot.ranges().get(1).offset()).isEqualTo(5);
    assertThat(hot.ranges().get(1).bytes()).containsExactly(6, 7, 8);
  }

  @Test
  void anyFlippedBitIsRefused() throws Exception {
    byte[] blob = blob();
    for (int at = 0; at < blob.length; at++) {
      for (int bit = 0; bit < 8; bit++) {
        byte[] flipped = blob.clone();
        flipped[at] ^= (byte) (1 << bit);
        assertThatThrownBy(() -> read(flipped)).isInstanceOf(CorruptObjectException.class);
      }
    }
  }

  @Test
  void anyMissingByteIsRefused() throws Exception {
    byte[] blob = blob();
    for (int length = 0; length < blob.length; length++) {
      byte[] cut = Arrays.copyOf(blob, length);
      assertThatThrownBy(() -> read(cut)).isInstanceOf(CorruptObjectException.class);
    }
  }

  @Test
  void aNewerVersionIsNamedAsSuch() throws Exception {
    byte[] blob = blob();
    ByteBuffer trailer = ByteBuffer.wrap(blob).order(ByteOrder.LITTLE_ENDIAN);
    trailer.putInt(blob.length - 28, BlobTrailer.VERSION + 1);
    trailer.putInt(blob.length - 4, BlobSection.crc(blob, blob.length - 32, 28));
    assertThatThrownBy(() -> read(blob))
        .isInstanceOf(NewerFormatException.class)
        .hasMessageContaining("data of a newer format: start a newer holdfast")
        .hasMessageContaining("format=" + (BlobTrailer.VERSION + 1));
  }

  @Test
  void aDirectoryOfAnotherBlobIsRefused() throws Exception {
    MemoryStore store = new MemoryStore();
    BlobId other = new BlobId(3, 18);
    store.put(other.key(SHARD), ObjectBody.of(blob()));
    assertThatThrownBy(() -> new CommitStore(store, SHARD).newest())
        .isInstanceOf(CorruptObjectException.class)
        .hasMessageContaining("directory of another blob");
  }

  @Test
  void aBlobWithoutChecksumsIsRefused() throws Exception {
    byte[] blob = blob();
    ByteBuffer trailer = ByteBuffer.wrap(blob).order(ByteOrder.LITTLE_ENDIAN);
    trailer.putInt(blob.length - 28, 1);
    trailer.putInt(blob.length - 4, BlobSection.crc(blob, blob.length - 32, 28));
    assertThatThrownBy(() -> read(blob))
        .isInstanceOf(CorruptObjectException.class)
        .hasMessageContaining("no checksums");
  }

  @Test
  void aDirectoryLargerThanTheGuessIsReadToo(@TempDir Path folder) throws Exception {
    MemoryStore store = new MemoryStore();
    try (TestCommitShard shard =
        new TestCommitShard(store, folder, 1, false, dev.holdfast.world.ByteSize.mib(1))) {
      java.util.Random random = new java.util.Random(5);
      TreeMap<String, FileLocation> files = new TreeMap<>();
      files.put("segments_h", new FileLocation(ID, 0, 8));
      for (int i = 0; i < 20_000; i++) {
        files.put("_" + Long.toString(random.nextLong() >>> 1, 36), new FileLocation(ID, i, 1));
      }
      CompoundCommit commit =
          new CompoundCommit(3, 17, "segments_h", new TranslogPosition("n", 5), 4, 1, 2, files);
      byte[] hot = BlobSection.write(HotRanges.write(new HotRegion(List.of())));
      byte[] checksums = ChecksumTable.write(new PageChecksums(0, new int[0]));
      byte[] directory =
          BlobSection.write(new CommitDirectory(ID, List.of(commit), new byte[0]).write());
      assertThat(directory.length).isGreaterThan(64 << 10);
      ByteArrayOutputStream blob = new ByteArrayOutputStream();
      blob.writeBytes(hot);
      blob.writeBytes(checksums);
      blob.writeBytes(directory);
      blob.writeBytes(new BlobTrailer(0, hot.length, checksums.length, directory.length).write());
      store.put(ID.key(TestCommitShard.SHARD), ObjectBody.of(blob.toByteArray()));
      assertThat(shard.commits.newest()).contains(commit);
      assertThat(shard.commits.blob(ID).readHot().orElseThrow().bytes()).isZero();
    }
  }
}
