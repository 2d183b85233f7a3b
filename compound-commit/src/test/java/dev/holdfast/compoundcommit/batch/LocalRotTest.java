package dev.holdfast.compoundcommit.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.compoundcommit.BlobId;
import dev.holdfast.compoundcommit.CompoundCommit;
import dev.holdfast.compoundcommit.FileLocation;
import dev.holdfast.compoundcommit.TestCommitShard;
import dev.holdfast.compoundcommit.blob.BlobCheck;
import dev.holdfast.objectstore.MemoryStore;
import dev.holdfast.world.ByteSize;
import dev.holdfast.world.CorruptObjectException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import org.apache.lucene.index.CorruptIndexException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What rots on a node's own disk never gets into the store, nor to another node.
final class LocalRotTest {
  private static final ByteSize CACHE = ByteSize.mib(1);

  /// A file that is mapped rather than copied, so that the batch reads it from disk again.
  private static String largest(CompoundCommit commit) {
    return commit.files().entrySet().stream()
        .max((a, b) -> Long.compare(a.getValue().length(), b.getValue().length()))
        .orElseThrow()
        .getKey();
  }

  private static void flip(Path file, long at) throws Exception {
    try (RandomAccessFile access = new RandomAccessFile(file.toFile(), "rw")) {
      access.seek(at);
      int was = access.read();
      access.seek(at);
      access.write(was ^ 16);
    }
  }

  @Test
  void aFileThatRottedBeforeItWasAppendedIsRefused(@TempDir Path folder) throws Exception {
    MemoryStore store = new MemoryStore();
    try (TestCommitShard shard = new TestCommitShard(store, folder, 1, true, CACHE)) {
      shard.index(0, 4000);
      shard.writer.commit();
      Path file =
          java.util.Arrays.stream(shard.directory.listAll())
              .filter(name -> name.endsWith(".cfs"))
              .map(name -> folder.resolve("index").resolve(name))
              .findFirst()
              .orElseThrow();
      flip(file, 30_000);
      assertThatThrownBy(shard::refresh)
          .isInstanceOf(CorruptIndexException.class)
          .hasMessageContaining(file.getFileName().toString());
      assertThat(shard.batch().bytes()).isZero();
    }
  }

  @Test
  void aFileThatRottedAfterwardsIsNeitherUploadedNorServed(@TempDir Path folder) throws Exception {
    MemoryStore store = new MemoryStore();
    try (TestCommitShard shard = new TestCommitShard(store, folder, 1, true, CACHE)) {
      shard.index(0, 4000);
      CompoundCommit commit = shard.refresh();
      FileLocation place = commit.file(largest(commit));
      assertThat(place.length()).isGreaterThan(100_000);
      flip(folder.resolve("index").resolve(largest(commit)), 70_000);
      assertThatThrownBy(() -> shard.batch().chunk(place.offset() + 69_000, 5000))
          .isInstanceOf(CorruptObjectException.class);
      assertThatThrownBy(shard::upload)
          .satisfies(e -> assertThat(CorruptObjectException.in(e)).isNotNull());
      assertThat(store.list("", "", 10)).isEmpty();
    }
  }

  @Test
  void chunksOfAnyPlaceOfAWholeBatchAreServed(@TempDir Path folder) throws Exception {
    MemoryStore store = new MemoryStore();
    try (TestCommitShard shard = new TestCommitShard(store, folder, 1, true, CACHE)) {
      for (int part = 0; part < 4; part++) {
        shard.index(part * 900, part * 900 + 900);
        CompoundCommit _ = shard.refresh();
      }
      VirtualBatch batch = shard.batch();
      byte[] whole = batch.chunk(0, (int) batch.bytes());
      assertThat(whole).hasSize((int) batch.bytes());
      for (int from = 0; from < whole.length; from += 12_345) {
        int end = Math.min(whole.length, from + 70_000);
        assertThat(batch.chunk(from, 70_000))
            .isEqualTo(java.util.Arrays.copyOfRange(whole, from, end));
      }
      BlobId id = batch.id();
      shard.upload();
      assertThat(store.getRange(id.key(TestCommitShard.SHARD), 0, whole.length)).isEqualTo(whole);
      assertThat(BlobCheck.check(store, id.key(TestCommitShard.SHARD), _ -> {}).damages())
          .isEmpty();
    }
  }
}
