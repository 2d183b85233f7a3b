package dev.holdfast.clientstest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import co.elastic.clients.elasticsearch.ElasticsearchClient;
import co.elastic.clients.elasticsearch._helpers.bulk.BulkIngester;
import co.elastic.clients.elasticsearch._helpers.bulk.BulkListener;
import co.elastic.clients.elasticsearch._types.ElasticsearchException;
import co.elastic.clients.elasticsearch._types.FieldValue;
import co.elastic.clients.elasticsearch._types.OpType;
import co.elastic.clients.elasticsearch._types.Refresh;
import co.elastic.clients.elasticsearch._types.Result;
import co.elastic.clients.elasticsearch._types.SortOrder;
import co.elastic.clients.elasticsearch._types.aggregations.Aggregation;
import co.elastic.clients.elasticsearch._types.aggregations.CalendarInterval;
import co.elastic.clients.elasticsearch._types.aggregations.DateHistogramBucket;
import co.elastic.clients.elasticsearch._types.mapping.DynamicMapping;
import co.elastic.clients.elasticsearch._types.query_dsl.Query;
import co.elastic.clients.elasticsearch.core.BulkRequest;
import co.elastic.clients.elasticsearch.core.BulkResponse;
import co.elastic.clients.elasticsearch.core.GetResponse;
import co.elastic.clients.elasticsearch.core.IndexResponse;
import co.elastic.clients.elasticsearch.core.SearchResponse;
import co.elastic.clients.elasticsearch.core.UpdateResponse;
import co.elastic.clients.elasticsearch.core.bulk.BulkOperation;
import co.elastic.clients.elasticsearch.core.bulk.BulkResponseItem;
import co.elastic.clients.elasticsearch.core.search.Hit;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/// What an application does with the official Java client, checked step by step.
final class JavaScenario {
  private static final String INDEX = "clients-java";
  private static final int BOOKS = 24;

  private final ElasticsearchClient client;

  private JavaScenario(ElasticsearchClient client) {
    this.client = client;
  }

  static void run(String url) throws Exception {
    try (ElasticsearchClient client = ElasticsearchClient.of(made -> made.host(url))) {
      assertThat(client.info().tagline()).isEqualTo("You Know, for Search");
      assertThat(client.ping().value()).isTrue();
      JavaScenario scenario = new JavaScenario(client);
      scenario.creates();
      scenario.bulks();
      scenario.updates();
      scenario.getsInRealTime();
      scenario.searches();
      scenario.searchesSeveral();
      scenario.aggregates();
      scenario.refuses();
      scenario.deletes();
      StreamScenario.run(client);
    }
  }

  private void creates() throws Exception {
    var created =
        client
            .indices()
            .create(c ->
                c.index(INDEX)
                    .settings(s -> s.numberOfShards("2"))
                    .mappings(m ->
                        m.dynamic(DynamicMapping.Strict)
                            .properties("title", p -> p.text(t -> t))
                            .properties("author", p -> p.keyword(k -> k))
                            .properties("price", p -> p.double_(d -> d))
                            .properties("pages", p -> p.integer(i -> i))
                            .properties("published", p -> p.date(d -> d))
                            .properties("in_print", p -> p.boolean_(b -> b))));
    assertThat(created.acknowledged()).isTrue();
    assertThat(created.index()).isEqualTo(INDEX);
    assertThat(client.indices().exists(e -> e.index(INDEX)).value()).isTrue();
    var mappings = client.indices().getMapping(g -> g.index(INDEX)).get(INDEX).mappings();
    assertThat(mappings.properties().get("price").isDouble()).isTrue();
    refused(
        400,
        "resource_already_exists_exception",
        () -> client.indices().create(c -> c.index(INDEX)));
  }

  private void bulks() throws Exception {
    Queue<BulkResponseItem> items = new ConcurrentLinkedQueue<>();
    Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    BulkListener<Void> listener =
        new BulkListener<>() {
          @Override
          public void beforeBulk(long execution, BulkRequest request, List<Void> contexts) {}

          @Override
          public void afterBulk(
              long execution, BulkRequest request, List<Void> contexts, BulkResponse response) {
            items.addAll(response.items());
          }

          @Override
          public void afterBulk(
              long execution, BulkRequest request, List<Void> contexts, Throwable failure) {
            failures.add(failure);
          }
        };
    try (BulkIngester<Void> ingester =
        BulkIngester.of(b ->
            b.client(client)
                .maxOperations(7)
                .listener(listener)
                .globalSettings(g -> g.index(INDEX)))) {
      for (int number = 0; number < BOOKS; number++) {
        ingester.add(creation(number));
      }
      ingester.add(
          BulkOperation.of(o -> o.index(i -> i.id("wrong").document(Map.of("pages", "many")))));
    }
    assertThat(failures).isEmpty();
    assertThat(items).hasSize(BOOKS + 1);
    assertThat(items.stream().filter(item -> item.status() == 201)).hasSize(BOOKS);
    assertThat(items.stream().filter(item -> item.error() != null))
        .singleElement()
        .satisfies(item -> assertThat(item.error().type()).isEqualTo("document_parsing_exception"));

    BulkResponse again = client.bulk(b -> b.index(INDEX).operations(creation(0)));
    assertThat(again.errors()).isTrue();
    assertThat(again.items().getFirst().status()).isEqualTo(409);
    assertThat(client.indices().refresh(r -> r.index(INDEX)).shards().failed().intValue()).isZero();
  }

