package dev.holdfast.search.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.document.Mapping;
import dev.holdfast.document.MetadataFields;
import dev.holdfast.document.mapping.StandardMappings;
import dev.holdfast.document.runtime.RuntimeColumns;
import dev.holdfast.document.runtime.RuntimeReader;
import dev.holdfast.world.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.TreeMap;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.SortedNumericDocValuesField;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.queries.spans.SpanOrQuery;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.FieldExistsQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.LRUQueryCache;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryCachingPolicy;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Weight;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.junit.jupiter.api.Test;

/// Which filters a search with runtime fields finds in, and puts into, the cache of the node.
final class MappedFilterCacheTest {
  private static final QueryCachingPolicy ALWAYS =
      new QueryCachingPolicy() {
        @Override
        public void onUse(Query query) {}

        @Override
        public boolean shouldCache(Query query) {
          return true;
        }
      };

  private final LRUQueryCache filters = new LRUQueryCache(100, 1 << 20, _ -> true, Float.MAX_VALUE);

  /// Documents found as a filter finds them.
  private int count(DirectoryReader reader, Mapping mapping, Query query) throws IOException {
    IndexSearcher searcher = new IndexSearcher(reader);
    searcher.setQueryCache(new MappedFilterCache(filters, mapping.runtime().keySet()));
    searcher.setQueryCachingPolicy(ALWAYS);
    Weight weight = searcher.createWeight(searcher.rewrite(query), ScoreMode.COMPLETE_NO_SCORES, 1);
    int count = 0;
    for (var leaf : reader.leaves()) {
      var scorer = weight.scorer(leaf);
      for (var docs = scorer == null ? null : scorer.iterator();
          docs != null && docs.nextDoc() < leaf.reader().maxDoc(); ) {
        count++;
      }
    }
    return count;
  }

  @Test
  void spansOfNoTermHaveNoField() throws IOException {
    Mapping mapping =
        new StandardMappings()
            .create(
                Json.parseObject("{\"runtime\":{\"k\":{\"type\":\"keyword\"}}}"), new TreeMap<>());
    try (ByteBuffersDirectory directory = new ByteBuffersDirectory();
        IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig())) {
      writer.addDocument(new Document());
      try (DirectoryReader reader = DirectoryReader.open(writer)) {
        assertThat(count(reader, mapping, new SpanOrQuery())).isZero();
      }
    }
  }

  @Test
  void filtersOverRuntimeFieldsAreNotShared() throws IOException {
    Mapping mapping =
        new StandardMappings()
            .create(
                Json.parseObject("{\"runtime\":{\"k\":{\"type\":\"keyword\"}}}"), new TreeMap<>());
    Mapping other = mapping.withRuntime(Json.parseObject("{\"k\":{\"type\":\"long\"}}"));
    RuntimeColumns columns = new RuntimeColumns(1 << 20);
    try (ByteBuffersDirectory directory = new ByteBuffersDirectory();
        IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig())) {
      for (String source : new String[] {"{\"k\":\"a\"}", "{\"k\":12}"}) {
        Document document = new Document();
        document.add(
            new StoredField(MetadataFields.SOURCE, source.getBytes(StandardCharsets.UTF_8)));
        document.add(new SortedNumericDocValuesField("m", 1));
        writer.addDocument(document);
      }
      try (DirectoryReader plain = DirectoryReader.open(writer)) {
        plain.incRef();
        plain.incRef();
        try (DirectoryReader reader = new RuntimeReader(plain, mapping, columns, () -> false);
            DirectoryReader overlay = new RuntimeReader(plain, other, columns, () -> false)) {
          Query exists = new ConstantScoreQuery(new FieldExistsQuery("k"));
          Query both =
              new BooleanQuery.Builder()
                  .add(exists, Occur.FILTER)
                  .add(SortedNumericDocValuesField.newSlowExactQuery("m", 1), Occur.FILTER)
                  .build();
          assertThat(count(reader, mapping, exists)).isEqualTo(2);
          assertThat(count(overlay, other, exists)).isEqualTo(1);
          assertThat(filters.getCacheSize()).isZero();
          assertThat(count(reader, mapping, both)).isEqualTo(2);
          assertThat(filters.getCacheSize()).isEqualTo(1); // what is about the mapped field
          assertThat(count(overlay, other, both)).isEqualTo(1);
          assertThat(filters.getCacheSize()).isEqualTo(1);
          assertThat(filters.getHitCount()).isEqualTo(1);
        }
      }
    }
  }
}
