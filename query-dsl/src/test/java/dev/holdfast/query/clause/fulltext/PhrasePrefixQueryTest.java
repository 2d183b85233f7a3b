package dev.holdfast.query.clause.fulltext;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.document.mapping.StandardMappings;
import dev.holdfast.query.ElasticsearchSimilarity;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.parse.Queries;
import dev.holdfast.world.Json;
import java.io.IOException;
import java.util.List;
import java.util.TreeMap;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.search.Query;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// `match_phrase_prefix` with synonyms, of one word and of several.
final class PhrasePrefixQueryTest {
  private static Query query(String filter, String text) throws IOException {
    TreeMap<String, Object> settings = new TreeMap<>();
    settings.put("index.analysis.filter.same.type", filter);
    settings.put("index.analysis.filter.same.synonyms", List.of("one,two", "wtf, what the fudge"));
    settings.put("index.analysis.analyzer.own.type", "custom");
    settings.put("index.analysis.analyzer.own.tokenizer", "standard");
    settings.put("index.analysis.analyzer.own.filter", List.of("lowercase", "same"));
    var mapping =
        new StandardMappings()
            .create(
                Json.parseObject(
                    "{\"properties\":{\"f\":{\"type\":\"text\",\"analyzer\":\"own\"}}}"),
                settings);
    try (ByteBuffersDirectory directory = new ByteBuffersDirectory()) {
      new IndexWriter(directory, new IndexWriterConfig()).close();
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        QueryContext context =
            new QueryContext(
                "i", 0, mapping, ElasticsearchSimilarity.searcher(reader), 0, () -> false);
        return Queries.parse(Json.parseObject("{\"match_phrase_prefix\":{\"f\":\"" + text + "\"}}"))
            .toLucene(context);
      }
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          foo     | f:"foo*"
          foo bar | f:"foo bar*"
          one bar | f:"(one two) bar*"
          foo one | f:"foo (one* two*)"
          one     | f:"(one* two*)"
          """)
  void showsWhichWordsAreBeginnings(String text, String shown) throws IOException {
    assertThat(query("synonym", text)).hasToString(shown);
  }

  @Test
  void everyWayThroughAGraphEndsInABeginning() throws IOException {
    assertThat(query("synonym_graph", "say wtf").toString())
        .startsWith("spanNear([f:say, spanOr([")
        .contains("f:wtf*")
        .contains("f:fudge*")
        .doesNotContain("f:what*");
  }
}
