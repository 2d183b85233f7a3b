package dev.holdfast.document.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.document.FieldType;
import dev.holdfast.document.MappedTestIndex;
import dev.holdfast.document.Mapping;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.junit.jupiter.api.Test;

/// What searches see of runtime fields, over real segments.
final class RuntimeReaderTest {
  private static final long PLENTY = 100 << 20;

  private static final String MAPPING =
      """
      {"dynamic": false,
       "runtime": {"k": {"type": "keyword"}, "l": {"type": "long"}, "o.x": {"type": "long"},
         "d": {"type": "date", "format": "yyyy/MM/dd"}, "b": {"type": "boolean"},
         "g": {"type": "geo_point"}, "i": {"type": "ip"}, "f": {"type": "double"}},
       "properties": {"k": {"type": "text"}, "o": {"properties": {"y": {"type": "long"}}}}}
      """;

  /// A reader over the index, and a reference of its own to give away.
  private static DirectoryReader open(
      MappedTestIndex index, Mapping mapping, RuntimeColumns columns) throws IOException {
    index.reader().incRef();
    return new RuntimeReader(index.reader(), mapping, columns, () -> false);
  }

  private static List<Integer> find(DirectoryReader reader, Query query) throws IOException {
    List<Integer> docs = new ArrayList<>();
    for (ScoreDoc hit : new IndexSearcher(reader).search(query, 10_000).scoreDocs) {
      docs.add(hit.doc);
    }
    docs.sort(null);
    return docs;
  }

  private static List<Integer> having(DirectoryReader reader, Mapping mapping, String field)
      throws IOException {
    return find(reader, type(mapping, field).existsQuery(field));
  }

  private static FieldType type(Mapping mapping, String field) {
    FieldType type = mapping.runtime().get(field);
    if (type == null) {
      throw new AssertionError("no runtime field: " + field);
    }
    return type;
  }

  /// The numbers of each document of the only segment.
  private static List<List<Long>> numbers(DirectoryReader reader, String field) throws IOException {
    LeafReader leaf = reader.leaves().getFirst().reader();
    SortedNumericDocValues values = DocValues.getSortedNumeric(leaf, field);
    List<List<Long>> all = new ArrayList<>();
    for (int doc = 0; doc < leaf.maxDoc(); doc++) {
      List<Long> of = new ArrayList<>();
      int count = values.advanceExact(doc) ? values.docValueCount() : 0;
      for (int i = 0; i < count; i++) {
        of.add(values.nextValue());
      }
      all.add(of);
    }
    return all;
  }

  @Test
  void valuesAreFoundHoweverTheyAreNestedAndOrdered() throws IOException {
    try (MappedTestIndex index =
            new MappedTestIndex(MAPPING)
                .with(
                    "{\"l\":[3,\"1\",2.9],\"o\":{\"x\":5}}",
                    "{\"l\":null,\"o\":[{\"x\":8},{\"y\":1},{\"x\":[7,[6]]}]}",
                    "{\"other\":{\"l\":1},\"o.x\":4,\"lx\":3}",
                    "{\"l\":{\"l\":2},\"o\":{\"x\":{\"x\":1}}}");
        DirectoryReader reader = open(index, index.mapping(), new RuntimeColumns(PLENTY))) {
      assertThat(numbers(reader, "l"))
          .containsExactly(List.of(1L, 2L, 3L), List.of(), List.of(), List.of());
      assertThat(numbers(reader, "o.x"))
          .containsExactly(List.of(5L), List.of(6L, 7L, 8L), List.of(4L), List.of());
    }
  }

  @Test
  void whatIsMalformedIsNoValue() throws IOException {
    try (MappedTestIndex index =
            new MappedTestIndex(MAPPING)
                .with(
                    "{\"l\":\"x\",\"d\":\"2024-01-02\",\"b\":\"maybe\",\"i\":\"999\",\"f\":true}",
                    "{\"l\":99999999999999999999,\"d\":\"\",\"b\":\"\",\"i\":5,\"g\":7}",
                    "{\"l\":[\"x\",2],\"d\":\"2024/01/02\",\"b\":\"true\",\"i\":\"::1\"}");
        DirectoryReader reader = open(index, index.mapping(), new RuntimeColumns(PLENTY))) {
      for (String field : List.of("l", "d", "b", "i")) {
        assertThat(having(reader, index.mapping(), field)).as(field).containsExactly(2);
      }
      assertThat(having(reader, index.mapping(), "f")).isEmpty();
      assertThat(having(reader, index.mapping(), "g")).isEmpty();
    }
  }

