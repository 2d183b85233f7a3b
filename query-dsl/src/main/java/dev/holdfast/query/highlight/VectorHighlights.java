package dev.holdfast.query.highlight;

import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.text.BreakIterator;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.memory.MemoryIndex;
import org.apache.lucene.search.highlight.DefaultEncoder;
import org.apache.lucene.search.highlight.Encoder;
import org.apache.lucene.search.highlight.SimpleHTMLEncoder;
import org.apache.lucene.search.vectorhighlight.BaseFragmentsBuilder;
import org.apache.lucene.search.vectorhighlight.BoundaryScanner;
import org.apache.lucene.search.vectorhighlight.BreakIteratorBoundaryScanner;
import org.apache.lucene.search.vectorhighlight.FastVectorHighlighter;
import org.apache.lucene.search.vectorhighlight.FieldFragList.WeightedFragInfo;
import org.apache.lucene.search.vectorhighlight.FieldQuery;
import org.apache.lucene.search.vectorhighlight.FragListBuilder;
import org.apache.lucene.search.vectorhighlight.ScoreOrderFragmentsBuilder;
import org.apache.lucene.search.vectorhighlight.SimpleBoundaryScanner;
import org.apache.lucene.search.vectorhighlight.SimpleFieldFragList;
import org.apache.lucene.search.vectorhighlight.SimpleFragListBuilder;
import org.apache.lucene.search.vectorhighlight.SimpleFragmentsBuilder;
import org.apache.lucene.search.vectorhighlight.SingleFragListBuilder;

/// `fvh`: for fields mapped with term vectors, which are made anew from the source of the hit.
final class VectorHighlights {
  private VectorHighlights() {}

  static List<String> of(HighlightTarget target) throws IOException {
    HighlightOptions options = target.options();
    if (!target.type().toJson().path("term_vector").asText().startsWith("with_positions_offsets")) {
      throw Refusal.badArgument(
          "the field ["
              + target.field()
              + "] should be indexed with term vector with position offsets to be used with fast"
              + " vector highlighter");
    }
    FastVectorHighlighter highlighter = new FastVectorHighlighter(true, options.matchesField());
    highlighter.setPhraseLimit(options.phraseMax());
    IndexReader document = document(target);
    FieldQuery query = highlighter.getFieldQuery(target.query(), document);
    int fragments = options.fragments() == 0 ? Integer.MAX_VALUE : options.fragments();
    FragListBuilder list =
        options.fragments() == 0
            ? new SingleFragListBuilder()
            : options.fragmentOffset() < 0
                ? new SimpleFragListBuilder()
                : new SimpleFragListBuilder(options.fragmentOffset());
    int size = options.fragments() == 0 ? Integer.MAX_VALUE : options.fragmentSize();
    String[] found;
    if (options.matchedFields().isEmpty()) {
      found =
          highlighter.getBestFragments(
              query,
              document,
              0,
              target.field(),
              size,
              fragments,
              list,
              builder(target),
              options.preTags().toArray(String[]::new),
              options.postTags().toArray(String[]::new),
              encoder(options));
    } else {
      Set<String> matched = new HashSet<>(options.matchedFields());
      found =
          highlighter.getBestFragments(
              query,
              document,
              0,
              target.field(),
              matched,
              size,
              fragments,
              list,
              builder(target),
              options.preTags().toArray(String[]::new),
              options.postTags().toArray(String[]::new),
              encoder(options));
    }
    if ((found == null || found.length == 0) && options.noMatchSize() > 0) {
      return beginning(target, document);
    }
    return found == null ? List.of() : Arrays.asList(found);
  }

  /// What `no_match_size` shows: nothing where the first value is shorter.
  private static List<String> beginning(HighlightTarget target, IndexReader document)
      throws IOException {
    HighlightOptions options = target.options();
    SimpleFieldFragList fragments = new SimpleFieldFragList(-1);
    fragments.add(0, options.noMatchSize(), List.of());
    String[] found =
        builder(target)
            .createFragments(
                document,
                0,
                target.field(),
                fragments,
                1,
                options.preTags().toArray(String[]::new),
                options.postTags().toArray(String[]::new),
                encoder(options));
    return found == null ? List.of() : Arrays.asList(found);
  }

  /// Asked for two parts of a text for each match: the one before its tags and the one between.
  private static Encoder encoder(HighlightOptions options) {
    Encoder encoder = options.escapesHtml() ? new SimpleHTMLEncoder() : new DefaultEncoder();
    TagMemory tags = new TagMemory(options);
    AtomicBoolean isSecond = new AtomicBoolean();
    return text -> {
      boolean wasSecond = isSecond.getAndSet(!isSecond.get());
      tags.add(wasSecond ? 0 : 1);
      return encoder.encodeText(text);
    };
  }

  private static IndexReader document(HighlightTarget target) throws IOException {
    MemoryIndex index = new MemoryIndex(true);
    Set<String> fields = new HashSet<>(target.options().matchedFields());
    fields.add(target.field());
    for (String field : fields) {
      var type = target.context().type(field);
      Analyzer analyzer =
          type == null || type.indexAnalyzer() == null ? target.analyzer() : type.indexAnalyzer();
      if (analyzer == null) {
        continue;
      }
      for (String value : target.values()) {
        index.addField(
            field,
            new PolledTokens(analyzer.tokenStream(field, value)),
            analyzer.getPositionIncrementGap(field),
            analyzer.getOffsetGap(field));
      }
    }
    return index.createSearcher().getIndexReader();
  }

  private static BaseFragmentsBuilder builder(HighlightTarget target) {
    HighlightOptions options = target.options();
    BoundaryScanner scanner =
        switch (options.scanner() == null ? "chars" : options.scanner()) {
          case "sentence" ->
              new BreakIteratorBoundaryScanner(BreakIterator.getSentenceInstance(options.locale()));
          case "word" ->
              new BreakIteratorBoundaryScanner(BreakIterator.getWordInstance(options.locale()));
          default ->
              new SimpleBoundaryScanner(
                  options.boundaryScanMax(),
                  options
                      .boundaryChars()
                      .chars()
                      .mapToObj(c -> (char) c)
                      .toArray(Character[]::new));
        };
    Field[] values =
        target.values().stream()
            .map(value -> new StoredField(target.field(), value))
            .toArray(Field[]::new);
    BaseFragmentsBuilder builder =
        options.isByScore() && options.fragments() > 0
            ? byScore(scanner, values)
            : inOrder(scanner, values);
    // No fragment holds parts of two values.
    builder.setDiscreteMultiValueHighlighting(true);
    return builder;
  }

  private static BaseFragmentsBuilder byScore(BoundaryScanner scanner, Field[] values) {
    return new ScoreOrderFragmentsBuilder(scanner) {
      @Override
      protected Field[] getFields(IndexReader reader, int doc, String field) {
        return values;
      }
    };
  }

  private static BaseFragmentsBuilder inOrder(BoundaryScanner scanner, Field[] values) {
    return new SimpleFragmentsBuilder(scanner) {
      @Override
      protected Field[] getFields(IndexReader reader, int doc, String field) {
        return values;
      }

      @Override
      public List<WeightedFragInfo> getWeightedFragInfoList(List<WeightedFragInfo> source) {
        return source;
      }
    };
  }
}
