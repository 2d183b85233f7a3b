package dev.holdfast.compoundcommit.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.compoundcommit.BlobId;
import dev.holdfast.compoundcommit.CompoundCommit;
import dev.holdfast.compoundcommit.TestCommitShard;
import dev.holdfast.compoundcommit.batch.VirtualBatch;
import dev.holdfast.compoundcommit.blob.BlobCheck;
import dev.holdfast.objectstore.LostObjectException;
import dev.holdfast.objectstore.MemoryStore;
import dev.holdfast.objectstore.ObjectBody;
import dev.holdfast.world.ByteSize;
import dev.holdfast.world.CorruptObjectException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Which commit of a shard is the newest, what proves it, and what is missed.
final class CommitStoreTest {
  @TempDir private Path folder;
  private final MemoryStore store = new MemoryStore();
  private final CommitStore commits = new CommitStore(store, TestCommitShard.SHARD);
  private final List<CompoundCommit> written = new ArrayList<>();
  private TestCommitShard shard;

  /// Three blobs of a commit each, each with a segment that all later commits need.
  @BeforeEach
  void threeBlobs() throws IOException {
    shard = new TestCommitShard(store, folder, 1, true, ByteSize.mib(2));
    for (int i = 0; i < 3; i++) {
      shard.index(10 * i, 10 * i + 10);
      written.add(shard.refresh());
      shard.upload();
    }
    assertThat(written.getLast().blobs()).hasSize(3);
  }

  @AfterEach
  void close() throws IOException {
    shard.close();
  }

  private BlobId blob(int i) {
    return written.get(i).home();
  }

  private void lose(BlobId blob) {
    store.deleteAll(List.of(blob.key(TestCommitShard.SHARD)));
  }

  private void damage(BlobId blob) throws IOException {
    String key = blob.key(TestCommitShard.SHARD);
    byte[] bytes = store.get(key).orElseThrow().bytes().clone();
    bytes[bytes.length - 5] ^= 1;
    var _ = store.put(key, ObjectBody.of(bytes));
  }

  @Test
  void theNewestIsProvenByItsMarkAndItsBlobs() throws Exception {
    for (BlobId marked : new BlobId[] {null, blob(0), blob(2)}) {
      assertThat(commits.newest(marked).orElseThrow().generation())
          .isEqualTo(written.getLast().generation());
    }
    assertThat(commits.newest().orElseThrow().home()).isEqualTo(blob(2));
    assertThat(commits.newestWhole().orElseThrow().home()).isEqualTo(blob(2));
    assertThat(commits.hasOwn()).isTrue();
    assertThat(commits.list()).containsExactly(blob(2), blob(1), blob(0));
    assertThat(commits.contents(blob(1)).commits()).hasSize(1);
  }

  @Test
  void aMarkedBlobThatIsGoneIsMissed() {
    lose(blob(2));

    assertThatThrownBy(() -> commits.newest(blob(2)))
        .isInstanceOfSatisfying(
            LostObjectException.class,
            lost -> assertThat(lost.key()).isEqualTo(blob(2).key(TestCommitShard.SHARD)));
  }

  @Test
  void withoutAMarkAnOlderCommitIsTheNewest() throws Exception {
    lose(blob(2));

    assertThat(commits.newest(null).orElseThrow().home()).isEqualTo(blob(1));
    assertThat(commits.newest(blob(1)).orElseThrow().home()).isEqualTo(blob(1));
  }

  @Test
  void aBlobThatTheNewestCommitNeedsIsMissed() throws Exception {
    lose(blob(0));

    assertThatThrownBy(() -> commits.newest(blob(2)))
        .isInstanceOfSatisfying(
            LostObjectException.class,
            lost -> assertThat(lost.key()).isEqualTo(blob(0).key(TestCommitShard.SHARD)));
    assertThat(commits.newest()).as("without proof").isPresent();
    assertThat(commits.newestWhole()).isEmpty();
  }

  @Test
  void whatLacksABlobOrIsDamagedIsPassedOverByWhoAcceptsTheLoss() throws Exception {
    lose(blob(1));
    assertThat(commits.newestWhole().orElseThrow().home()).isEqualTo(blob(0));

    damage(blob(2));
    assertThat(commits.newestWhole().orElseThrow().home()).isEqualTo(blob(0));
    assertThatThrownBy(() -> commits.newest(blob(2))).isInstanceOf(CorruptObjectException.class);
    assertThatThrownBy(commits::newest).isInstanceOf(CorruptObjectException.class);
  }

  @Test
  void aShardWithoutBlobsHasNoneUnlessOneIsMarked() throws Exception {
    commits.delete(commits.list());

    assertThat(commits.list()).isEmpty();
    assertThat(commits.hasOwn()).isFalse();
    assertThat(commits.newest()).isEmpty();
    assertThat(commits.newest(null)).isEmpty();
    assertThat(commits.newestWhole()).isEmpty();
    assertThatThrownBy(() -> commits.newest(blob(0))).isInstanceOf(LostObjectException.class);
  }

