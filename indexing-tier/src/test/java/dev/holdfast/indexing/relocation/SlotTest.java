package dev.holdfast.indexing.relocation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.clusterstate.IndexId;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.compoundcommit.BlobId;
import org.junit.jupiter.api.Test;

final class SlotTest {
  private final ShardSlot slot = new ShardSlot(new ShardId(new IndexId("books", "u"), 0));

  @Test
  void oneWorksOnItAtATime() {
    assertThat(slot.want(ShardSlot.Wanted.OPEN, 1)).isTrue();
    assertThat(slot.want(ShardSlot.Wanted.OPEN, 2)).isFalse();
  }

  @Test
  void whoComesBackBeforeTheEndIsNotBuried() {
    boolean _ = slot.want(ShardSlot.Wanted.LOST, 1);
    assertThat(slot.want(ShardSlot.Wanted.OPEN, 2)).isFalse(); // the worker of the loss goes on
    assertThat(slot.bury()).isFalse();
    assertThat(slot.endWork()).isFalse();
  }

  @Test
  void whoComesBackAfterTheEndNeedsAnotherSlot() {
    boolean _ = slot.want(ShardSlot.Wanted.LOST, 1);
    assertThat(slot.bury()).isTrue();
    assertThat(slot.want(ShardSlot.Wanted.OPEN, 2)).isFalse();
    assertThat(slot.endWork()).isTrue();
    assertThat(slot.beginWork()).isFalse();
  }

  @Test
  void whatAHollowShardLeftIsTheNewestAsLongAsNobodyElseMayWrite() {
    BlobId left = new BlobId(3, 17);
    slot.hollow(3, left, null);
    assertThat(slot.newestBlob(3)).isEqualTo(left);
    assertThat(slot.newestBlob(4)).isNull(); // there may have been another owner
  }
}
