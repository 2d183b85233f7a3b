package dev.holdfast.search.execution;

import dev.holdfast.compoundcommit.call.Codec;
import dev.holdfast.compoundcommit.call.WireValues;
import dev.holdfast.document.MappingFactory;
import dev.holdfast.query.hits.ShardResult;
import dev.holdfast.query.phase.KnnPhase;
import dev.holdfast.query.phase.QueryPhase;
import dev.holdfast.query.request.SearchSource;
import dev.holdfast.search.cache.RequestCache;
import dev.holdfast.search.call.ShardResultCodec;
import dev.holdfast.world.Nondeterminism;
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
        target.nearest().isEmpty() ? asked : KnnPhase.limited(asked, target.nearest());
    RequestCache.Key key = target.key();
    if (key == null) {
      return QueryPhase.run(source, target.context(), target.scope(), isTimeOver);
    }
    Codec<ShardResult> codec = ShardResultCodec.of(source, mappings);
    byte[] known = cache.find(key);
    if (known != null) {
      return WireValues.value(codec, known);
    }
    Nondeterminism fleeting = new Nondeterminism();
    ShardResult result =
        fleeting.watch(() -> QueryPhase.run(source, target.context(), target.scope(), isTimeOver));
    if (!fleeting.isNoted() && !result.isTimedOut()) {
      cache.put(key, WireValues.bytes(codec, result));
    }
    return result;
  }
}
