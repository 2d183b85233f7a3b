package dev.holdfast.node.api.index;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.holdfast.clusterstate.IndexId;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.indexing.IndexingShards;
import dev.holdfast.node.SearchCounters;
import dev.holdfast.node.api.Figures;
import dev.holdfast.node.api.ShardFigures;
import dev.holdfast.node.api.ShardStatsJson;
import dev.holdfast.node.http.Answer;
import dev.holdfast.node.http.Api;
import dev.holdfast.node.http.ApiRequest;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.Suggestions;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// `GET /_stats`, `GET /{index}/_stats/{metric}`.
public final class IndexStatsApi implements Api {
  private final Metadata metadata;
  private final IndexingShards shards;
  private final SearchCounters searches;

  public IndexStatsApi(Metadata metadata, IndexingShards shards, SearchCounters searches) {
    this.metadata = metadata;
    this.shards = shards;
    this.searches = searches;
  }

  @Override
  public Answer handle(ApiRequest request) throws IOException {
    List<IndexMetadata> indices =
        IndexExpression.resolve(
            metadata.current(),
            request.text("index", ""),
            IndexExpression.Options.METADATA.of(request));
    Set<String> metrics = metrics(request);
    List<ShardFigures> all = ShardFigures.of(shards, indices);
    String level = request.text("level", "indices");
    return Answer.of(out -> {
      Figures figures = new Figures(out, request.human());
      out.writeStartObject();
      out.writeObjectFieldStart("_shards");
      out.writeNumberField("total", all.size());
      out.writeNumberField("successful", all.stream().filter(ShardFigures::isStarted).count());
      out.writeNumberField("failed", 0);
      out.writeEndObject();
      List<IndexId> ids = indices.stream().map(IndexMetadata::id).toList();
      figures.object("_all", () -> bothSums(figures, all, ids, metrics));
      if (!level.equals("cluster")) {
        out.writeObjectFieldStart("indices");
        for (IndexMetadata index : indices) {
          index(out, figures, index, own(all, index), metrics, level.equals("shards"));
        }
        out.writeEndObject();
      }
      out.writeEndObject();
    });
  }

  private static List<ShardFigures> own(List<ShardFigures> all, IndexMetadata index) {
    return all.stream().filter(shard -> shard.index().id().equals(index.id())).toList();
  }

  private void index(
      JsonGenerator out,
      Figures figures,
      IndexMetadata index,
      List<ShardFigures> own,
      Set<String> metrics,
      boolean isByShard)
      throws IOException {
    out.writeObjectFieldStart(index.id().name());
    figures.text("uuid", index.id().uuid());
    figures.text("health", own.stream().allMatch(ShardFigures::isStarted) ? "green" : "red");
    figures.text("status", index.isOpen() ? "open" : "close");
    bothSums(figures, own, List.of(index.id()), metrics);
    if (isByShard) {
      out.writeObjectFieldStart("shards");
      for (ShardFigures shard : own) {
        out.writeArrayFieldStart(Integer.toString(shard.shard().number()));
        out.writeStartObject();
        sums(figures, List.of(shard), List.of(), metrics);
        out.writeEndObject();
        out.writeEndArray();
      }
      out.writeEndObject();
    }
    out.writeEndObject();
  }

  /// `primaries` and `total` are the same: copies are caches.
  private void bothSums(
      Figures figures, List<ShardFigures> shards, List<IndexId> indices, Set<String> metrics)
      throws IOException {
    figures.object("primaries", () -> sums(figures, shards, indices, metrics));
    figures.object("total", () -> sums(figures, shards, indices, metrics));
  }

  private void sums(
      Figures figures, List<ShardFigures> shards, List<IndexId> indices, Set<String> metrics)
      throws IOException {
    ShardStatsJson.write(
        figures, ShardFigures.sum(shards), searches.of(indices), metrics::contains);
  }

  private static Set<String> metrics(ApiRequest request) {
    List<String> asked = request.list("metric");
    for (String metric : asked) {
      if (!ShardStatsJson.METRICS.contains(metric) && !metric.equals("_all")) {
        throw Refusal.badArgument(
            Suggestions.didYouMean(
                "request ["
                    + request.path()
                    + "] contains unrecognized metric: ["
                    + metric
                    + "] ->",
                metric,
                ShardStatsJson.METRICS));
      }
    }
    return asked.isEmpty() || asked.contains("_all")
        ? ShardStatsJson.METRICS
        : new TreeSet<>(asked);
  }
}
