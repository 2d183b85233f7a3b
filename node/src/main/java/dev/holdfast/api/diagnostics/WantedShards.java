package dev.holdfast.api.diagnostics;

import dev.holdfast.api.broadcast.Broadcast;
import dev.holdfast.api.indices.resolve.IndexExpression;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.http.ApiRequest;
import java.util.ArrayList;
import java.util.List;

/// The shards that a request means: `index` (names and patterns; all by default), `shard`.
public final class WantedShards {
  private static final String[] PARAMETERS = {"index", "shard", Broadcast.TIMEOUT};

  private static final IndexExpression.Options EVERY =
      new IndexExpression.Options(false, true, true, true, true, true);

  private WantedShards() {}

  /// What requests about shards may say.
  public static String[] parameters() {
    return PARAMETERS.clone();
  }

  static List<ShardId> of(ApiRequest request, ClusterState state) {
    int wanted = request.integer("shard", -1);
    List<ShardId> shards = new ArrayList<>();
    List<IndexMetadata> indices =
        IndexExpression.resolve(state, request.text("index", "_all"), EVERY);
    for (IndexMetadata index : indices) {
      for (int number = 0; number < index.shards(); number++) {
        if (wanted < 0 || wanted == number) {
          shards.add(new ShardId(index.id(), number));
        }
      }
    }
    return shards;
  }
}
