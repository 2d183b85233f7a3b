package dev.holdfast.routing;

import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.compoundcommit.BlobId;
import dev.holdfast.compoundcommit.call.Caller;
import dev.holdfast.compoundcommit.notice.CommitNotice;
import dev.holdfast.indexing.call.IndexingCalls;
import dev.holdfast.indexing.call.IndexingShards;
import dev.holdfast.indexing.call.ShardOwner;
import dev.holdfast.indexing.call.ShardStats;
import dev.holdfast.indexing.engine.WriteBlock;
import dev.holdfast.indexing.node.ShardNotHere;
import dev.holdfast.indexing.operation.WriteOperation;
import dev.holdfast.indexing.operation.WriteResult;
import dev.holdfast.objectstore.StoreTrouble;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Network.UnreachableException;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.StopSignal;
import dev.holdfast.world.World;
import dev.holdfast.world.concurrent.Await;
import dev.holdfast.world.concurrent.Patience;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The indexing shards of the cluster (§3): each request goes to the node that owns the shard, and
/// waits while it has no owner, moves, or recovers.
public final class RoutedIndexing implements IndexingShards {
  /// How long a request waits for an owner at most (`timeout` of writes).
  static final Duration WAIT_MAX = Duration.ofSeconds(60);

  private static final Duration POLL = Duration.ofMillis(10);

  /// What owners look at: writes and, by new fields, changes of mappings.
  private static final List<String> BLOCKS =
      List.of(
          "index.blocks.read_only",
          "index.blocks.write",
          "index.blocks.metadata",
          "index.blocks.read_only_allow_delete");

  private final World world;
  private final Metadata metadata;
  private final RemoteMembers peers;
  private final String self;
  private final WriteNumbers numbers;
  private final DividedShards divided;
  private final @Nullable ShardOwner here;

  /// @param self this node's ephemeral id
  /// @param here the indexing tier of this node; null when it has none
  public RoutedIndexing(
      World world, Metadata metadata, RemoteMembers peers, String self, @Nullable ShardOwner here) {
    this.world = world;
    this.metadata = metadata;
    this.peers = peers;
    this.self = self;
    this.numbers = new WriteNumbers(self);
    this.divided = new DividedShards(world, metadata);
    this.here = here;
  }

  /// A request to the owner of a shard.
  @FunctionalInterface
  interface Asking<T> {
    T ask(ShardOwner owner) throws IOException, InterruptedException;
  }

  @Override
  public List<WriteResult> write(ShardId shard, List<WriteOperation> operations)
      throws IOException, InterruptedException {
    return new RoutedWrite(this, shard, operations).run();
  }

  @Override
  public void refresh(ShardId shard, long stateVersion) throws IOException, InterruptedException {
    refresh(shard, stateVersion, false);
  }

  @Override
  public void awaitRefresh(ShardId shard) throws IOException, InterruptedException {
    refresh(shard, ANY_STATE, true);
  }

  private void refresh(ShardId shard, long stateVersion, boolean awaits)
      throws IOException, InterruptedException {
    divided.refresh(
        shard,
        each -> run(each, owner -> owner.refresh(each, stateVersion, divided.known(each), awaits)));
  }

  @Override
  public void flush(ShardId shard, long stateVersion) throws IOException, InterruptedException {
    run(shard, owner -> owner.flush(shard, stateVersion));
  }

  @Override
  public void upload(ShardId shard) throws IOException, InterruptedException {
    run(shard, owner -> owner.upload(shard));
  }

  @Override
  public void forceMerge(ShardId shard, int maxSegments, boolean onlyExpungeDeletes)
      throws IOException, InterruptedException {
    run(shard, owner -> owner.forceMerge(shard, maxSegments, onlyExpungeDeletes));
  }

  @Override
  public void awaitOpen(ShardId shard) throws IOException, InterruptedException {
    run(shard, owner -> owner.awaitOpen(shard));
  }

  @Override
  public void searched(ShardId shard) throws IOException, InterruptedException {
    IndexingShards owner = owner(shard);
    if (owner != null) {
      owner.searched(shard);
    }
  }

  /// Asked once: figures are not worth a wait.
  @Override
  public ShardStats stats(ShardId shard) throws IOException {
    IndexingShards owner = owner(shard);
    if (owner == null) {
      throw UnavailableShard.unavailable(metadata.current(), shard, Duration.ZERO, null);
    }
    try {
      return owner.stats(shard);
    } catch (UnreachableException e) {
      throw UnavailableShard.unavailable(metadata.current(), shard, Duration.ZERO, e);
    }
  }

