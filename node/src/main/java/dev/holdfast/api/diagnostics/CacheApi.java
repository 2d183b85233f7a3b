package dev.holdfast.api.diagnostics;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.broadcast.Broadcast;
import dev.holdfast.api.broadcast.Broadcasts;
import dev.holdfast.blobcache.BlobCache;
import dev.holdfast.blobcache.stats.CacheStats;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.world.Json;
import org.jspecify.annotations.Nullable;

/// `GET /_holdfast/cache`: the blob cache of each node (§3.2), and which tier of it answers.
public final class CacheApi implements Api {
  private final @Nullable BlobCache cache;
  private final Broadcast nodes;

  public CacheApi(@Nullable BlobCache cache, Broadcasts calls) {
    this.cache = cache;
    this.nodes = calls.call("cache", _ -> here());
  }

  private JsonNode here() {
    ObjectNode here = Json.object();
    if (cache == null) {
      return here.put("is_present", false);
    }
    CacheStats stats = cache.stats();
    here.put("is_present", true);
    here.put("capacity_bytes", cache.size().bytes());
    here.put("used_bytes", stats.bytes());
    here.put("regions", stats.regions());
    here.put("pinned_bytes", stats.bytesPinned());
    here.putObject("reads")
        .put("hits", stats.hits())
        .put("misses", stats.misses())
        .put("hit_ratio", ratio(stats.hits(), stats.hits() + stats.misses()));
    long asked = stats.bytesFromPinned() + stats.bytesFromRegions() + stats.bytesFromStore();
    ObjectNode tiers = here.putObject("answered_by");
    tier(tiers.putObject("pinned"), stats.bytesFromPinned(), asked);
    tier(tiers.putObject("regions"), stats.bytesFromRegions(), asked);
    tier(tiers.putObject("store"), stats.bytesFromStore(), asked);
    here.put("fetches", stats.fetches());
    here.put("fetched_bytes", stats.bytesFetched());
    here.put("prefetches", stats.prefetches());
    here.put("bypassed", stats.bypassed());
    here.put("evictions", stats.evictions());
    here.put("hedges", stats.hedges());
    here.put("hedges_won", stats.hedgesWon());
    here.put("checked_pages", stats.checked());
    here.put("damaged_reads", stats.damaged());
    here.put("damaged_disk_pages", stats.damagedHere());
    return here;
  }

  private static void tier(ObjectNode tier, long bytes, long ofAll) {
    tier.put("bytes", bytes).put("share", ratio(bytes, ofAll));
  }

  private static double ratio(long part, long of) {
    return of == 0 ? 0 : (double) part / of;
  }

  @Override
  public Answer handle(ApiRequest request) throws Exception {
    Broadcast.Seen seen = nodes.ask(Json.object(), request);
    ObjectNode answer = Json.object();
    seen.nameSilent(answer);
    answer.putObject("nodes").setAll(seen.nodes());
    return Answer.of(200, answer);
  }
}
