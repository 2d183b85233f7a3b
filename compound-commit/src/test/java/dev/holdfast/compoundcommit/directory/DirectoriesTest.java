package dev.holdfast.compoundcommit.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.blobcache.BlobCache;
import dev.holdfast.blobcache.region.CacheConfig;
import dev.holdfast.compoundcommit.BlobId;
import dev.holdfast.compoundcommit.CompoundCommit;
import dev.holdfast.compoundcommit.FileLocation;
import dev.holdfast.compoundcommit.TestCommitShard;
import dev.holdfast.compoundcommit.TranslogPosition;
import dev.holdfast.compoundcommit.store.CommitStore;
import dev.holdfast.objectstore.MemoryStore;
import dev.holdfast.objectstore.ObjectBody;
import dev.holdfast.world.ByteSize;
import dev.holdfast.world.real.RealWorld;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DirectoriesTest {
  private static final BlobId OLD = new BlobId(1, 1);
  private static final BlobId NEW = new BlobId(1, 2);

  @TempDir Path folder;

  private static void write(IndexingDirectory directory, String name, int bytes) throws Exception {
    try (IndexOutput out = directory.createOutput(name, IOContext.DEFAULT)) {
      for (int i = 0; i < bytes; i++) {
        out.writeByte((byte) i);
      }
    }
  }

  @Test
  void aFileOfAViewDoesNotTakeThePlaceOfALocalOne() throws Exception {
    CommitStore commits = new CommitStore(new MemoryStore(), TestCommitShard.SHARD);
    try (BlobCache cache =
            new BlobCache(
                folder.resolve("cache"),
                ByteSize.mib(1),
                RealWorld.create(),
                CacheConfig.defaults());
        IndexingDirectory directory =
            new IndexingDirectory(folder.resolve("index"), cache, commits::blob)) {
      write(directory, "_0.x", 100);
      TreeMap<String, FileLocation> files = new TreeMap<>();
      files.put("segments_5", new FileLocation(OLD, 64, 1));
      files.put("_5.x", new FileLocation(OLD, 65, 7));
      CompoundCommit commit =
          new CompoundCommit(1, 5, "segments_5", new TranslogPosition("", 0), 1, 1, 1, files);
      Directory view = directory.view(commit);

      assertThatThrownBy(() -> directory.copyFrom(view, "_5.x", "_0.x", IOContext.DEFAULT))
          .isInstanceOf(FileAlreadyExistsException.class);

      assertThat(directory.location("_0.x")).isEmpty();
      assertThat(directory.fileLength("_0.x")).isEqualTo(100);
      directory.copyFrom(view, "_5.x", "_1.x", IOContext.DEFAULT);
      assertThat(directory.fileLength("_1.x")).isEqualTo(7);
    }
  }

  @Test
  void aFileMovesFromTheFolderToItsBlob() throws Exception {
    MemoryStore store = new MemoryStore();
    CommitStore commits = new CommitStore(store, TestCommitShard.SHARD);
    List<String> deleted = new ArrayList<>();
    Files.createDirectories(folder.resolve("index"));
    Files.writeString(folder.resolve("index/_9.stale"), "of an earlier life");
    try (BlobCache cache =
            new BlobCache(
                folder.resolve("cache"),
                ByteSize.mib(1),
                RealWorld.create(),
                CacheConfig.defaults());
        IndexingDirectory directory =
            new IndexingDirectory(folder.resolve("index"), cache, commits::blob, deleted::add)) {
      assertThat(directory.listAll()).isEmpty();
      write(directory, "_0.pending", 100);
      directory.rename("_0.pending", "_0.x");
      assertThat(directory.location("_0.x")).isEmpty();
      IndexInput openSince = directory.openInput("_0.x", IOContext.DEFAULT);

      // when dropped before it is uploaded: kept
      directory.dropLocal(List.of("_0.x"));
      assertThat(directory.localBytes()).isEqualTo(100);

      // when uploaded
      byte[] blob = new byte[4096];
      for (int i = 0; i < 100; i++) {
        blob[64 + i] = (byte) i;
      }
      store.put(OLD.key(TestCommitShard.SHARD), ObjectBody.of(blob));
      directory.uploaded(
          Map.of("_0.x", new FileLocation(OLD, 64, 100), "_1.x", new FileLocation(OLD, 64, 1)));
      directory.dropLocal(List.of("_0.x"));
      assertThat(directory.localBytes()).isZero();
      assertThat(directory.listAll()).containsExactly("_0.x");
      assertThat(directory.fileLength("_0.x")).isEqualTo(100);
      openSince.seek(99);
      assertThat(openSince.readByte()).isEqualTo((byte) 99);
      openSince.close();
      assertThatThrownBy(() -> directory.createOutput("_0.x", IOContext.DEFAULT))
          .isInstanceOf(FileAlreadyExistsException.class);

      // an input of a blob that no file is in any more still holds the blob
      TreeMap<String, FileLocation> moved = new TreeMap<>();
      moved.put("_0.x", new FileLocation(NEW, 64, 100));
      assertThat(directory.referencedBlobs()).containsExactly(OLD);
      IndexInput inOld = directory.openInput("_0.x", IOContext.DEFAULT);
      directory.uploaded(moved);
      assertThat(directory.referencedBlobs()).containsExactly(OLD, NEW);
      inOld.close();
      assertThat(directory.referencedBlobs()).containsExactly(NEW);

      directory.deleteFile("_0.x");
      assertThat(deleted).containsExactly("_0.x");
      assertThat(directory.referencedBlobs()).isEmpty();
      assertThatThrownBy(() -> directory.openInput("_0.x", IOContext.DEFAULT))
          .isInstanceOf(NoSuchFileException.class);
      assertThatThrownBy(() -> directory.deleteFile("_0.x"))
          .isInstanceOf(NoSuchFileException.class);
    }
  }

  @Test
  void readersSearchWhileBatchesGrowAndAreUploaded() throws Exception {
    MemoryStore store = new MemoryStore();
    AtomicBoolean done = new AtomicBoolean();
    try (TestCommitShard shard = new TestCommitShard(store, folder, 1, true, ByteSize.mib(2));
        ExecutorService threads = Executors.newFixedThreadPool(2)) {
      shard.index(0, 50);
      CompoundCommit first = shard.refresh();
      SearchDirectory search = shard.searchDirectory();
      search.show(shard.notice(first));
      java.util.concurrent.atomic.AtomicReference<CompoundCommit> newest =
          new java.util.concurrent.atomic.AtomicReference<>(first);
      List<Future<Integer>> readers = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        Callable<Integer> reader =
            () -> {
              int searches = 0;
              while (!done.get() || searches == 0) {
                CompoundCommit commit = newest.get();
                try (DirectoryReader open = TestCommitShard.open(search, commit)) {
                  assertThat(new IndexSearcher(open).count(MatchAllDocsQuery.INSTANCE))
                      .isEqualTo((int) commit.documents());
                  open.leaves().getFirst().reader().checkIntegrity();
                }
                searches++;
              }
              return searches;
            };
        readers.add(threads.submit(reader));
      }
      for (int round = 1; round < 11; round++) {
        shard.index(round * 50, round * 50 + 50);
        CompoundCommit commit = shard.refresh();
        search.show(shard.notice(commit));
        newest.set(commit);
        if (round % 5 == 0) {
          shard.upload();
          search.show(shard.notice(commit));
          shard.directory.dropLocal(List.of(shard.directory.listAll()));
        }
      }
      done.set(true);
      for (Future<Integer> reader : readers) {
        assertThat(reader.get()).isPositive();
      }
    }
  }

  @Test
  void theCommitOfTheNewerTermIsSeenWhenGenerationsRepeat() throws Exception {
    MemoryStore store = new MemoryStore();
    try (TestCommitShard lost =
            new TestCommitShard(store, folder.resolve("a"), 1, true, ByteSize.mib(1));
        TestCommitShard owner =
            new TestCommitShard(store, folder.resolve("b"), 2, true, ByteSize.mib(1))) {
      lost.index(0, 10);
      CompoundCommit neverUploaded = lost.refresh();
      owner.index(0, 20);
      CompoundCommit commit = owner.refresh();
      assertThat(commit.generation()).isEqualTo(neverUploaded.generation());
      SearchDirectory search = owner.searchDirectory();
      search.show(lost.notice(neverUploaded));
      search.show(owner.notice(commit));
      try (DirectoryReader reader = TestCommitShard.open(search, commit)) {
        assertThat(reader.numDocs()).isEqualTo(20);
      }
      search.retainOnly(List.of(commit));
      assertThat(search.inUse().blobs()).containsExactly(commit.home());
    }
  }
}
