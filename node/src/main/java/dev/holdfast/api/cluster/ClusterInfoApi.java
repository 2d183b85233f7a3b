package dev.holdfast.api.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.api.nodes.NodesStatsApi;
import dev.holdfast.api.stats.FigureSums;
import dev.holdfast.api.stats.StatisticsWriter;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.world.Refusal;
import java.util.List;

/// `GET /_info/{target}`: counters of HTTP, pipelines, thread pools and scripts, as sums over the
/// nodes.
public final class ClusterInfoApi implements Api {
  private static final List<String> TARGETS = List.of("http", "ingest", "thread_pool", "script");

  private final String clusterName;
  private final NodesStatsApi stats;

  public ClusterInfoApi(String clusterName, NodesStatsApi stats) {
    this.clusterName = clusterName;
    this.stats = stats;
  }

  @Override
  public Answer handle(ApiRequest request) throws InterruptedException {
    List<String> asked = request.list("target");
    boolean isAll = asked.contains("_all");
    if (isAll && asked.size() > 1) {
      throw Refusal.badArgument(
          "request ["
              + request.path()
              + "] contains _all and individual target ["
              + String.join(",", asked)
              + "]");
    }
    for (String target : asked) {
      if (!isAll && !TARGETS.contains(target)) {
        throw Refusal.badArgument(
            "request [" + request.path() + "] contains unrecognized target: [" + target + "]");
      }
    }
    List<String> targets = isAll ? TARGETS : asked;
    List<JsonNode> nodes = List.copyOf(stats.told(request, targets).nodes().values());
    return Answer.of(out -> {
      StatisticsWriter figures = new StatisticsWriter(out, request.human());
      out.writeStartObject();
      figures.text("cluster_name", clusterName);
      for (String target : TARGETS) {
        if (targets.contains(target)) {
          JsonNode sum = FigureSums.of(nodes.stream().map(node -> node.path(target)).toList());
          figures.object(target, () -> FigureSums.write(figures, sum));
        }
      }
      out.writeEndObject();
    });
  }
}
