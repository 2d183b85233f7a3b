package dev.holdfast.compoundcommit.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.compoundcommit.BlobId;
import dev.holdfast.compoundcommit.CompoundCommit;
import dev.holdfast.compoundcommit.FileLocation;
import dev.holdfast.compoundcommit.TestCommitShard;
import dev.holdfast.compoundcommit.TranslogPosition;
import dev.holdfast.compoundcommit.notice.InUse;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Random;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

final class BlobReferencesTest {
  private static CompoundCommit commit(BlobId home, SortedSet<BlobId> others) {
    TreeMap<String, FileLocation> files = new TreeMap<>();
    String segments = "segments_" + home.generation();
    files.put(segments, new FileLocation(home, 0, 1));
    others.forEach(blob -> files.put("_" + blob, new FileLocation(blob, 0, 1)));
    TranslogPosition translog = new TranslogPosition("node", 0);
    return new CompoundCommit(
        home.primaryTerm(), home.generation(), segments, translog, 0, 0, 0, files);
  }

  private static NavigableSet<BlobId> some(List<BlobId> blobs, Random random) {
    NavigableSet<BlobId> some = new TreeSet<>();
    blobs.stream().filter(blob -> random.nextInt(4) == 0).forEach(some::add);
    return some;
  }

  @Test
  void neverFreesWhatIsHeldAndFreesAllElse() {
    long seed = System.nanoTime();
    System.out.println("seed=" + seed);
    Random random = new Random(seed);
    int freed = 0;
    for (int round = 0; round < 2000; round++) {
      List<BlobId> blobs = new ArrayList<>();
      for (int i = 0; i < 1 + random.nextInt(12); i++) {
        blobs.add(new BlobId(1 + i / 4, i));
      }
      BlobId home = blobs.get(random.nextInt(blobs.size()));
      CompoundCommit newest = commit(home, some(blobs, random).headSet(home, false));
      List<CompoundCommit> retained = new ArrayList<>();
      for (int i = random.nextInt(3); i > 0; i--) {
        retained.add(commit(blobs.get(random.nextInt(blobs.size())), some(blobs, random)));
      }
      SortedSet<BlobId> local = some(blobs, random);
      TreeMap<String, InUse> inUse = new TreeMap<>();
      for (int i = random.nextInt(3); i > 0; i--) {
        inUse.put("node" + i, new InUse(new TreeSet<>(), some(blobs, random)));
      }

      SortedSet<BlobId> deletable =
          new BlobReferences(Optional.of(newest), retained, local, inUse).deletable(blobs);

      SortedSet<BlobId> held = new TreeSet<>(newest.blobs());
      retained.forEach(commit -> held.addAll(commit.blobs()));
      held.addAll(local);
      inUse.values().forEach(use -> held.addAll(use.blobs()));
      SortedSet<BlobId> expected = new TreeSet<>(blobs);
      expected.removeAll(held);
      expected.removeIf(blob -> blob.compareTo(home) >= 0);
      assertThat(deletable).isEqualTo(expected);
      freed += deletable.size();
    }
    assertThat(freed).isPositive();
  }

  @Test
  void saysWhoHoldsABlob() {
    BlobId old = new BlobId(1, 1);
    BlobId home = new BlobId(1, 5);
    CompoundCommit newest = commit(home, new TreeSet<>());
    TreeMap<String, InUse> inUse = new TreeMap<>();
    inUse.put("n1", new InUse(new TreeSet<>(List.of(1L)), new TreeSet<>(List.of(old))));
    BlobReferences references =
        new BlobReferences(Optional.of(newest), List.of(), new TreeSet<>(), inUse);
    assertThat(references.holders(old)).containsExactly("search copy on node n1");
    assertThat(references.holders(home))
        .containsExactly("not older than the newest commit", "newest uploaded commit 5");
  }

  @Test
  void nothingIsFreedBeforeAnythingIsKnownToBeUploaded() {
    BlobReferences references =
        new BlobReferences(Optional.empty(), List.of(), new TreeSet<>(), new TreeMap<>());
    assertThat(references.deletable(List.of(new BlobId(1, 1)))).isEmpty();
  }

  @Test
  void keysSortNewestFirstAndParse() {
    List<BlobId> newestFirst =
        List.of(new BlobId(2, 1), new BlobId(1, 300), new BlobId(1, 2), new BlobId(0, 0));
    List<String> keys = newestFirst.stream().map(id -> id.key(TestCommitShard.SHARD)).toList();
    assertThat(keys).isSorted();
    for (BlobId id : newestFirst) {
      assertThat(BlobId.parse(TestCommitShard.SHARD, id.key(TestCommitShard.SHARD))).contains(id);
    }
    assertThat(BlobId.parse(TestCommitShard.SHARD, TestCommitShard.SHARD.folder() + "x")).isEmpty();
  }
}