  @Test
  void inheritedBlobsAreNoCommitsOfTheShard() throws Exception {
    BlobId inherited = BlobId.inherited(TestCommitShard.SHARD, blob(0));
    var _ =
        store.put(
            inherited.key(TestCommitShard.SHARD),
            ObjectBody.of(store.get(blob(0).key(TestCommitShard.SHARD)).orElseThrow().bytes()));
    commits.delete(List.of(blob(0), blob(1), blob(2)));

    assertThat(commits.list()).containsExactly(inherited);
    assertThat(commits.commits(inherited)).isEmpty();
    assertThat(commits.hasOwn()).isFalse();
    assertThat(commits.newest()).isEmpty();
    assertThat(commits.newest(null)).isEmpty();
    assertThat(commits.newestWhole()).isEmpty();
    assertThatThrownBy(() -> commits.newest(inherited)).isInstanceOf(LostObjectException.class);
  }

  @Test
  void deletingNothingAsksNobody() throws Exception {
    commits.delete(List.of());

    assertThat(commits.list()).hasSize(3);
  }

  @Test
  void whatWasUploadedBeforeCountsAsUploadedAndAnotherBlobOfTheNameDoesNot() throws Exception {
    shard.index(30, 40);
    CompoundCommit fourth = shard.refresh();
    VirtualBatch.Frozen frozen = shard.batch().freeze();
    commits.upload(frozen);
    commits.upload(frozen);

    // of the same length, but for one bit at its end, then of another length
    String key = fourth.home().key(TestCommitShard.SHARD);
    damage(fourth.home());
    assertThatThrownBy(() -> commits.upload(frozen))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("somebody writes under our term");
    var _ = store.put(key, ObjectBody.of(new byte[100]));
    assertThatThrownBy(() -> commits.upload(frozen))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("somebody writes under our term");
  }

  @Test
  void whatIsOfAnotherNameIsNoBlobOfTheShard() throws Exception {
    BlobId other = new BlobId(9, 9);
    var _ =
        store.put(
            other.key(TestCommitShard.SHARD),
            ObjectBody.of(store.get(blob(0).key(TestCommitShard.SHARD)).orElseThrow().bytes()));

    assertThatThrownBy(commits::newest)
        .isInstanceOf(CorruptObjectException.class)
        .hasMessageContaining("another blob");
  }

  @Test
  void aBlobOfAnotherShardIsNoneOfThisOne() throws Exception {
    for (String home :
        List.of(
            "{\"shard\":0,\"index\":{\"uuid\":\"another\"}}",
            "{\"index\":{\"uuid\":\"another\"}}",
            "{\"shard\":1,\"name\":\"books\",\"index\":{\"uuid\":\"uuid\"}}")) {
      shard.index(30, 31);
      String key = shard.refresh().home().key(TestCommitShard.SHARD);
      shard.upload(home.getBytes(UTF_8));

      assertThatThrownBy(commits::newest)
          .isInstanceOf(CorruptObjectException.class)
          .hasMessageContaining("blob of another shard")
          .hasMessageContaining(key);
      assertThat(BlobCheck.check(store, key, _ -> {}).damages()).hasSize(1);
    }
  }

  @Test
  void aBlobThatSaysItIsOfThisShardIsRead() throws Exception {
    for (String home :
        List.of(
            "{\"shard\":0,\"index\":{\"uuid\":\"uuid\"}}",
            "{\"name\":\"books\",\"index\":{\"uuid\":\"uuid\"}}",
            "{\"name\":\"books\"}",
            "no JSON")) {
      shard.index(30, 31);
      CompoundCommit commit = shard.refresh();
      shard.upload(home.getBytes(UTF_8));

      assertThat(commits.newest().orElseThrow().home()).isEqualTo(commit.home());
      assertThat(
              BlobCheck.check(store, commit.home().key(TestCommitShard.SHARD), _ -> {}).damages())
          .isEmpty();
    }
  }

  @Test
  void whatSomebodyElsePutThereIsPassedOver() throws Exception {
    CompoundCommit newest = commits.newest().orElseThrow();
    List<BlobId> blobs = commits.list();
    String folder = TestCommitShard.SHARD.folder();
    String ofTerm = blobs.getFirst().key(TestCommitShard.SHARD).substring(0, folder.length() + 17);
    for (String key :
        List.of(
            folder + ".DS_Store",
            folder + "junk",
            ofTerm + ".DS_Store",
            ofTerm + "junk",
            ofTerm + "FFFFFFFFFFFFFFF1",
            blobs.getFirst().key(TestCommitShard.SHARD) + ".bak")) {
      var _ = store.put(key, ObjectBody.of(new byte[] {1}));
    }

    assertThat(commits.newest().orElseThrow().home()).isEqualTo(newest.home());
    assertThat(commits.newest(blobs.getFirst()).orElseThrow().home()).isEqualTo(newest.home());
    assertThat(commits.newestWhole().orElseThrow().home()).isEqualTo(newest.home());
    assertThat(commits.hasOwn()).isTrue();
    assertThat(commits.list()).isEqualTo(blobs);
    store.deleteAll(blobs.stream().map(blob -> blob.key(TestCommitShard.SHARD)).toList());
    assertThat(commits.newest()).isEmpty();
    assertThat(commits.hasOwn()).isFalse();
  }
}
