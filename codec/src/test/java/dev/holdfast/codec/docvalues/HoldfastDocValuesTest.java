package dev.holdfast.codec.docvalues;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.codec.FieldFormats;
import dev.holdfast.codec.HoldfastCodec;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.apache.lucene.codecs.KnnVectorsFormat;
import org.apache.lucene.codecs.PostingsFormat;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.SortedDocValuesField;
import org.apache.lucene.document.SortedNumericDocValuesField;
import org.apache.lucene.document.SortedSetDocValuesField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.CheckIndex;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.DocValuesSkipper;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.SortedDocValues;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.index.StoredFields;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.SortedNumericSortField;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.FixedBitSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class HoldfastDocValuesTest {
  private static final int DOCUMENTS = 5000;

  /// What a document holds; null where it has no value.
  private record Row(
      long time, @Nullable Long sparse, @Nullable Long wide, List<Long> many, long narrow) {}

  /// How an index has its columns.
  private static final FieldFormats COMPACT =
      new FieldFormats() {
        @Override
        public @Nullable KnnVectorsFormat vectors(String field) {
          return null;
        }

        @Override
        public @Nullable PostingsFormat postings(String field) {
          return null;
        }

        @Override
        public boolean areCompact() {
          return true;
        }
      };

  @ParameterizedTest
  @CsvSource({"false,false", "false,true", "true,false", "true,true"})
  void valuesComeBackAfterFlushesMergesAndSorting(boolean isCompact, boolean isSorted)
      throws IOException {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    Map<String, Row> rows = new HashMap<>();
    try (Directory directory = new ByteBuffersDirectory()) {
      try (IndexWriter writer = writer(directory, isCompact, isSorted)) {
        for (int i = 0; i < DOCUMENTS; i++) {
          String id = "id" + (random.nextInt(10) == 0 ? random.nextInt(i + 1) : i);
          Row row = row(random, i);
          rows.put(id, row);
          writer.updateDocument(new Term("_id", id), document(id, row));
          if (random.nextInt(900) == 0) {
            writer.commit();
          }
        }
        writer.commit();
        verify(directory, rows, seed);
        writer.forceMerge(1);
      }
      verify(directory, rows, seed);
      try (CheckIndex check = new CheckIndex(directory)) {
        check.setLevel(CheckIndex.Level.MIN_LEVEL_FOR_SLOW_CHECKS);
        assertThat(check.checkIndex().clean).as("seed %s", seed).isTrue();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void updatesOfValuesAreReadBack(boolean isCompact) throws IOException {
    try (Directory directory = new ByteBuffersDirectory();
        IndexWriter writer = writer(directory, isCompact, false)) {
      for (int i = 0; i < 3000; i++) {
        Document document = new Document();
        document.add(new StringField("_id", "id" + i, Field.Store.NO));
        document.add(new NumericDocValuesField("updated", i));
        writer.addDocument(document);
      }
      writer.commit();
      writer.updateNumericDocValue(new Term("_id", "id1234"), "updated", Long.MIN_VALUE);
      writer.commit();
      writer.forceMerge(1);
      try (DirectoryReader reader = DirectoryReader.open(writer)) {
        NumericDocValues values =
            DocValues.getNumeric(reader.leaves().getFirst().reader(), "updated");
        for (int i = 0; i < 3000; i++) {
          assertThat(values.advanceExact(i)).isTrue();
          assertThat(values.longValue()).isEqualTo(i == 1234 ? Long.MIN_VALUE : i);
        }
      }
    }
  }

  @Test
  void extremesOfEveryWidthComeBack() throws IOException {
    long[] ends = {
      0,
      0xFF,
      0x100,
      0xFFFF,
      0x10000,
      0xFFFFFF,
      0x1000000,
      0xFFFFFFFFL,
      0x100000000L,
      Long.MAX_VALUE
    };
    for (long base : new long[] {0, -1, 1_700_000_000_000L, Long.MIN_VALUE, -5_000_000_000L}) {
      for (long scale : new long[] {1, 1000, 3_600_000}) {
        for (long end : ends) {
          long far = end > Long.MAX_VALUE / scale ? Long.MAX_VALUE : end * scale;
          long[] expected = new long[2500];
          for (int i = 0; i < expected.length; i++) {
            expected[i] = base + (i % 3 == 0 ? 0 : i % 3 == 1 ? far : far / 2 / scale * scale);
          }
          assertThat(stored(expected, false)).as("%s %s %s", base, scale, end).isEqualTo(expected);
          assertThat(stored(expected, true)).as("%s %s %s", base, scale, end).isEqualTo(expected);
        }
      }
    }
  }

  static long[] stored(long[] values, boolean isCompact) throws IOException {
    try (Directory directory = new ByteBuffersDirectory()) {
      return stored(directory, values, isCompact);
    }
  }

  static long[] stored(Directory directory, long[] values, boolean isCompact) throws IOException {
    try (IndexWriter writer = writer(directory, isCompact, false)) {
      Document document = new Document();
      NumericDocValuesField field = new NumericDocValuesField("n", 0);
      document.add(field);
      for (long value : values) {
        field.setLongValue(value);
        writer.addDocument(document);
      }
    }
    try (DirectoryReader reader = DirectoryReader.open(directory)) {
      NumericDocValues stored = DocValues.getNumeric(reader.leaves().getFirst().reader(), "n");
      int[] docs = new int[values.length];
      java.util.Arrays.setAll(docs, i -> i);
      long[] bulk = new long[values.length];
      stored.longValues(docs.length, docs, bulk, 0);
      NumericDocValues single = DocValues.getNumeric(reader.leaves().getFirst().reader(), "n");
      for (int doc : docs) {
        assertThat(single.nextDoc()).isEqualTo(doc);
        assertThat(single.longValue()).isEqualTo(bulk[doc]);
      }
      return bulk;
    }
  }

  static IndexWriter writer(Directory directory, boolean isCompact, boolean isSorted)
      throws IOException {
    IndexWriterConfig config = new IndexWriterConfig();
    config.setCodec(HoldfastCodec.of("default", isCompact ? COMPACT : FieldFormats.USUAL));
    config.setUseCompoundFile(false);
    if (isSorted) {
      config.setIndexSort(new Sort(new SortedNumericSortField("time", SortField.Type.LONG, true)));
    }
    return new IndexWriter(directory, config);
  }

  private static Row row(Random random, int i) {
    List<Long> many = new ArrayList<>();
    for (int n = random.nextInt(4); n > 0; n--) {
      many.add(random.nextLong(100));
    }
    many.sort(null);
    return new Row(
        1_700_000_000_000L + i * 250L + random.nextInt(1000),
        (i / 500) % 2 == 0 || random.nextInt(5) == 0 ? random.nextLong(1 << 20) * 100 : null,
        random.nextInt(3) == 0 ? random.nextLong() : null,
        many,
        i < DOCUMENTS / 2 ? 7 : random.nextInt(300));
  }

  private static Document document(String id, Row row) {
    Document document = new Document();
    document.add(new StringField("_id", id, Field.Store.YES));
    document.add(SortedNumericDocValuesField.indexedField("time", row.time));
    document.add(new SortedDocValuesField("key", new BytesRef("k" + row.narrow)));
    document.add(NumericDocValuesField.indexedField("narrow", row.narrow));
    if (row.sparse != null) {
      document.add(new NumericDocValuesField("sparse", row.sparse));
      document.add(new SortedSetDocValuesField("word", new BytesRef("w" + row.sparse % 700)));
    }
    row.many.forEach(
        value -> document.add(new SortedSetDocValuesField("words", new BytesRef("w" + value))));
    if (row.wide != null) {
      document.add(SortedNumericDocValuesField.indexedField("wide", row.wide));
    }
    row.many.forEach(value -> document.add(new SortedNumericDocValuesField("many", value)));
    return document;
  }

  private static void verify(Directory directory, Map<String, Row> rows, long seed)
      throws IOException {
    try (DirectoryReader reader = DirectoryReader.open(directory)) {
      assertThat(reader.numDocs()).isEqualTo(rows.size());
      for (LeafReaderContext leaf : reader.leaves()) {
        verifyOneByOne(leaf.reader(), rows, seed);
        for (String field : List.of("time", "sparse", "wide", "narrow")) {
          verifyBulk(leaf.reader(), field, seed);
        }
      }
      long from = 1_700_000_000_000L + 100_000;
      long expected = rows.values().stream().filter(row -> row.time >= from).count();
      assertThat(
              new IndexSearcher(reader)
                  .count(
                      SortedNumericDocValuesField.newSlowRangeQuery("time", from, Long.MAX_VALUE)))
          .isEqualTo((int) expected);
    }
  }

  private static void verifyOneByOne(LeafReader reader, Map<String, Row> rows, long seed)
      throws IOException {
    SortedNumericDocValues time = DocValues.getSortedNumeric(reader, "time");
    assertThat(DocValues.unwrapSingleton(time)).isNotNull();
    SortedNumericDocValues wide = DocValues.getSortedNumeric(reader, "wide");
    SortedNumericDocValues many = DocValues.getSortedNumeric(reader, "many");
    NumericDocValues sparse = DocValues.getNumeric(reader, "sparse");
    NumericDocValues narrow = DocValues.getNumeric(reader, "narrow");
    SortedDocValues key = DocValues.getSorted(reader, "key");
    DocValuesSkipper skipper = Objects.requireNonNull(reader.getDocValuesSkipper("time"));
    assertThat(skipper.docCount()).isEqualTo(reader.maxDoc());
    StoredFields stored = reader.storedFields();
    for (int doc = 0; doc < reader.maxDoc(); doc++) {
      assertThat(time.advanceExact(doc)).isTrue();
      long at = time.nextValue();
      assertThat(at).isBetween(skipper.minValue(), skipper.maxValue());
      if (reader.getLiveDocs() != null && !reader.getLiveDocs().get(doc)) {
        continue;
      }
      Row row = Objects.requireNonNull(rows.get(stored.document(doc).get("_id")));
      assertThat(at).as("seed %s", seed).isEqualTo(row.time);
      assertThat(sparse.advanceExact(doc) ? (Long) sparse.longValue() : null).isEqualTo(row.sparse);
      assertThat(wide.advanceExact(doc) ? (Long) wide.nextValue() : null).isEqualTo(row.wide);
      assertThat(narrow.advanceExact(doc)).isTrue();
      assertThat(narrow.longValue()).isEqualTo(row.narrow);
      assertThat(key.advanceExact(doc)).isTrue();
      assertThat(key.lookupOrd(key.ordValue()).utf8ToString()).isEqualTo("k" + row.narrow);
      assertThat(words(reader, "word", doc))
          .isEqualTo(row.sparse == null ? List.of() : List.of("w" + row.sparse % 700));
      assertThat(words(reader, "words", doc))
          .isEqualTo(row.many.stream().map(value -> "w" + value).distinct().sorted().toList());
      List<Long> values = new ArrayList<>();
      if (many.advanceExact(doc)) {
        for (int i = 0; i < many.docValueCount(); i++) {
          values.add(many.nextValue());
        }
      }
      assertThat(values).isEqualTo(row.many);
    }
  }

  private static List<String> words(LeafReader reader, String field, int doc) throws IOException {
    SortedSetDocValues values = DocValues.getSortedSet(reader, field);
    List<String> words = new ArrayList<>();
    if (values.advanceExact(doc)) {
      for (int i = 0; i < values.docValueCount(); i++) {
        long word = values.nextOrd();
        words.add(values.lookupOrd(word).utf8ToString());
        assertThat(values.lookupTerm(BytesRef.deepCopyOf(values.lookupOrd(word)))).isEqualTo(word);
      }
    }
    return words;
  }

  /// Bulk calls against one-by-one reading: runs, gaps, ranges.
  private static void verifyBulk(LeafReader reader, String field, long seed) throws IOException {
    Random random = new Random(seed);
    int documents = reader.maxDoc();
    long[] expected = new long[documents];
    boolean[] exists = new boolean[documents];
    NumericDocValues single = numeric(reader, field);
    for (int doc = single.nextDoc(); doc < documents; doc = single.nextDoc()) {
      expected[doc] = single.longValue();
      exists[doc] = true;
    }
    for (int gap : new int[] {1, 2, 3, 20, 400}) {
      NumericDocValues bulk = numeric(reader, field);
      int from = 0;
      while (from < documents) {
        int[] docs = new int[1 + random.nextInt(3000)];
        int size = 0;
        for (; size < docs.length && from < documents; size++) {
          docs[size] = from;
          from += gap == 1 ? 1 : 1 + random.nextInt(gap);
        }
        long[] values = new long[size];
        bulk.longValues(size, docs, values, -77);
        for (int i = 0; i < size; i++) {
          assertThat(values[i])
              .as("seed %s, %s, doc %s", seed, field, docs[i])
              .isEqualTo(exists[docs[i]] ? expected[docs[i]] : -77);
        }
        from += gap == 1 ? random.nextInt(50) : 0;
      }
    }
    long low = expected[random.nextInt(documents)];
    long high = expected[random.nextInt(documents)];
    FixedBitSet bits = new FixedBitSet(documents);
    numeric(reader, field)
        .rangeIntoBitSet(0, documents, Math.min(low, high), Math.max(low, high), bits, 0);
    for (int doc = 0; doc < documents; doc++) {
      boolean isIn =
          exists[doc]
              && expected[doc] >= Math.min(low, high)
              && expected[doc] <= Math.max(low, high);
      assertThat(bits.get(doc)).as("seed %s, %s, doc %s", seed, field, doc).isEqualTo(isIn);
    }
  }

  private static NumericDocValues numeric(LeafReader reader, String field) throws IOException {
    SortedNumericDocValues values = DocValues.getSortedNumeric(reader, field);
    return Objects.requireNonNull(DocValues.unwrapSingleton(values));
  }
}
