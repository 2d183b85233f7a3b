package dev.holdfast.search;

import dev.holdfast.compoundcommit.call.Codec;
import dev.holdfast.compoundcommit.call.Wire;
import dev.holdfast.document.MappingFactory;
import dev.holdfast.query.NearestPhase;
import dev.holdfast.query.QueryPhase;
import dev.holdfast.query.SearchSource;
import dev.holdfast.query.ShardResult;
import dev.holdfast.world.Fleeting;
import java.io.IOException;
import java.util.function.BooleanSupplier;

/// The query phase of a shard, or its answer of an earlier time. Answers are kept as bytes, as they
/// travel between nodes: what is merged afterwards is each time a copy.
final class CachedQueries {
  private final RequestCache cache;
  private final MappingFactory mappings;

  CachedQueries(RequestCache cache, MappingFactory mappings) {
    this.cache = cache;
    this.mappings = mappings;
  }

  ShardResult run(SearchSource asked, SearchTarget target, BooleanSupplier isTimeOver)
      throws IOException {
    SearchSource source =
        target.nearest().isEmpty() ? asked : NearestPhase.limited(asked, target.nearest());
    RequestCache.Key key = target.key();
    if (key == null) {
      return QueryPhase.run(source, target.context(), target.scope(), isTimeOver);
    }
    Codec<ShardResult> codec = ShardResultCodec.of(source, mappings);
    byte[] known = cache.find(key);
    if (known != null) {
      return Wire.value(codec, known);
    }
    Fleeting fleeting = new Fleeting();
    ShardResult result =
        fleeting.watch(() -> QueryPhase.run(source, target.context(), target.scope(), isTimeOver));
    if (!fleeting.isNoted() && !result.isTimedOut()) {
      cache.put(key, Wire.bytes(codec, result));
    }
    return result;
  }
}