  private static BulkOperation creation(int number) {
    return BulkOperation.of(
        o -> o.create(c -> c.id(Integer.toString(number)).document(Book.of(number))));
  }

  private void updates() throws Exception {
    IndexResponse first =
        client.index(i -> i.index(INDEX).id("hobbit").opType(OpType.Create).document(Book.of(0)));
    assertThat(first.result()).isEqualTo(Result.Created);
    IndexResponse second =
        client.index(i ->
            i.index(INDEX)
                .id("hobbit")
                .ifSeqNo(first.seqNo())
                .ifPrimaryTerm(first.primaryTerm())
                .document(Book.of(0).withPages(310)));
    assertThat(second.result()).isEqualTo(Result.Updated);
    assertThat(second.version()).isEqualTo(2);
    refused(
        409,
        "version_conflict_engine_exception",
        () ->
            client.index(i ->
                i.index(INDEX)
                    .id("hobbit")
                    .ifSeqNo(first.seqNo())
                    .ifPrimaryTerm(first.primaryTerm())
                    .document(Book.of(1))));
    refused(
        409,
        "version_conflict_engine_exception",
        () -> client.create(c -> c.index(INDEX).id("hobbit").document(Book.of(1))));

    UpdateResponse<Book> partly =
        client.update(
            u -> u.index(INDEX).id("hobbit").doc(Map.of("price", 9.75)).source(s -> s.fetch(true)),
            Book.class);
    assertThat(partly.result()).isEqualTo(Result.Updated);
    assertThat(partly.get().source().price()).isEqualTo(9.75);
    assertThat(update("hobbit", Map.of("price", 9.75)).result()).isEqualTo(Result.NoOp);
    UpdateResponse<Book> upsert =
        client.update(
            u -> u.index(INDEX).id("fresh").doc(Map.of("pages", 1)).docAsUpsert(true), Book.class);
    assertThat(upsert.result()).isEqualTo(Result.Created);
    refused(404, "document_missing_exception", () -> update("absent", Map.of("pages", 1)));
  }

  private UpdateResponse<Book> update(String id, Map<String, Object> part) throws Exception {
    return client.update(u -> u.index(INDEX).id(id).doc(part), Book.class);
  }

  private void getsInRealTime() throws Exception {
    GetResponse<Book> got = client.get(g -> g.index(INDEX).id("hobbit"), Book.class);
    assertThat(got.found()).isTrue();
    assertThat(got.version()).isEqualTo(3);
    assertThat(got.source().pages()).isEqualTo(310);
    assertThat(got.source().price()).isEqualTo(9.75);
    assertThat(client.exists(e -> e.index(INDEX).id("hobbit")).value()).isTrue();
    assertThat(client.exists(e -> e.index(INDEX).id("absent")).value()).isFalse();
    for (String id : List.of("hobbit", "fresh")) {
      var deleted = client.delete(d -> d.index(INDEX).id(id).refresh(Refresh.True));
      assertThat(deleted.result()).isEqualTo(Result.Deleted);
    }
    assertThat(client.get(g -> g.index(INDEX).id("hobbit"), Book.class).found()).isFalse();
    var several = client.mget(m -> m.index(INDEX).ids("3", "hobbit", "5"), Book.class).docs();
    assertThat(several.stream().map(d -> d.result().found())).containsExactly(true, false, true);
    assertThat(several.get(2).result().source()).isEqualTo(Book.of(5));
  }

