package dev.holdfast.query.highlight;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.document.FieldType;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.SearchTestIndex;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.core.WhitespaceTokenizer;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.TermQuery;
import org.junit.jupiter.api.Test;

/// What the texts of several hits have in common.
final class UnifiedHighlightsTest {
  @Test
  void textsOfAFieldGoThroughOneChain() throws IOException {
    AtomicInteger chains = new AtomicInteger();
    Analyzer words =
        new Analyzer() {
          @Override
          protected TokenStreamComponents createComponents(String field) {
            chains.incrementAndGet();
            return new TokenStreamComponents(new WhitespaceTokenizer());
          }
        };
    try (SearchTestIndex index = new SearchTestIndex("{\"t\":{\"type\":\"text\"}}")) {
      index.add("1", "{\"t\":\"a b\"}", "2", "{\"t\":\"b c\"}");
      FieldType type = analysed(Objects.requireNonNull(index.context().type("t")), words);
      UnifiedHighlights highlights = new UnifiedHighlights();

      assertThat(highlights.of(target(index.context(), type, 0, "a b")))
          .containsExactly("a <em>b</em>");
      assertThat(highlights.of(target(index.context(), type, 1, "b c")))
          .containsExactly("<em>b</em> c");
    }
    assertThat(chains).hasValue(1);
  }

  private static HighlightTarget target(
      QueryContext context, FieldType type, int doc, String text) {
    return new HighlightTarget(
        context,
        String.valueOf(doc),
        doc,
        "t",
        type,
        List.of(text),
        new TermQuery(new Term("t", "b")),
        false,
        HighlightOptions.DEFAULTS);
  }

  /// The type with another analyser.
  private static FieldType analysed(FieldType type, Analyzer analyzer) {
    return (FieldType)
        Proxy.newProxyInstance(
            FieldType.class.getClassLoader(),
            new Class<?>[] {FieldType.class},
            (_, method, arguments) ->
                method.getName().equals("indexAnalyzer")
                    ? analyzer
                    : method.invoke(type, arguments));
  }
}
