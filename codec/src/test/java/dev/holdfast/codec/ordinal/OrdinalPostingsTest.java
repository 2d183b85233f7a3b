package dev.holdfast.codec.ordinal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.codec.FieldFormats;
import dev.holdfast.codec.HoldfastCodec;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.lucene.codecs.KnnVectorsFormat;
import org.apache.lucene.codecs.PostingsFormat;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.CheckIndex;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.DocValuesType;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.LogDocMergePolicy;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.SerialMergeScheduler;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.TermState;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.PrefixQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.TermInSetQuery;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TermRangeQuery;
import org.apache.lucene.search.WildcardQuery;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The same index with its terms once and twice: the same terms, documents and answers.
final class OrdinalPostingsTest {
  private static final int DOCUMENTS = 6000;
  private static final List<String> FIELDS = List.of("unique", "few", "many", "counted", "rare");

  private record Formats(boolean areCompact) implements FieldFormats {
    private static final PostingsFormat ORDINALS = new OrdinalPostingsFormat();

    @Override
    public @Nullable KnnVectorsFormat vectors(String field) {
      return null;
    }

    @Override
    public @Nullable PostingsFormat postings(String field) {
      return areCompact && FIELDS.contains(field) ? ORDINALS : null;
    }
  }

  private static FieldType keyword(IndexOptions options) {
    FieldType type = new FieldType();
    type.setIndexOptions(options);
    type.setTokenized(false);
    type.setOmitNorms(true);
    type.setDocValuesType(DocValuesType.SORTED_SET);
    type.freeze();
    return type;
  }

  private static IndexWriter writer(Directory directory, boolean areCompact, boolean isSorted)
      throws IOException {
    IndexWriterConfig config = new IndexWriterConfig();
    config.setCodec(HoldfastCodec.of("default", new Formats(areCompact)));
    config.setUseCompoundFile(false);
    // The same merges whatever the size of files, so that documents have the same numbers.
    config.setMergePolicy(new LogDocMergePolicy());
    config.setMergeScheduler(new SerialMergeScheduler());
    if (isSorted) {
      config.setIndexSort(new Sort(new SortField("at", SortField.Type.LONG, true)));
    }
    return new IndexWriter(directory, config);
  }

  private static Document document(Random random, String id) {
    Document document = new Document();
    document.add(new StringField("_id", id, Field.Store.YES));
    document.add(new NumericDocValuesField("at", random.nextInt(1000)));
    FieldType docs = keyword(IndexOptions.DOCS);
    document.add(new Field("unique", new BytesRef("u" + random.nextLong()), docs));
    document.add(new Field("few", new BytesRef("f" + random.nextInt(9)), docs));
    for (int n = random.nextInt(5); n > 0; n--) {
      document.add(new Field("many", new BytesRef("m" + random.nextInt(800)), docs));
      FieldType freqs = keyword(IndexOptions.DOCS_AND_FREQS);
      document.add(new Field("counted", new BytesRef("c" + random.nextInt(2000)), freqs));
      document.add(new Field("counted", new BytesRef("c" + random.nextInt(3)), freqs));
    }
    if (random.nextInt(1500) == 0) {
      document.add(new Field("rare", new BytesRef("r" + id), docs));
    }
    return document;
  }

  private static void fill(IndexWriter writer, long seed, boolean isMerged) throws IOException {
    Random random = new Random(seed);
    for (int i = 0; i < DOCUMENTS; i++) {
      String id = "id" + (random.nextInt(6) == 0 ? random.nextInt(i + 1) : i);
      writer.updateDocument(new Term("_id", id), document(random, id));
      if (random.nextInt(900) == 0) {
        writer.commit();
      }
    }
    if (isMerged) {
      writer.forceMerge(1);
    }
    writer.commit();
  }

  @ParameterizedTest
  @CsvSource({"false,false", "false,true", "true,false", "true,true"})
  void termsOnceAreTheSameAsTwice(boolean isSorted, boolean isMerged) throws IOException {
    long seed = new Random().nextLong();
    try (Directory usual = new ByteBuffersDirectory();
        Directory compact = new ByteBuffersDirectory()) {
      for (boolean areCompact : new boolean[] {false, true}) {
        try (IndexWriter writer = writer(areCompact ? compact : usual, areCompact, isSorted)) {
          fill(writer, seed, isMerged);
        }
      }
      try (CheckIndex check = new CheckIndex(compact)) {
        check.setLevel(CheckIndex.Level.MIN_LEVEL_FOR_SLOW_CHECKS);
        assertThat(check.checkIndex().clean).as("seed %s", seed).isTrue();
      }
      try (DirectoryReader one = DirectoryReader.open(usual);
          DirectoryReader other = DirectoryReader.open(compact)) {
        for (String field : FIELDS) {
          for (int leaf = 0; leaf < one.leaves().size(); leaf++) {
            compare(one.leaves().get(leaf), other.leaves().get(leaf), field, seed);
          }
        }
        for (Query query : queries()) {
          assertThat(new IndexSearcher(other).count(query))
              .as("seed %s, %s", seed, query)
              .isEqualTo(new IndexSearcher(one).count(query));
        }
      }
    }
  }

