package dev.holdfast.indexing.lent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.clusterstate.IndexOrigin;
import dev.holdfast.clusterstate.LentBlobs;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.clusterstate.SnapshotReference;
import dev.holdfast.compoundcommit.BlobId;
import dev.holdfast.indexing.CountingStore;
import dev.holdfast.indexing.IndexingTierFixture;
import dev.holdfast.objectstore.MemoryStore;
import dev.holdfast.objectstore.ObjectBody;
import dev.holdfast.world.Clock;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class SnapshotLendersTest extends IndexingTierFixture {
  private static final String MANIFEST = "pins/snapshots/here/first";

  /// What the node itself reads is not counted.
  private final CountingStore snapshots = new CountingStore(new MemoryStore());

  /// Each read of a blob asks who lends it.
  @Test
  void aDamagedManifestIsReadOnceASecond() throws Exception {
    AtomicLong nanos = new AtomicLong();
    SnapshotLenders lenders = new SnapshotLenders(snapshots, clock(nanos));
    String key = lentBlob(lenders);
    snapshots.put(MANIFEST, ObjectBody.of(new byte[] {1, 2, 3}));

    for (int i = 0; i < 100; i++) {
      assertThat(lenders.of(key)).isEmpty();
    }
    assertThat(snapshots.gets(MANIFEST)).isEqualTo(1);

    nanos.addAndGet(1_000_000_000);
    assertThat(lenders.of(key)).isEmpty();
    assertThat(snapshots.gets(MANIFEST)).isEqualTo(2);
  }

  @Test
  void aManifestThatIsGoneIsLookedForOnceASecond() throws Exception {
    AtomicLong nanos = new AtomicLong();
    SnapshotLenders lenders = new SnapshotLenders(snapshots, clock(nanos));
    String key = lentBlob(lenders);

    for (int i = 0; i < 100; i++) {
      assertThat(lenders.of(key)).isEmpty();
      nanos.addAndGet(20_000_000);
    }
    assertThat(snapshots.gets(MANIFEST)).isEqualTo(2);
  }

  private String lentBlob(SnapshotLenders lenders) throws Exception {
    SnapshotReference snapshot = new SnapshotReference("here", "first", "uuid-first");
    LentBlobs lent = new LentBlobs(MANIFEST, new TreeSet<>(List.of(0)));
    ShardId copy =
        node.create("copy", 1, new IndexOrigin("uuid-books", 1, snapshot, lent)).getFirst();
    lenders.follow(node.cluster);
    return BlobId.inherited(copy, new BlobId(1, 1)).key(copy);
  }

  private static Clock clock(AtomicLong nanos) {
    return new Clock() {
      @Override
      public long nanoTime() {
        return nanos.get();
      }

      @Override
      public long epochMillis() {
        return nanos.get() / 1_000_000;
      }
    };
  }
}