  @Test
  void aRuntimeFieldHidesTheMappedOne() throws IOException {
    try (MappedTestIndex index =
            new MappedTestIndex(MAPPING)
                .with("{\"k\":\"Quick Fox\"}", "{\"k\":[\"b\",\"a\",\"b\"]}", "{\"k\":12}");
        DirectoryReader reader = open(index, index.mapping(), new RuntimeColumns(PLENTY))) {
      LeafReader leaf = reader.leaves().getFirst().reader();
      assertThat(leaf.terms("k")).isNull();
      assertThat(RuntimeReader.plain(leaf).terms("k")).isNotNull();
      SortedSetDocValues values = DocValues.getSortedSet(leaf, "k");
      assertThat(values.getValueCount()).isEqualTo(4);
      assertThat(values.advanceExact(1)).isTrue();
      assertThat(values.docValueCount()).isEqualTo(2);
      assertThat(values.lookupOrd(values.nextOrd()).utf8ToString()).isEqualTo("a");
      FieldType type = type(index.mapping(), "k");
      assertThat(find(reader, type.termQuery("k", Json.parse("\"Quick Fox\""), 0)))
          .containsExactly(0);
      assertThat(find(reader, type.termQuery("k", Json.parse("\"quick\""), 0))).isEmpty();
      assertThat(find(reader, type.termQuery("k", Json.parse("\"12\""), 0))).containsExactly(2);
    }
  }

  @Test
  void aRequestMayMeanAnotherFieldByTheSameName() throws IOException {
    RuntimeColumns columns = new RuntimeColumns(PLENTY);
    try (MappedTestIndex index = new MappedTestIndex(MAPPING).with("{\"k\":\"a\"}", "{\"k\":12}")) {
      Mapping other = index.mapping().withRuntime(Json.parseObject("{\"k\":{\"type\":\"long\"}}"));
      try (DirectoryReader reader = open(index, index.mapping(), columns);
          DirectoryReader overlay = open(index, other, columns)) {
        assertThat(having(reader, index.mapping(), "k")).containsExactly(0, 1);
        assertThat(having(overlay, other, "k")).containsExactly(1);
        assertThat(numbers(overlay, "k")).containsExactly(List.of(), List.of(12L));
      }
    }
  }

  @Test
  void manyDocumentsAndTermsKeepTheirOrder() throws IOException {
    try (MappedTestIndex index = new MappedTestIndex(MAPPING)) {
      String[] documents = new String[2000];
      for (int i = 0; i < documents.length; i++) {
        documents[i] =
            i % 3 == 0
                ? "{}"
                : String.format(Locale.ROOT, "{\"k\":\"t%04d\",\"l\":%d}", 2000 - i, -i);
      }
      index.with(documents);
      try (DirectoryReader reader = open(index, index.mapping(), new RuntimeColumns(PLENTY))) {
        FieldType type = type(index.mapping(), "k");
        FieldType.Range range =
            new FieldType.Range(
                Json.parse("\"t0001\""), true, Json.parse("\"t0005\""), true, null, null);
        assertThat(find(reader, type.rangeQuery("k", range, 0))).containsExactly(1996, 1997, 1999);
        assertThat(having(reader, index.mapping(), "l")).hasSize(1333);
        assertThat(numbers(reader, "l").get(1999)).containsExactly(-1999L);
      }
    }
  }

  @Test
  void columnsStayForTheNextSearchAndGoWithTheirSegment() throws IOException {
    RuntimeColumns columns = new RuntimeColumns(PLENTY);
    MappedTestIndex index = new MappedTestIndex(MAPPING).with("{\"l\":1,\"k\":\"a\"}");
    try (DirectoryReader reader = open(index, index.mapping(), columns)) {
      assertThat(having(reader, index.mapping(), "l")).containsExactly(0);
    }
    long bytes = columns.bytes();
    assertThat(bytes).isPositive();
    // A reader that is told to stop reads nothing: what it finds was there.
    index.reader().incRef();
    try (DirectoryReader reader =
        new RuntimeReader(index.reader(), index.mapping(), columns, () -> true)) {
      assertThat(numbers(reader, "l")).containsExactly(List.of(1L));
      assertThatThrownBy(() -> numbers(reader, "o.x"))
          .isInstanceOfSatisfying(
              Refusal.class, e -> assertThat(e.type()).isEqualTo(ErrorType.TASK_CANCELLED));
    }
    assertThat(columns.bytes()).isEqualTo(bytes);
    index.close();
    assertThat(columns.bytes()).isZero();
  }

