package dev.holdfast.api.enrich;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.TokenBuffer;
import dev.holdfast.api.ingest.EnrichLookups;
import dev.holdfast.api.search.SearchApi;
import dev.holdfast.api.stats.SearchUsage;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.document.ingest.EnrichQuestion;
import dev.holdfast.http.Answer;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.http.HeaderValues;
import dev.holdfast.http.RequestBody;
import dev.holdfast.http.Verb;
import dev.holdfast.search.Searches;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.concurrent.RecentlyUsed;
import dev.holdfast.world.text.JsonMemory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/// Asks the indices of enrich policies, and remembers small answers: an index never changes, the
/// next execution makes another one.
public final class EnrichSearches implements EnrichLookups {
  private static final int REMEMBERED_MAX = 1000;

  /// Larger ones are not worth their memory.
  private static final long REMEMBERED_BYTES_MAX = 32 << 10;

  /// Of the heap, what all of them may take: one part in so many.
  private static final int REMEMBERED_HEAP_SHARE = 128;

  private final Metadata metadata;
  private final SearchApi search;
  private final RecentlyUsed<Key, List<ObjectNode>> remembered =
      RecentlyUsed.ofHeap(REMEMBERED_MAX, REMEMBERED_HEAP_SHARE);
  private final LongAdder hits = new LongAdder();
  private final LongAdder misses = new LongAdder();

  public EnrichSearches(Metadata metadata, Searches searches) {
    this.metadata = metadata;
    this.search = new SearchApi(metadata, searches, new SearchUsage()); // of no client
  }

  private record Key(String uuid, EnrichQuestion question) {}

  @Override
  public void require(String policy) {
    IndexMetadata _ = index(policy);
  }

  private IndexMetadata index(String policy) {
    IndexMetadata index = EnrichPolicies.current(metadata.current(), policy);
    if (index == null) {
      throw Refusal.badArgument("no enrich index exists for policy with name [" + policy + "]");
    }
    return index;
  }

  @Override
  public List<ObjectNode> find(EnrichQuestion question) {
    IndexMetadata index = index(question.policy());
    Key key = new Key(index.id().uuid(), question);
    List<ObjectNode> known = remembered.find(key);
    if (known != null) {
      hits.increment();
      return known;
    }
    misses.increment();
    List<ObjectNode> found = searched(index, question);
    long bytes = JsonMemory.of(question.value());
    for (ObjectNode one : found) {
      bytes += JsonMemory.of(one);
    }
    if (bytes <= REMEMBERED_BYTES_MAX) {
      remembered.keep(key, found, bytes);
    }
    return found;
  }

  /// `cache_stats` of this node.
  ObjectNode stats() {
    return Json.object()
        .put("count", remembered.count())
        .put("hits", hits.sum())
        .put("misses", misses.sum())
        .put("evictions", remembered.evictions())
        .put("hits_time_in_millis", 0) // not measured
        .put("misses_time_in_millis", 0)
        .put("size_in_bytes", remembered.bytes());
  }

  private List<ObjectNode> searched(IndexMetadata index, EnrichQuestion question) {
    ObjectNode body = Json.object().put("size", question.matchesMax());
    body.put("track_total_hits", false).putArray("sort").add("_doc");
    body.set("query", query(index.mapping().path("_meta"), question));
    ApiRequest request =
        new ApiRequest(
            Verb.POST,
            "/" + index.id().name() + "/_search",
            Map.of("index", index.id().name()),
            Map.of("allow_partial_search_results", "false"),
            HeaderValues.NONE,
            RequestBody.of(Json.bytes(body)),
            null,
            () -> false);
    List<ObjectNode> found = new ArrayList<>();
    for (JsonNode hit : asked(request).path("hits").path("hits")) {
      if (hit.path("_source") instanceof ObjectNode source) {
        found.add(source);
      }
    }
    return List.copyOf(found);
  }

  private JsonNode asked(ApiRequest request) {
    try (TokenBuffer buffer = new TokenBuffer(Json.MAPPER, false)) {
      Answer answer = search.handle(request);
      if (answer.content() instanceof Answer.Content.Structured structured) {
        structured.writer().write(buffer);
      }
      return Json.MAPPER.readTree(buffer.asParser());
    } catch (Refusal e) {
      throw e;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Refusal(ErrorType.TIMEOUT, "an enrich index was asked by a node that stops", e);
    } catch (Exception e) {
      throw new Refusal(ErrorType.INTERNAL, String.valueOf(e.getMessage()), e);
    }
  }

  private static ObjectNode query(JsonNode meta, EnrichQuestion question) {
    String field = meta.path("enrich_match_field").asText();
    ObjectNode query = Json.object();
    ObjectNode filter = query.putObject("constant_score").putObject("filter");
    if (meta.path("enrich_policy_type").asText().equals("geo_match")) {
      ObjectNode shape = filter.putObject("geo_shape").putObject(field);
      shape.put("relation", question.relation().toLowerCase(java.util.Locale.ROOT));
      shape.set("shape", shape(question.value()));
    } else if (question.value().isArray()) {
      filter.putObject("terms").set(field, question.value());
    } else {
      filter.putObject("term").putObject(field).set("value", question.value());
    }
    return query;
  }

  /// Points in every way to write them are points; shapes are given as they are.
  private static JsonNode shape(JsonNode value) {
    if (value.isObject() && value.has("lat") && value.has("lon")) {
      return point(value.path("lon").asText(), value.path("lat").asText());
    }
    if (value.isArray() && value.size() >= 2 && value.get(0).isNumber()) {
      return point(value.get(0).asText(), value.get(1).asText());
    }
    String[] parts = value.isTextual() ? value.asText().split(",", -1) : new String[0];
    return parts.length == 2 && value.asText().indexOf('(') < 0 // as WKT has
        ? point(parts[1], parts[0])
        : value;
  }

  private static ObjectNode point(String longitude, String latitude) {
    ObjectNode point = Json.object().put("type", "Point");
    point.putArray("coordinates").add(degrees(longitude)).add(degrees(latitude));
    return point;
  }

  private static double degrees(String text) {
    try {
      return Double.parseDouble(text.strip());
    } catch (NumberFormatException e) {
      throw Refusal.badArgument("failed to parse geometry: [" + text + "] is no number");
    }
  }
}
