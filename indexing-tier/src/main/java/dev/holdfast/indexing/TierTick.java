package dev.holdfast.indexing;

import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.indexing.mark.UploadMarking;
import dev.holdfast.indexing.node.NodeParts;
import dev.holdfast.indexing.relocation.IdleShards;
import dev.holdfast.indexing.relocation.ShardSlot;
import dev.holdfast.indexing.relocation.ShardSlots;
import dev.holdfast.indexing.shard.IndexingShard;
import dev.holdfast.indexing.shard.ReplayDebts;
import dev.holdfast.translog.Log;
import dev.holdfast.translog.LogWatch;
import dev.holdfast.world.Clock;
import dev.holdfast.world.Refusal;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What a node does for all its shards again and again: begins refreshes and uploads that are due,
/// works on slots, has idle shards sleep, bounds what a recovery would have to replay, and tells
/// the cluster state of uploads. One shard that fails keeps no other from its turn.
final class TierTick {
  private static final Logger LOG = LoggerFactory.getLogger(TierTick.class);

  private final Clock clock;
  private final ShardSlots slots;
  private final IdleShards idleShards;
  private final ReplayDebts replayDebts;
  private final UploadMarking marking;
  private final Log log;
  private final LogWatch watch;
  private final ApartSteps steps = new ApartSteps();

  TierTick(NodeParts node, ShardSlots slots, IdleShards idleShards, ReplayDebts replayDebts) {
    this.clock = node.world().clock();
    this.slots = slots;
    this.idleShards = idleShards;
    this.replayDebts = replayDebts;
    this.marking = node.cluster().marking();
    this.log = node.log();
    this.watch =
        new LogWatch(node.world(), node.storage().store(), node.cluster().ownership(), log);
  }

  /// Begins what is due; waits for nothing.
  void run() {
    steps.begin();
    steps.run("follow", "state", slots::catchUp);
    for (ShardSlot slot : slots.all()) {
      IndexingShard open = slot.open();
      if (open != null) {
        steps.run("tick", slot.shard, () -> tick(slot.shard, open));
      }
      steps.run("work", slot.shard, () -> work(slot));
    }
    steps.run("idle", "shards", () -> idleShards.look(slots.all(), slots));
    steps.run("log", "watch", () -> watch.tick(clock.nanoTime()));
    steps.run("lost", "files", () -> replayDebts.lookAtLost(slots.open(), watch.lost()));
    steps.run(
        "replay", "debts", () -> replayDebts.look(slots.open(), log.ordinal(), clock.nanoTime()));
    steps.run("upload", "marks", () -> marking.tick(clock.nanoTime()));
  }

  private static void tick(ShardId shard, IndexingShard open) {
    try {
      open.tick();
    } catch (Refusal deletedMeanwhile) {
      LOG.debug("no tick for a deleted index [shard={}]", shard, deletedMeanwhile);
    }
  }

  private void work(ShardSlot slot) {
    if (slot.beginWork()) {
      slots.work(slot);
    }
  }
}
