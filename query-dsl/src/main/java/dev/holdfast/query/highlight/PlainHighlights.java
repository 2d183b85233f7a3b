package dev.holdfast.query.highlight;

import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.StopSignal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryVisitor;
import org.apache.lucene.search.highlight.DefaultEncoder;
import org.apache.lucene.search.highlight.Encoder;
import org.apache.lucene.search.highlight.Fragmenter;
import org.apache.lucene.search.highlight.Highlighter;
import org.apache.lucene.search.highlight.InvalidTokenOffsetsException;
import org.apache.lucene.search.highlight.NullFragmenter;
import org.apache.lucene.search.highlight.QueryScorer;
import org.apache.lucene.search.highlight.SimpleFragmenter;
import org.apache.lucene.search.highlight.SimpleHTMLEncoder;
import org.apache.lucene.search.highlight.SimpleHTMLFormatter;
import org.apache.lucene.search.highlight.SimpleSpanFragmenter;
import org.apache.lucene.search.highlight.TextFragment;
import org.apache.lucene.search.highlight.TokenGroup;
import org.apache.lucene.search.highlight.WeightedSpanTerm;
import org.apache.lucene.search.highlight.WeightedSpanTermExtractor;
import org.jspecify.annotations.Nullable;

/// `plain`: each value is analysed once more, and cut every so many characters.
final class PlainHighlights {
  private PlainHighlights() {}

  static List<String> of(HighlightTarget target) throws IOException {
    HighlightOptions options = target.options();
    QueryScorer scorer = new Scorer(target.query(), options.matchesField() ? target.field() : null);
    scorer.setExpandMultiTermQuery(true);
    Encoder encoder = options.escapesHtml() ? new SimpleHTMLEncoder() : new DefaultEncoder();
    Highlighter highlighter = new Highlighter(new Tags(options), encoder, scorer);
    highlighter.setTextFragmenter(fragmenter(target, scorer));
    List<TextFragment> found = new ArrayList<>();
    int fragments = options.fragments() == 0 ? 1 : options.fragments();
    for (String value : target.values()) {
      StopSignal.look();
      int charsMax = target.analyzedMax(value.length());
      highlighter.setMaxDocCharsToAnalyze(charsMax);
      try (TokenStream tokens =
          new PolledTokens(target.analyzer().tokenStream(target.field(), value))) {
        for (TextFragment one : highlighter.getBestTextFragments(tokens, value, false, fragments)) {
          if (one != null && one.getScore() > 0) {
            found.add(one);
          }
        }
      } catch (InvalidTokenOffsetsException e) {
        throw new Refusal(ErrorType.ILLEGAL_ARGUMENT, String.valueOf(e.getMessage()), e);
      }
    }
    if (options.isByScore()) {
      found.sort(Comparator.comparingDouble((TextFragment one) -> -one.getScore()));
    }
    int shown =
        options.fragments() == 0 ? found.size() : Math.min(options.fragments(), found.size());
    return found.subList(0, shown).stream().map(TextFragment::toString).toList();
  }

  private static Fragmenter fragmenter(HighlightTarget target, QueryScorer scorer) {
    HighlightOptions options = target.options();
    if (options.fragments() == 0) {
      return new NullFragmenter();
    }
    String name = options.fragmenter();
    return switch (name == null ? "span" : name) {
      case "simple" -> new SimpleFragmenter(options.fragmentSize());
      case "span" -> new SimpleSpanFragmenter(scorer, options.fragmentSize());
      default ->
          throw Refusal.badArgument(
              "unknown fragmenter option [" + name + "] for the field [" + target.field() + "]");
    };
  }

  /// Puts the tags around matches.
  private static final class Tags extends SimpleHTMLFormatter {
    private final TagMemory memory;

    Tags(HighlightOptions options) {
      super(options.preTags().getFirst(), options.postTags().getFirst());
      memory = new TagMemory(options);
    }

    @Override
    public String highlightTerm(String text, TokenGroup group) {
      if (group.getTotalScore() > 0) {
        memory.add(1);
      }
      return super.highlightTerm(text, group);
    }
  }

  /// Lucene's scorer, which also marks the terms of queries that it does not know, intervals among
  /// them.
  private static final class Scorer extends QueryScorer {
    /// @param field null for any
    Scorer(Query query, @Nullable String field) {
      super(query, field);
    }

    @Override
    protected WeightedSpanTermExtractor newTermExtractor(String defaultField) {
      return new WeightedSpanTermExtractor(defaultField) {
        @Override
        protected void extractUnknownQuery(Query query, Map<String, WeightedSpanTerm> found) {
          Set<Term> terms = new LinkedHashSet<>();
          query.visit(QueryVisitor.termCollector(terms));
          for (Term term : terms) {
            if (fieldNameComparator(term.field())) {
              found.put(term.text(), new WeightedSpanTerm(1, term.text()));
            }
          }
        }
      };
    }
  }
}
