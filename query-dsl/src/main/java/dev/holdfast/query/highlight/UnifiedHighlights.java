package dev.holdfast.query.highlight;

import dev.holdfast.query.clause.fulltext.PhrasePrefixQuery;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.text.BreakIterator;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.uhighlight.Passage;
import org.apache.lucene.search.uhighlight.PassageFormatter;
import org.apache.lucene.search.uhighlight.UnifiedHighlighter;
import org.apache.lucene.search.uhighlight.WholeBreakIterator;
import org.jspecify.annotations.Nullable;

/// `unified`: the best sentences of a field. For the hits of one shard, by one thread.
final class UnifiedHighlights {
  /// By field: a chain of analysis is made once for all hits.
  private final Map<String, Analyzer> analyzers = new HashMap<>();

  /// A passage as shown.
  private record Snippet(String text, float score, int at) {}

  List<String> of(HighlightTarget target) throws IOException {
    return of(
        target,
        analyzers.computeIfAbsent(target.field(), _ -> new PolledAnalyzer(target.analyzer())));
  }

  private static List<String> of(HighlightTarget target, Analyzer analyzer) throws IOException {
    HighlightOptions options = target.options();
    String content = String.join(String.valueOf((char) 0), target.values());
    int lengthMax =
        target.hasOffsets() && options.analyzedOffsetMax() < 0
            ? content.length()
            : target.analyzedMax(content.length());
    boolean weightMatches =
        options.matchesField() && options.matchedFields().isEmpty() && !target.isUnnested();
    UnifiedHighlighter.Builder builder =
        UnifiedHighlighter.builder(target.context().searcher(), analyzer)
            .withWeightMatches(weightMatches)
            .withMaxLength(Math.max(1, Math.min(lengthMax, Integer.MAX_VALUE - 1)))
            .withFormatter(new Formatter(options))
            .withMaxNoHighlightPassages(0)
            .withBreakIterator(() -> breaks(options));
    if (!options.matchesField() && !options.matchedFields().isEmpty()) {
      throw Refusal.badArgument(
          "Matched fields are not supported when [require_field_match] is set to [false]");
    }
    if (!options.matchesField()) {
      builder.withFieldMatcher(_ -> true);
    } else if (!options.matchedFields().isEmpty()) {
      builder.withMaskedFieldsFunc(_ -> Set.copyOf(options.matchedFields()));
    } else {
      builder.withFieldMatcher(target.field()::equals);
    }
    int fragments = options.fragments() == 0 ? Integer.MAX_VALUE - 1 : options.fragments();
    Object found = new OneValue(builder, content).highlight(target.field(), target, fragments);
    List<Snippet> snippets = new ArrayList<>();
    if (found instanceof List<?> list) {
      list.forEach(one -> snippets.add((Snippet) one));
    }
    if (options.isByScore()) {
      snippets.sort(Comparator.comparingDouble((Snippet one) -> -one.score()));
    }
    return snippets.stream().map(Snippet::text).toList();
  }

  private static BreakIterator breaks(HighlightOptions options) {
    if (options.fragments() == 0) {
      return new WholeBreakIterator();
    }
    return switch (options.scanner() == null ? "sentence" : options.scanner()) {
      case "sentence" ->
          options.fragmentSize() > 0
              ? new BoundedSentences(options.locale(), options.fragmentSize())
              : BreakIterator.getSentenceInstance(options.locale());
      case "word" -> BreakIterator.getWordInstance(options.locale());
      default -> throw Refusal.badArgument("Invalid boundary scanner type: " + options.scanner());
    };
  }

  /// Lucene's highlighter over a value that comes from the source.
  private static final class OneValue extends UnifiedHighlighter {
    private final String content;

    OneValue(Builder builder, String content) {
      super(builder);
      this.content = content;
    }

    @Nullable Object highlight(String field, HighlightTarget target, int fragments)
        throws IOException {
      Map<String, Object[]> found =
          highlightFieldsAsObjects(
              new String[] {field},
              target.query(),
              new int[] {target.doc()},
              new int[] {fragments});
      Object[] one = found.get(field);
      return one == null || one.length == 0 ? null : one[0];
    }

    @Override
    protected OffsetSource getOffsetSource(String field) {
      return OffsetSource.ANALYSIS;
    }

    @Override
    protected @Nullable Collection<Query> preSpanQueryRewrite(Query query) {
      return query instanceof PhrasePrefixQuery phrase ? List.of(phrase.spans()) : null;
    }

    @Override
    protected List<CharSequence[]> loadFieldValues(
        String[] fields, DocIdSetIterator docs, int cacheCharsThreshold) throws IOException {
      int _ = docs.nextDoc();
      return Collections.singletonList(new CharSequence[] {content});
    }
  }

  /// Marks the matches of passages.
  private static final class Formatter extends PassageFormatter {
    private final HighlightOptions options;
    private final TagMemory tags;

    Formatter(HighlightOptions options) {
      this.options = options;
      this.tags = new TagMemory(options);
    }

    /// Whole values as they are, fragments without spaces around them.
    private String shown(String text) {
      if (options.fragments() > 0) {
        return text.replace((char) 0, ' ').strip();
      }
      boolean isEnded = !text.isEmpty() && text.charAt(text.length() - 1) == 0;
      return (isEnded ? text.substring(0, text.length() - 1) : text).replace((char) 0, ' ');
    }

    @Override
    public Object format(Passage[] passages, String content) {
      List<Snippet> snippets = new ArrayList<>();
      for (Passage passage : passages) {
        tags.add(passage.getNumMatches());
        StringBuilder text = new StringBuilder();
        int at = passage.getStartOffset();
        int[] starts = passage.getMatchStarts();
        int[] ends = passage.getMatchEnds();
        for (int i = 0; i < passage.getNumMatches(); i++) {
          int start = starts[i];
          int end = ends[i];
          while (i + 1 < passage.getNumMatches() && starts[i + 1] < end) {
            end = Math.max(end, ends[++i]);
          }
          end = Math.min(end, passage.getEndOffset());
          if (start < at || end <= start) {
            continue;
          }
          text.append(options.encode(content.substring(at, start)))
              .append(options.preTags().getFirst())
              .append(options.encode(content.substring(start, end)))
              .append(options.postTags().getFirst());
          at = end;
        }
        int end = Math.max(at, passage.getEndOffset());
        text.append(options.encode(content.substring(at, end)));
        snippets.add(
            new Snippet(shown(text.toString()), passage.getScore(), passage.getStartOffset()));
      }
      return snippets;
    }
  }
}
