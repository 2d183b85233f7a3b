package dev.holdfast.search.node;

import dev.holdfast.query.phase.SearchMerge.MergedHit;
import dev.holdfast.query.result.Hit;
import dev.holdfast.query.result.ShardHit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// The hits of a page by the shard that they are fetched from.
///
/// @param size of the page
/// @param shards those that have hits of it
public record Page(int size, List<OfShard> shards) {
  /// One shard's hits.
  ///
  /// @param position of its result in what was merged
  /// @param places in the page, of each hit
  public record OfShard(int position, List<ShardHit> hits, List<Integer> places) {}

  /// @param results how many were merged
  public static Page of(List<MergedHit> hits, int results) {
    List<List<Integer>> places = new ArrayList<>();
    for (int i = 0; i < results; i++) {
      places.add(new ArrayList<>());
    }
    for (int place = 0; place < hits.size(); place++) {
      places.get(hits.get(place).shard()).add(place);
    }
    List<OfShard> shards = new ArrayList<>();
    for (int position = 0; position < results; position++) {
      List<Integer> ofShard = places.get(position);
      if (!ofShard.isEmpty()) {
        List<ShardHit> wanted = ofShard.stream().map(place -> hits.get(place).hit()).toList();
        shards.add(new OfShard(position, wanted, ofShard));
      }
    }
    return new Page(hits.size(), shards);
  }

  /// @param fetched one list a shard of [#shards]
  public List<Hit> inOrder(List<List<Hit>> fetched) {
    Hit[] inOrder = new Hit[size];
    for (int i = 0; i < shards.size(); i++) {
      List<Integer> places = shards.get(i).places;
      for (int j = 0; j < places.size(); j++) {
        inOrder[places.get(j)] = fetched.get(i).get(j);
      }
    }
    return Arrays.asList(inOrder);
  }
}