  @Override
  public RealTimeDocument get(ShardId shard, String id) throws IOException {
    try {
      return ask(shard, owner -> owner.get(shard, divided.since(shard), id));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while the owner of " + shard + " was asked");
    }
  }

  /// Asked once: whoever needs a chunk knows what to do without.
  @Override
  public Optional<byte[]> chunk(ShardId shard, BlobId blob, long offset, int length)
      throws IOException {
    IndexingShards owner = owner(shard);
    return owner == null ? Optional.empty() : owner.chunk(shard, blob, offset, length);
  }

  @Override
  public boolean isHere(ShardId shard) {
    return here != null && self.equals(metadata.current().assignment(shard).owner());
  }

  @Override
  public Optional<Path> localFile(ShardId shard, String file) {
    ShardOwner mine = here;
    return mine == null || !isHere(shard) ? Optional.empty() : mine.localFile(shard, file);
  }

  @Override
  public CommitNotice newest(ShardId shard, String member, long stateVersion)
      throws IOException, InterruptedException {
    IndexingShards owner = owner(shard);
    if (owner == null) {
      throw UnavailableShard.unavailable(metadata.current(), shard, Duration.ZERO, null);
    }
    return owner.newest(shard, member, stateVersion);
  }

  private @Nullable ShardOwner owner(ShardId shard) {
    return owner(shard, peers::memberInReach);
  }

  /// For writes: the owner as this node knows it; null when there is none.
  @Nullable ShardOwner writeOwner(ShardId shard) {
    return owner(shard, peers::member);
  }

  WriteNumbers numbers() {
    return numbers;
  }

  DividedShards divided() {
    return divided;
  }

  private @Nullable ShardOwner owner(ShardId shard, Function<String, Caller> members) {
    ClusterState state = metadata.current();
    String owner = state.assignment(shard).owner();
    if (owner.isEmpty()) {
      return null;
    }
    return owner.equals(self) ? here : IndexingCalls.at(members.apply(owner));
  }

  private interface Running {
    void run(ShardOwner owner) throws IOException, InterruptedException;
  }

  private void run(ShardId shard, Running request) throws IOException, InterruptedException {
    boolean _ =
        ask(
            shard,
            owner -> {
              request.run(owner);
              return true;
            });
  }

  /// Asks the owner, again and again until one answers: for requests that may be done twice. A read
  /// ends when its client leaves.
  private <T> T ask(ShardId shard, Asking<T> request) throws IOException, InterruptedException {
    long startNanos = world.clock().nanoTime();
    Duration max = Patience.SHARD.atMost(WAIT_MAX);
    while (true) {
      Exception why = null;
      ShardOwner owner = owner(shard);
      if (owner != null) {
        try {
          return request.ask(owner);
        } catch (UnreachableException e) {
          why = e;
        } catch (Refusal e) {
          if (!mayPass(e)) {
            throw e;
          }
          why = e;
        }
      }
      StopSignal.lookForCancelling();
      pause(shard, startNanos, max, why);
    }
  }

  /// Whether the shard is on its way: moving, recovering, or its owner about to be replaced. A
  /// store that refuses its owner may do so for long, and a client is told at once.
  static boolean mayPass(Refusal refusal) {
    return ShardNotHere.is(refusal)
        || (refusal.type() == ErrorType.UNAVAILABLE_SHARDS && !StoreTrouble.isTold(refusal))
        || refusal.type() == ErrorType.NODE_CLOSED;
  }

  /// The same of a write, which an owner also refuses that has not heard yet that the index is
  /// blocked no more.
  boolean mayPass(ShardId shard, Refusal refusal) {
    return WriteBlock.isOne(refusal) ? !isBlocked(shard) : mayPass(refusal);
  }

  private boolean isBlocked(ShardId shard) {
    IndexMetadata index = metadata.current().indices().get(shard.index().name());
    return index != null
        && BLOCKS.stream().anyMatch(block -> index.setting(block, "false").equals("true"));
  }

  /// Waits a little for the state to change.
  ///
  /// @throws Refusal when all time is over, or the shard is gone
  void pause(ShardId shard, long startNanos, Duration max, @Nullable Throwable why)
      throws InterruptedException {
    metadata.current().requireOpen(shard);
    if (world.clock().nanoTime() - startNanos > max.toNanos()) {
      throw UnavailableShard.unavailable(metadata.current(), shard, max, why);
    }
    Await.pause(world, POLL);
  }

  long nowNanos() {
    return world.clock().nanoTime();
  }
}
