package dev.holdfast.api.search.lookup;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.http.RequestPieces;
import dev.holdfast.query.inspection.MatchInspection;
import dev.holdfast.search.Searches;
import dev.holdfast.search.node.ShardTarget;
import dev.holdfast.world.Json;
import dev.holdfast.world.StopSignal;
import dev.holdfast.world.World;
import dev.holdfast.world.concurrent.FanOut;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/// The `index_filter` of a request: which shards it is about.
///
/// @param query that a document of the shard must match
public record ShardFilter(World world, Metadata metadata, Searches searches, JsonNode query) {
  /// Shards, or indices, that are looked at at the same time: each may have to be read first.
  private static final int AT_ONCE = 16;

  /// Looks at one of what is filtered.
  private interface Look<T> {
    boolean matches(T one) throws IOException;
  }

  /// The shards that have a document which matches, in their order, and those that were divided
  /// meanwhile: what matches may be among what they gave away.
  public List<ShardTarget> targets(List<ShardTarget> targets)
      throws IOException, InterruptedException {
    AskedShards asked = new AskedShards(metadata);
    return kept(targets, target -> matches(target.shard()) || asked.isDivided(target));
  }

  /// The indices with such a shard, in their order.
  public List<IndexMetadata> indices(List<IndexMetadata> indices)
      throws IOException, InterruptedException {
    return kept(indices, this::hasMatch);
  }

  private boolean hasMatch(IndexMetadata index) throws IOException {
    AskedShards asked = new AskedShards(metadata);
    for (int number = 0; number < asked.count(index); number++) {
      if (matches(new ShardId(index.id(), number))) {
        return true;
      }
    }
    return false;
  }

  /// Asks the shard, unless nobody waits any more.
  private boolean matches(ShardId shard) throws IOException {
    StopSignal.lookForCancelling();
    ObjectNode question = Json.object();
    question.set("query", query);
    return searches.ask(shard, MatchInspection.NAME, question).path("matches").asBoolean();
  }

  private <T> List<T> kept(List<T> all, Look<T> look) throws IOException, InterruptedException {
    List<Callable<Boolean>> pieces = new ArrayList<>();
    for (T one : all) {
      pieces.add(() -> look.matches(one));
    }
    List<Boolean> matches =
        RequestPieces.all(FanOut.of(world, "index-filter").atOnce(AT_ONCE), pieces);
    List<T> kept = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      if (matches.get(i)) {
        kept.add(all.get(i));
      }
    }
    return kept;
  }
}