  private void searches() throws Exception {
    Query query =
        Query.of(q ->
            q.bool(b ->
                b.must(m -> m.match(t -> t.field("title").query("long")))
                    .filter(f -> f.range(r -> r.number(n -> n.field("pages").gte(105.0))))
                    .mustNot(n -> n.term(t -> t.field("author").value("calvino")))));
    List<String> expected =
        IntStream.range(5, BOOKS)
            .filter(n -> n % 2 == 1 && n % 3 != 2)
            .mapToObj(Integer::toString)
            .toList()
            .reversed();
    List<String> found = new ArrayList<>();
    List<FieldValue> after = List.of();
    while (true) {
      List<FieldValue> from = after;
      SearchResponse<Book> page =
          client.search(
              s -> {
                s.index(INDEX)
                    .query(query)
                    .sort(o -> o.field(f -> f.field("published").order(SortOrder.Desc)))
                    .sort(o -> o.field(f -> f.field("pages").order(SortOrder.Desc)))
                    .size(3)
                    .trackTotalHits(t -> t.enabled(true));
                return from.isEmpty() ? s : s.searchAfter(from);
              },
              Book.class);
      assertThat(page.hits().total().value()).isEqualTo(expected.size());
      assertThat(page.shards().failed().intValue()).isZero();
      List<Hit<Book>> hits = page.hits().hits();
      if (hits.isEmpty()) {
        break;
      }
      hits.forEach(hit -> found.add(hit.id()));
      assertThat(hits.getFirst().source())
          .isEqualTo(Book.of(Integer.parseInt(hits.getFirst().id())));
      after = hits.getLast().sort();
    }
    assertThat(found).isEqualTo(expected);
  }

  private void searchesSeveral() throws Exception {
    var count =
        client.count(
            c -> c.index(INDEX).query(q -> q.term(t -> t.field("author").value("borges"))));
    assertThat(count.count()).isEqualTo(8);
    var answers =
        client
            .msearch(
                m ->
                    m.searches(s ->
                            s.header(h -> h.index(INDEX))
                                .body(b ->
                                    b.query(q -> q.term(t -> t.field("in_print").value(true)))))
                        .searches(s ->
                            s.header(h -> h.index("absent"))
                                .body(b -> b.query(q -> q.matchAll(a -> a)))),
                Book.class)
            .responses();
    assertThat(answers.getFirst().result().hits().total().value()).isEqualTo(6);
    assertThat(answers.getLast().failure().status()).isEqualTo(404);
    assertThat(answers.getLast().failure().error().type()).isEqualTo("index_not_found_exception");
  }

  private void aggregates() throws Exception {
    Aggregation authors =
        Aggregation.of(a ->
            a.terms(t ->
                    t.field("author")
                        .order(co.elastic.clients.util.NamedValue.of("mean", SortOrder.Desc)))
                .aggregations("mean", m -> m.avg(v -> v.field("price"))));
    Aggregation months =
        Aggregation.of(a ->
            a.dateHistogram(d -> d.field("published").calendarInterval(CalendarInterval.Month))
                .aggregations("pages", p -> p.sum(s -> s.field("pages"))));
    var answer =
        client
            .search(
                s ->
                    s.index(INDEX)
                        .size(0)
                        .aggregations("authors", authors)
                        .aggregations("months", months),
                Void.class)
            .aggregations();
    assertThat(
            answer.get("authors").sterms().buckets().array().stream()
                .map(bucket ->
                    bucket.key().stringValue()
                        + " "
                        + bucket.docCount()
                        + " "
                        + bucket.aggregations().get("mean").avg().value()))
        .containsExactly("calvino 8 13.0", "borges 8 12.0", "austen 8 11.0");
    List<DateHistogramBucket> buckets = answer.get("months").dateHistogram().buckets().array();
    assertThat(buckets).hasSize(12);
    assertThat(buckets.get(1).key())
        .isEqualTo(Instant.parse("2024-02-01T00:00:00Z").toEpochMilli());
    assertThat(buckets.get(1).keyAsString()).isEqualTo("2024-02-01T00:00:00.000Z");
    assertThat(buckets.get(1).docCount()).isEqualTo(2);
    assertThat(buckets.get(1).aggregations().get("pages").sum().value()).isEqualTo(205);
  }

  private void refuses() {
    refused(
        404, "index_not_found_exception", () -> client.search(s -> s.index("absent"), Book.class));
    refused(
        400,
        "strict_dynamic_mapping_exception",
        () -> client.index(i -> i.index(INDEX).document(Map.of("isbn", 1))));
  }

  private void deletes() throws Exception {
    assertThat(client.indices().delete(d -> d.index(INDEX)).acknowledged()).isTrue();
    assertThat(client.indices().exists(e -> e.index(INDEX)).value()).isFalse();
    refused(404, "index_not_found_exception", () -> client.indices().delete(d -> d.index(INDEX)));
  }

  private static void refused(int status, String type, ThrowingCallable call) {
    assertThatExceptionOfType(ElasticsearchException.class)
        .isThrownBy(call)
        .satisfies(refusal -> {
          assertThat(refusal.status()).isEqualTo(status);
          assertThat(refusal.error().type()).isEqualTo(type);
        });
  }
}