  @Test
  void cancellingStopsInTheMiddleOfASegment() throws IOException {
    RuntimeColumns columns = new RuntimeColumns(PLENTY);
    String[] documents = new String[500];
    Arrays.fill(documents, "{\"l\":1}");
    try (MappedTestIndex index = new MappedTestIndex(MAPPING).with(documents)) {
      AtomicInteger looks = new AtomicInteger();
      index.reader().incRef();
      try (DirectoryReader reader =
          new RuntimeReader(
              index.reader(), index.mapping(), columns, () -> looks.incrementAndGet() > 3)) {
        assertThatThrownBy(() -> numbers(reader, "l")).hasMessageContaining("cancelled");
      }
      assertThat(looks).hasValue(4);
      assertThat(columns.bytes()).isZero();
    }
  }

  @Test
  void whatOneSearchReadsAnotherWaitsFor() throws Exception {
    RuntimeColumns columns = new RuntimeColumns(PLENTY);
    try (MappedTestIndex index = new MappedTestIndex(MAPPING).with("{\"l\":1}")) {
      CountDownLatch isReading = new CountDownLatch(1);
      CountDownLatch mayRead = new CountDownLatch(1);
      AtomicInteger looksOfTheOther = new AtomicInteger();
      Callable<List<List<Long>>> first =
          () -> {
            index.reader().incRef();
            try (DirectoryReader reader =
                new RuntimeReader(
                    index.reader(), index.mapping(), columns, () -> hold(isReading, mayRead))) {
              return numbers(reader, "l");
            }
          };
      Callable<List<List<Long>>> other =
          () -> {
            index.reader().incRef();
            try (DirectoryReader reader =
                new RuntimeReader(
                    index.reader(),
                    index.mapping(),
                    columns,
                    () -> looksOfTheOther.incrementAndGet() < 0)) {
              return numbers(reader, "l");
            }
          };
      FutureTask<List<List<Long>>> reads = new FutureTask<>(first);
      FutureTask<List<List<Long>>> waits = new FutureTask<>(other);
      Thread.ofPlatform().start(reads);
      assertThat(isReading.await(1, TimeUnit.MINUTES)).isTrue();
      Thread waiting = Thread.ofPlatform().start(waits);
      while (waiting.getState() != Thread.State.WAITING && !waits.isDone()) {
        Thread.onSpinWait();
      }
      mayRead.countDown();
      assertThat(reads.get(1, TimeUnit.MINUTES)).containsExactly(List.of(1L));
      assertThat(waits.get(1, TimeUnit.MINUTES)).containsExactly(List.of(1L));
      assertThat(looksOfTheOther).hasValue(0);
    }
  }

  private static boolean hold(CountDownLatch isReading, CountDownLatch mayRead) {
    isReading.countDown();
    try {
      return !mayRead.await(1, TimeUnit.MINUTES);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void memoryIsTakenFromColumnsNobodyUsesThenRefused() throws IOException {
    String[] documents = new String[500];
    for (int i = 0; i < documents.length; i++) {
      documents[i] = "{\"k\":\"term" + i + "\",\"l\":" + i + ",\"f\":" + i / 7.0 + "}";
    }
    try (MappedTestIndex index = new MappedTestIndex(MAPPING).with(documents)) {
      RuntimeColumns measure = new RuntimeColumns(PLENTY);
      try (DirectoryReader reader = open(index, index.mapping(), measure)) {
        assertThat(having(reader, index.mapping(), "f")).hasSize(500);
      }
      RuntimeColumns columns = new RuntimeColumns(measure.bytes() * 3 / 2);
      try (DirectoryReader reader = open(index, index.mapping(), columns)) {
        assertThat(having(reader, index.mapping(), "f")).hasSize(500);
        assertThatThrownBy(() -> DocValues.getSortedSet(segment(reader), "k"))
            .isInstanceOfSatisfying(
                Refusal.class,
                e -> {
                  assertThat(e.type()).isEqualTo(ErrorType.CIRCUIT_BREAKING);
                  assertThat(e.status()).isEqualTo(429);
                });
        assertThat(columns.bytes()).isEqualTo(measure.bytes());
      }
      try (DirectoryReader reader = open(index, index.mapping(), columns)) {
        assertThat(having(reader, index.mapping(), "l")).hasSize(500); // in place of the other
        assertThat(columns.bytes()).isPositive().isLessThanOrEqualTo(measure.bytes() * 3 / 2);
      }
    }
  }

  private static LeafReader segment(DirectoryReader reader) {
    List<LeafReaderContext> leaves = reader.leaves();
    assertThat(leaves).hasSize(1);
    return leaves.getFirst().reader();
  }
}
