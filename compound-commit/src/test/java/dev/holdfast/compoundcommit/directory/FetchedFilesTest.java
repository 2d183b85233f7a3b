package dev.holdfast.compoundcommit.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.blobcache.blob.BlobInputs;
import dev.holdfast.compoundcommit.CompoundCommit;
import dev.holdfast.compoundcommit.TestCommitShard;
import dev.holdfast.compoundcommit.notice.IndexingReads;
import dev.holdfast.objectstore.MemoryStore;
import dev.holdfast.world.ByteSize;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.lucene.index.DirectoryReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a search copy keeps of commits that are not uploaded yet.
final class FetchedFilesTest {
  @TempDir private Path folder;

  private SearchDirectory copy(TestCommitShard shard) {
    return copy(shard, shard.cache, shard);
  }

  private SearchDirectory copy(TestCommitShard shard, BlobInputs inputs, IndexingReads chunks) {
    return new SearchDirectory(
        TestCommitShard.SHARD, inputs, shard.commits::blob, chunks, folder.resolve("fetched"));
  }

  @Test
  void aCommitThatIsNotUploadedTravelsInOneCall() throws Exception {
    try (TestCommitShard shard =
        new TestCommitShard(new MemoryStore(), folder, 1, false, ByteSize.mib(2))) {
      // given
      CompoundCommit first = null;
      for (int round = 0; round < 5; round++) {
        shard.index(round * 10, round * 10 + 10);
        first = shard.refresh();
      }
      SearchDirectory search = copy(shard);
      search.show(shard.notice(java.util.Objects.requireNonNull(first)));

      // when
      search.fetch(first);
      int ofFirst = shard.chunksAsked;
      shard.index(50, 60);
      CompoundCommit second = shard.refresh();
      search.show(shard.notice(second));
      search.fetch(second);
      int ofBoth = shard.chunksAsked;

      // then
      assertThat(first.files().size()).isGreaterThan(50);
      assertThat(ofFirst).isEqualTo(1);
      assertThat(ofBoth).isEqualTo(2);
      try (DirectoryReader reader = TestCommitShard.open(search, second)) {
        assertThat(reader.numDocs()).isEqualTo(60);
        for (var leaf : reader.leaves()) {
          leaf.reader().checkIntegrity();
        }
      }
      assertThat(shard.chunksAsked).isEqualTo(2);
      search.close();
    }
  }

  /// To create, map, unmap and delete each of its files by itself costs more than all else that a
  /// refresh does on a search node.
  @Test
  void aCommitThatIsNotUploadedTakesOneFileUntilItIs() throws Exception {
    try (TestCommitShard shard =
        new TestCommitShard(new MemoryStore(), folder, 1, false, ByteSize.mib(2))) {
      // given
      SearchDirectory search = copy(shard);
      CompoundCommit commit = null;
      for (int round = 0; round < 3; round++) {
        shard.index(round * 10, round * 10 + 10);
        commit = shard.refresh();
        search.show(shard.notice(commit));
        search.fetch(commit);
        assertThat(fetchedFiles()).hasSize(round + 1);
      }
      DirectoryReader reader = TestCommitShard.open(search, commit);

      // when nothing of it is needed
      search.retainOnly(List.of());

      // then it is gone, and who reads it goes on
      assertThat(fetchedFiles()).isEmpty();
      for (var leaf : reader.leaves()) {
        leaf.reader().checkIntegrity();
      }
      assertThat(reader.numDocs()).isEqualTo(30);
      reader.close();
      search.close();
    }
  }

  @Test
  void whatItsOwnProcessIsAboutToUploadIsNotFetchedIntoTheCache() throws Exception {
    try (TestCommitShard shard =
        new TestCommitShard(new MemoryStore(), folder, 1, false, ByteSize.mib(2))) {
      List<String> warmed = new ArrayList<>();
      BlobInputs inputs =
          (BlobInputs)
              Proxy.newProxyInstance(
                  BlobInputs.class.getClassLoader(),
                  new Class<?>[] {BlobInputs.class},
                  (_, method, arguments) -> {
                    warmed.add(method.getName());
                    return method.invoke(shard.cache, arguments);
                  });
      shard.sameProcess = true;
      SearchDirectory search = copy(shard, inputs, shard);
      shard.index(0, 10);
      CompoundCommit first = shard.refresh();
      shard.index(10, 20);
      CompoundCommit second = shard.refresh();
      search.show(shard.notice(first));
      search.fetch(first);
      search.show(shard.notice(second));
      search.fetch(second);

      search.warm(second, first, Long.MAX_VALUE);

      assertThat(warmed).isEmpty();
      search.close();
    }
  }

  /// Its shard went away while what it was told of travelled.
  @Test
  void aCopyThatIsClosedKeepsNothing() throws Exception {
    try (TestCommitShard shard =
        new TestCommitShard(new MemoryStore(), folder, 1, false, ByteSize.mib(2))) {
      SearchDirectory search = copy(shard);
      shard.index(0, 10);
      CompoundCommit commit = shard.refresh();
      search.show(shard.notice(commit));
      search.close();

      search.fetch(commit);

      assertThat(fetchedFiles()).isEmpty();
    }
  }

  private List<Path> fetchedFiles() throws IOException {
    try (var all = Files.walk(folder.resolve("fetched"))) {
      return all.filter(Files::isRegularFile).toList();
    }
  }

  @Test
  void aCopyThatIsCutOffLeavesNoFile() throws Exception {
    try (TestCommitShard shard =
        new TestCommitShard(new MemoryStore(), folder, 1, false, ByteSize.mib(2))) {
      shard.index(0, 10);
      CompoundCommit commit = shard.refresh();
      AtomicBoolean isCutOff = new AtomicBoolean();
      IndexingReads dying =
          (IndexingReads)
              Proxy.newProxyInstance(
                  IndexingReads.class.getClassLoader(),
                  new Class<?>[] {IndexingReads.class},
                  (_, method, arguments) -> {
                    Object answer = method.invoke(shard, arguments);
                    if (!method.getName().equals("chunk")) {
                      return answer;
                    }
                    byte[] bytes = (byte[]) ((Optional<?>) answer).orElseThrow();
                    int length = isCutOff.getAndSet(true) ? 0 : bytes.length / 2;
                    return Optional.of(Arrays.copyOf(bytes, length));
                  });
      SearchDirectory search = copy(shard, shard.cache, dying);
      search.show(shard.notice(commit));

      assertThatThrownBy(() -> search.fetch(commit))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("cut off");
      search.close();

      assertThat(folder.resolve("fetched")).isEmptyDirectory();
    }
  }

  /// One that searches still read, and the one that took its place.
  @Test
  void twoCopiesOfAShardShareNoFile() throws Exception {
    try (TestCommitShard shard =
        new TestCommitShard(new MemoryStore(), folder, 1, false, ByteSize.mib(2))) {
      shard.index(0, 10);
      CompoundCommit commit = shard.refresh();
      List<SearchDirectory> copies = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        SearchDirectory copy = copy(shard);
        copy.show(shard.notice(commit));
        copy.fetch(commit);
        copies.add(copy);
      }
      int asked = shard.chunksAsked;

      copies.getFirst().close();

      try (DirectoryReader reader = TestCommitShard.open(copies.getLast(), commit)) {
        assertThat(reader.numDocs()).isEqualTo(10);
      }
      assertThat(shard.chunksAsked).isEqualTo(asked);
      copies.getLast().close();
    }
  }
}
