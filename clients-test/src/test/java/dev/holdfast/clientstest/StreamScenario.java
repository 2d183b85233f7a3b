package dev.holdfast.clientstest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import co.elastic.clients.elasticsearch.ElasticsearchClient;
import co.elastic.clients.elasticsearch._helpers.bulk.BulkIngester;
import co.elastic.clients.elasticsearch._types.ElasticsearchException;
import co.elastic.clients.elasticsearch._types.FieldValue;
import co.elastic.clients.elasticsearch.core.SearchResponse;
import co.elastic.clients.elasticsearch.indices.DataStream;
import java.io.IOException;
import java.io.StringReader;
import java.time.Instant;
import java.util.Map;

/// Logs that come in by the official Java client's bulk helper, through a template with a pipeline,
/// into a stream that rolls over.
final class StreamScenario {
  private static final String NAME = "clients-java-logs";
  private static final String STREAM = NAME + "-default";
  private static final String PIPELINE =
      """
      {"processors": [
        {"dissect": {"field": "message", "pattern": "%{log.level} %{text}"}},
        {"uppercase": {"field": "log.level"}}]}
      """;
  private static final String TEMPLATE =
      """
      {"index_patterns": ["clients-java-logs-*"], "priority": 500, "data_stream": {},
       "template": {
         "settings": {"index.default_pipeline": "clients-java-logs"},
         "mappings": {"properties": {"log": {"properties": {"level": {"type": "keyword"}}}}}}}
      """;

  private final ElasticsearchClient client;

  private StreamScenario(ElasticsearchClient client) {
    this.client = client;
  }

  static void run(ElasticsearchClient client) throws Exception {
    new StreamScenario(client).run();
  }

  private void run() throws IOException {
    client.ingest().putPipeline(p -> p.id(NAME).withJson(new StringReader(PIPELINE)));
    client.indices().putIndexTemplate(t -> t.name(NAME).withJson(new StringReader(TEMPLATE)));
    ingest(0, 100);
    assertThat(stream().generation()).isEqualTo(1);
    assertThat(stream().indices().getFirst().indexName()).startsWith(".ds-" + STREAM + "-");
    assertThatThrownBy(() -> client.index(i -> i.index(STREAM).id("1").document(line(1))))
        .isInstanceOfSatisfying(
            ElasticsearchException.class,
            refused -> {
              assertThat(refused.status()).isEqualTo(400);
              assertThat(refused.error().type()).isEqualTo("illegal_argument_exception");
            });

    assertThat(client.indices().rollover(r -> r.alias(STREAM)).rolledOver()).isTrue();
    ingest(100, 200);
    client.indices().refresh(r -> r.index(STREAM));
    SearchResponse<Void> warnings =
        client.search(
            s ->
                s.index(STREAM)
                    .size(0)
                    .query(q -> q.term(t -> t.field("log.level").value(FieldValue.of("WARN"))))
                    .aggregations("each", a -> a.terms(t -> t.field("_index"))),
            Void.class);
    assertThat(warnings.aggregations().get("each").sterms().buckets().array())
        .hasSize(2)
        .allSatisfy(bucket -> assertThat(bucket.docCount()).isEqualTo(75));

    client.indices().deleteDataStream(d -> d.name(STREAM));
    client.indices().deleteIndexTemplate(d -> d.name(NAME));
    client.ingest().deletePipeline(d -> d.id(NAME));
  }

  private DataStream stream() throws IOException {
    return client.indices().getDataStream(g -> g.name(STREAM)).dataStreams().getFirst();
  }

  private void ingest(int from, int to) {
    try (BulkIngester<Void> ingester =
        BulkIngester.of(
            b -> b.client(client).maxOperations(33).globalSettings(g -> g.index(STREAM)))) {
      for (int number = from; number < to; number++) {
        Map<String, Object> line = line(number);
        ingester.add(o -> o.create(c -> c.document(line)));
      }
    }
  }

  /// Three in four are warnings.
  private static Map<String, Object> line(int number) {
    return Map.of(
        "@timestamp",
        Instant.parse("2026-11-27T10:00:00Z").plusSeconds(number).toString(),
        "message",
        (number % 4 == 0 ? "info" : "warn") + " disk " + number);
  }
}
