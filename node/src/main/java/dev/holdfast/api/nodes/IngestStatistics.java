package dev.holdfast.api.nodes;

import dev.holdfast.api.ingest.IngestFigures;
import dev.holdfast.api.stats.StatisticsWriter;
import java.io.IOException;
import java.util.Map;

/// Writes what is counted of pipelines and their steps.
final class IngestStatistics {
  private IngestStatistics() {}

  static void write(StatisticsWriter figures, IngestFigures ingest) throws IOException {
    figures.object("total", () -> counters(figures, ingest.total()));
    figures.object(
        "pipelines",
        () -> {
          for (Map.Entry<String, IngestFigures.OfPipeline> one : ingest.byPipeline().entrySet()) {
            figures.object(one.getKey(), () -> pipeline(figures, one.getValue()));
          }
        });
  }

  /// The counters of a pipeline or a step at one moment.
  private record Sum(long count, long millis, long current, long failed) {
    static Sum of(IngestFigures.Counters counters) {
      return new Sum(
          counters.count().sum(),
          counters.millis(),
          counters.current().sum(),
          counters.failed().sum());
    }

    void write(StatisticsWriter figures) throws IOException {
      figures.number("count", count);
      figures.millis("time", millis);
      figures.number("current", current);
      figures.number("failed", failed);
    }
  }

  private static void pipeline(StatisticsWriter figures, IngestFigures.OfPipeline pipeline)
      throws IOException {
    counters(figures, pipeline.counters());
    figures.bytes("ingested_as_first_pipeline", pipeline.ingestedBytes());
    figures.bytes("produced_as_first_pipeline", pipeline.producedBytes());
    figures.out().writeArrayFieldStart("processors");
    for (IngestFigures.OfStep step : pipeline.steps()) {
      figures.out().writeStartObject();
      figures.object(
          step.name(),
          () -> {
            figures.text("type", step.type());
            figures.object("stats", () -> counters(figures, step.counters()));
          });
      figures.out().writeEndObject();
    }
    figures.out().writeEndArray();
  }

  private static void counters(StatisticsWriter figures, IngestFigures.Counters counters)
      throws IOException {
    Sum.of(counters).write(figures);
  }
}
