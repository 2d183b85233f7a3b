package dev.holdfast.api.indices.shard;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.holdfast.api.indices.resolve.IndexBlocks;
import dev.holdfast.api.indices.resolve.IndexExpression;
import dev.holdfast.api.stats.FieldFigures;
import dev.holdfast.api.stats.ShardFigures;
import dev.holdfast.api.stats.ShardStatsJson;
import dev.holdfast.api.stats.StatisticsWriter;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.indexing.call.IndexingShards;
import dev.holdfast.search.Searches;
import dev.holdfast.search.cache.CacheFigures;
import dev.holdfast.search.figures.SearchFigures;
import dev.holdfast.world.Clock;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.Suggestions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/// `GET /_stats`, `GET /{index}/_stats/{metric}`.
public final class IndexStatsApi implements Api {
  private static final Set<String> METRICS = ShardStatsJson.METRICS;

  private final Clock clock;
  private final Metadata metadata;
  private final IndexingShards shards;
  private final Searches searches;

  public IndexStatsApi(Clock clock, Metadata metadata, IndexingShards shards, Searches searches) {
    this.clock = clock;
    this.metadata = metadata;
    this.shards = shards;
    this.searches = searches;
  }

  /// What is known of an index.
  private record OfIndex(IndexMetadata index, List<ShardFigures> shards) {}

  /// How it is shown.
  private record Sections(
      StatisticsWriter figures,
      Set<String> metrics,
      ShardStatsJson.Detail detail,
      Map<ShardId, FieldFigures> fields,
      Map<ShardId, CacheFigures> caches,
      Map<ShardId, SearchFigures> searched) {
    void write(String name, List<ShardFigures> shards) throws IOException {
      figures.object(name, () -> inside(shards));
    }

    void inside(List<ShardFigures> shards) throws IOException {
      ShardStatsJson.write(
          figures,
          ShardFigures.sum(shards),
          SearchFigures.sum(searched, shards.stream().map(ShardFigures::shard)),
          detail.with(FieldFigures.sum(fields, shards)),
          CacheFigures.sum(caches, shards.stream().map(ShardFigures::shard)),
          metrics::contains);
      if (metrics.contains("shard_stats")) {
        figures.object("shard_stats", () -> figures.number("total_count", shards.size()));
      }
    }
  }

  @Override
  public Answer handle(ApiRequest request) throws IOException {
    String level = request.text("level", "indices");
    if (!List.of("cluster", "indices", "shards").contains(level)) {
      throw Refusal.badArgument(
          "level parameter must be one of [cluster] or [indices] or [shards] but was ["
              + level
              + "]");
    }
    ClusterState state = metadata.current();
    List<OfIndex> all = new ArrayList<>();
    IndexExpression.Options options =
        request.flag("forbid_closed_indices", true)
            ? IndexExpression.Options.SEARCH
            : IndexExpression.Options.READ;
    for (IndexMetadata index :
        IndexBlocks.showable(
            IndexExpression.resolve(state, request.text("index", ""), options.of(request)))) {
      List<ShardFigures> figures = ShardFigures.of(shards, List.of(index));
      all.add(new OfIndex(index, figures));
    }
    Set<String> metrics = metrics(request);
    boolean withCaches = metrics.contains("query_cache") || metrics.contains("request_cache");
    Map<ShardId, CacheFigures> caches = withCaches ? searches.caches() : Map.of();
    Map<ShardId, FieldFigures> fields =
        FieldFigures.METRICS.stream().anyMatch(metrics::contains)
            ? FieldFigures.of(
                searches::ask, clock, all.stream().flatMap(one -> one.shards.stream()).toList())
            : Map.of();
    Map<ShardId, SearchFigures> searched =
        metrics.contains("search") ? searches.searched() : Map.of();
    return Answer.of(out -> {
      Sections sections =
          new Sections(
              new StatisticsWriter(out, request.human()),
              metrics,
              ShardStatsJson.Detail.of(request),
              fields,
              caches,
              searched);
      write(out, sections, level, state, all);
    });
  }

  private static void write(
      JsonGenerator out, Sections sections, String level, ClusterState state, List<OfIndex> all)
      throws IOException {
    List<ShardFigures> shards = all.stream().flatMap(one -> one.shards.stream()).toList();
    out.writeStartObject();
    out.writeObjectFieldStart("_shards");
    out.writeNumberField("total", all.stream().mapToInt(IndexStatsApi::copies).sum());
    out.writeNumberField("successful", shards.stream().filter(ShardFigures::isStarted).count());
    out.writeNumberField("failed", 0);
    out.writeEndObject();
    out.writeObjectFieldStart("_all");
    sections.write("primaries", shards);
    sections.write("total", shards);
    out.writeEndObject();
    if (!level.equals("cluster")) {
      out.writeObjectFieldStart("indices");
      for (OfIndex one : all) {
        out.writeObjectFieldStart(one.index.id().name());
        out.writeStringField("uuid", one.index.id().uuid());
        boolean isGreen = one.shards.stream().allMatch(ShardFigures::isStarted);
        out.writeStringField("health", isGreen ? "green" : "red");
        out.writeStringField("status", one.index.isOpen() ? "open" : "close");
        sections.write("primaries", one.shards);
        sections.write("total", one.shards);
        if (level.equals("shards")) {
          byShard(out, sections, state, one);
        }
        out.writeEndObject();
      }
      out.writeEndObject();
    }
    out.writeEndObject();
  }

  private static void byShard(JsonGenerator out, Sections sections, ClusterState state, OfIndex one)
      throws IOException {
    out.writeObjectFieldStart("shards");
    for (ShardFigures shard : one.shards) {
      out.writeArrayFieldStart(Integer.toString(shard.shard().number()));
      out.writeStartObject();
      shard.places(state).getFirst().writeRouting(out);
      sections.inside(List.of(shard));
      out.writeEndObject();
      out.writeEndArray();
    }
    out.writeEndObject();
  }

  /// Copies that the settings ask for, as clients expect them to be counted.
  private static int copies(OfIndex one) {
    int replicas = Integer.parseInt(one.index.setting("index.number_of_replicas", "1"));
    return one.shards.size() * (1 + replicas);
  }

  private static Set<String> metrics(ApiRequest request) {
    List<String> asked = request.list("metric");
    for (String metric : asked) {
      if (!METRICS.contains(metric) && !metric.equals("_all")) {
        throw Refusal.badArgument(
            Suggestions.didYouMean(
                    "request ["
                        + request.path()
                        + "] contains unrecognized metric: ["
                        + metric
                        + "] ->",
                    metric,
                    METRICS)
                .replaceFirst(" ->$", ""));
      }
    }
    return asked.isEmpty() || asked.contains("_all") ? METRICS : new TreeSet<>(asked);
  }
}
