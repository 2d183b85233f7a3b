package dev.holdfast.search.copy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.blobcache.blob.Blob;
import dev.holdfast.blobcache.blob.BlobInputs;
import dev.holdfast.blobcache.blob.ByteRange;
import dev.holdfast.blobcache.blob.CachedRange;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.Member;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.ShardAssignment.Copy;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.clusterstate.membership.Ownership;
import dev.holdfast.compoundcommit.BlobId;
import dev.holdfast.compoundcommit.store.CommitStore;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.search.node.NodeQuestion;
import dev.holdfast.search.node.SearchNodes;
import dev.holdfast.search.node.TargetJson;
import dev.holdfast.world.Json;
import dev.holdfast.world.World;
import dev.holdfast.world.concurrent.FanOut;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Warms a new copy before it is searched (§3.2): a node that has one that is searched, first of
/// all one that is about to go, is asked what of the shard lies in its cache, the most used first,
/// and that is fetched from the store. Within a time and a number of bytes; a copy that nobody can
/// hand anything to is searched at once, and so is one that failed here.
public final class CopyWarming {
  private static final Logger LOG = LoggerFactory.getLogger(CopyWarming.class);

  /// A copy is searched so long after it was opened, warm or not. A node that drains waits six
  /// times as long for its copies to be taken over.
  static final Duration WAIT_MAX = Duration.ofSeconds(5);

  private static final long BYTES_MAX = 256L << 20;
  private static final int RANGES_MAX = 10_000;

  private final World world;
  private final ObjectStore store;
  private final Metadata metadata;
  private final Ownership ownership;
  private final BlobInputs inputs;
  private final @Nullable SearchNodes nodes;

  /// Makes ready for searches a copy that was opened, within [#WAIT_MAX].
  @FunctionalInterface
  public interface Warming {
    void warm(ShardId shard) throws InterruptedException;
  }

  /// @param nodes the other search nodes; null where copies are searched as they come
  public CopyWarming(
      World world,
      ObjectStore store,
      Metadata metadata,
      Ownership ownership,
      BlobInputs inputs,
      @Nullable SearchNodes nodes) {
    this.world = world;
    this.store = store;
    this.metadata = metadata;
    this.ownership = ownership;
    this.inputs = inputs;
    this.nodes = nodes;
  }

  /// What of these blobs of a shard lies in this node's cache, the most used first.
  public ObjectNode cached(ShardId shard, Collection<BlobId> blobs) {
    ObjectNode json = Json.object();
    ArrayNode ranges = json.putArray("ranges");
    for (CachedRange one : inputs.popular(byKey(shard, blobs).keySet(), BYTES_MAX)) {
      if (ranges.size() < RANGES_MAX) {
        ranges
            .addObject()
            .put("blob", one.blobKey())
            .put("offset", one.range().offset())
            .put("end", one.range().end());
      }
    }
    return json;
  }

  private SortedMap<String, Blob> byKey(ShardId shard, Collection<BlobId> blobs) {
    CommitStore commits = new CommitStore(store, shard);
    SortedMap<String, Blob> byKey = new TreeMap<>();
    for (BlobId id : blobs) {
      Blob blob = commits.blob(id);
      byKey.put(blob.key(), blob);
    }
    return byKey;
  }

  /// Fetches what another node has of a copy that was just opened.
  ///
  /// @param blobs that it reads
  public void warm(ShardId shard, Collection<BlobId> blobs) throws InterruptedException {
    long startNanos = world.clock().nanoTime();
    for (String member : searched(shard)) {
      Duration left = WAIT_MAX.minusNanos(world.clock().nanoTime() - startNanos);
      if (left.isNegative()) {
        return;
      }
      try {
        JsonNode said =
            FanOut.of(world, "ask-cached").within(left).cancelling().one(() -> ask(member, shard));
        List<CachedRange> ranges = ranges(said);
        if (!ranges.isEmpty()) {
          left = WAIT_MAX.minusNanos(world.clock().nanoTime() - startNanos);
          inputs.fetch(byKey(shard, blobs), ranges, left);
          LOG.debug(
              "warmed [shard={}, as={}, ranges={}, millis={}]",
              shard,
              member,
              ranges.size(),
              (world.clock().nanoTime() - startNanos) / 1_000_000);
          return;
        }
      } catch (ExecutionException | TimeoutException e) {
        LOG.debug("a copy gets nothing from another node [shard={}, node={}]", shard, member, e);
      }
    }
  }

  private JsonNode ask(String member, ShardId shard) throws Exception {
    SearchNodes others = nodes;
    return others == null
        ? Json.object()
        : others.member(member).ask(NodeQuestion.CACHED, TargetJson.shard(shard));
  }

  /// Members whose copies are searched, those that go first.
  private List<String> searched(ShardId shard) {
    ClusterState state = metadata.current();
    List<String> going = new ArrayList<>();
    List<String> staying = new ArrayList<>();
    if (nodes != null) {
      for (Map.Entry<String, Copy> copy : state.assignment(shard).copies().entrySet()) {
        Member member = state.members().get(copy.getKey());
        boolean isSelf = copy.getKey().equals(ownership.nodeEphemeralId());
        if (member != null && !isSelf && copy.getValue() != Copy.STARTING) {
          (member.isDraining() ? going : staying).add(member.id());
        }
      }
    }
    going.addAll(staying);
    return going;
  }

  /// What is no range is none.
  private static List<CachedRange> ranges(JsonNode said) {
    List<CachedRange> ranges = new ArrayList<>();
    long bytes = 0;
    for (JsonNode one : said.path("ranges")) {
      ByteRange range = new ByteRange(one.path("offset").asLong(-1), one.path("end").asLong(-1));
      boolean isSound = range.offset() >= 0 && range.length() > 0;
      bytes += isSound ? range.length() : 0;
      if (isSound && bytes <= BYTES_MAX && ranges.size() < RANGES_MAX) {
        ranges.add(new CachedRange(one.path("blob").asText(), range));
      }
    }
    return ranges;
  }
}