  private static List<Query> queries() {
    return List.of(
        new TermQuery(new Term("few", "f3")),
        new TermQuery(new Term("few", "f")),
        new TermQuery(new Term("many", "m17")),
        new PrefixQuery(new Term("many", "m1")),
        new PrefixQuery(new Term("unique", "u-7")),
        new WildcardQuery(new Term("unique", "*42*")),
        new TermInSetQuery("many", List.of(new BytesRef("m1"), new BytesRef("x"))),
        TermRangeQuery.newStringRange("counted", "c1", "c3", true, false),
        new PrefixQuery(new Term("rare", "r")));
  }

  private static void compare(
      LeafReaderContext usual, LeafReaderContext compact, String field, long seed)
      throws IOException {
    Terms one = usual.reader().terms(field);
    Terms other = compact.reader().terms(field);
    if (one == null) {
      assertThat(other).isNull();
      return;
    }
    Objects.requireNonNull(other);
    assertThat(other.size()).isEqualTo(one.size());
    assertThat(other.getDocCount()).isEqualTo(one.getDocCount());
    assertThat(other.getSumDocFreq()).isEqualTo(one.getSumDocFreq());
    assertThat(other.getSumTotalTermFreq()).isEqualTo(one.getSumTotalTermFreq());
    assertThat(other.getMin()).isEqualTo(one.getMin());
    assertThat(other.getMax()).isEqualTo(one.getMax());
    TermsEnum expected = one.iterator();
    TermsEnum found = other.iterator();
    TreeMap<String, TermState> states = new TreeMap<>();
    for (BytesRef term = expected.next(); term != null; term = expected.next()) {
      assertThat(found.next()).as("seed %s", seed).isEqualTo(term);
      states.put(term.utf8ToString(), found.termState());
      same(found, expected);
    }
    assertThat(found.next()).isNull();
    Random random = new Random(seed);
    List<String> terms = new ArrayList<>(states.keySet());
    for (int i = 0; i < 300; i++) {
      String some = terms.get(random.nextInt(terms.size()));
      String text = random.nextBoolean() ? some : some.substring(0, 1 + some.length() / 2);
      assertThat(found.seekExact(new BytesRef(text))).isEqualTo(states.containsKey(text));
      TermsEnum.SeekStatus status = found.seekCeil(new BytesRef(text));
      assertThat(status).isEqualTo(expected.seekCeil(new BytesRef(text)));
      if (status != TermsEnum.SeekStatus.END) {
        assertThat(found.term()).isEqualTo(expected.term());
        same(found, expected);
      }
      found.seekExact(new BytesRef(some), Objects.requireNonNull(states.get(some)));
      assertThat(expected.seekExact(new BytesRef(some))).isTrue();
      same(found, expected);
      assertThat(found.term().utf8ToString()).isEqualTo(some);
      assertThat(found.next()).isEqualTo(expected.next());
    }
  }

  private static void same(TermsEnum found, TermsEnum expected) throws IOException {
    assertThat(found.docFreq()).isEqualTo(expected.docFreq());
    assertThat(found.totalTermFreq()).isEqualTo(expected.totalTermFreq());
    PostingsEnum one = expected.postings(null, PostingsEnum.FREQS);
    PostingsEnum other = found.postings(null, PostingsEnum.FREQS);
    int doc;
    do {
      doc = one.nextDoc();
      assertThat(other.nextDoc()).isEqualTo(doc);
      if (doc != DocIdSetIterator.NO_MORE_DOCS) {
        assertThat(other.freq()).isEqualTo(one.freq());
      }
    } while (doc != DocIdSetIterator.NO_MORE_DOCS);
  }

  /// Segments of both kinds are merged into either.
  @Test
  void segmentsOfBothKindsAreMerged() throws IOException {
    long seed = new Random().nextLong();
    try (Directory directory = new ByteBuffersDirectory()) {
      TreeSet<String> terms = new TreeSet<>();
      for (boolean areCompact : new boolean[] {false, true, true, false}) {
        try (IndexWriter writer = writer(directory, areCompact, false)) {
          Document document = document(new Random(seed + terms.size()), "id" + terms.size());
          terms.add(document.getBinaryValue("unique").utf8ToString());
          writer.addDocument(document);
          writer.commit();
          if (terms.size() % 2 == 0) {
            writer.forceMerge(1);
          }
        }
      }
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        assertThat(reader.leaves()).hasSize(1);
        TermsEnum found =
            Objects.requireNonNull(reader.leaves().getFirst().reader().terms("unique")).iterator();
        for (String term : terms) {
          assertThat(found.next()).as("seed %s", seed).isEqualTo(new BytesRef(term));
        }
      }
    }
  }
}
