package dev.holdfast.document.analysis;

import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.io.StringReader;
import java.text.ParseException;
import java.util.List;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.synonym.SolrSynonymParser;
import org.apache.lucene.analysis.synonym.SynonymMap;
import org.apache.lucene.analysis.synonym.WordnetSynonymParser;
import org.apache.lucene.util.CharsRef;
import org.jspecify.annotations.Nullable;

/// Inline synonym rules, in Solr's or WordNet's notation, analysed by the parts of the analyser
/// that come before the filter.
final class Synonyms {
  /// What a word leads to takes, and the word itself.
  private static final long PAIR_BYTES = 24;

  private static final long WORD_BYTES = 150;

  /// The words of one filter may take one part in so many of the heap.
  private static final int HEAP_SHARE = 8;

  private Synonyms() {}

  /// @param before the analyser up to this filter
  /// @throws Refusal `illegal_argument_exception` when a rule can't be read
  static SynonymMap of(AnalysisParameters parameters, Analyzer before) {
    List<String> rules = parameters.rules("synonyms");
    if (!parameters.has("synonyms")) {
      throw Refusal.badArgument(
          "synonym requires either `synonyms`, `synonyms_set` or `synonyms_path` to be configured");
    }
    boolean isExpanding = parameters.flag("expand", true);
    StringReader text = new StringReader(String.join("\n", rules));
    try {
      if (parameters.text("format", "solr").equalsIgnoreCase("wordnet")) {
        Room room = new Room();
        WordnetSynonymParser parser =
            new WordnetSynonymParser(true, isExpanding, before) {
              @Override
              public void add(CharsRef input, CharsRef output, boolean includeOrig) {
                room.take(input);
                super.add(input, output, includeOrig);
              }
            };
        parser.parse(text);
        return parser.build();
      }
      Room room = new Room();
      SolrSynonymParser parser =
          new SolrSynonymParser(true, isExpanding, before) {
            @Override
            public void add(CharsRef input, CharsRef output, boolean includeOrig) {
              room.take(input);
              super.add(input, output, includeOrig);
            }
          };
      parser.parse(text);
      return parser.build();
    } catch (IOException | ParseException | IllegalArgumentException notARule) {
      throw new Refusal(ErrorType.ILLEGAL_ARGUMENT, "failed to build synonyms", notARule);
    }
  }

  /// The memory that rules may take: a rule of a thousand equal words leads from each to each.
  private static final class Room {
    private long left = Runtime.getRuntime().maxMemory() / HEAP_SHARE;
    private @Nullable CharsRef last;

    void take(CharsRef input) {
      left -= PAIR_BYTES + (input.equals(last) ? 0 : WORD_BYTES);
      last = input;
      if (left < 0) {
        throw Refusal.badArgument(
            "the synonyms lead from more words to more words than this node has memory for: a rule"
                + " of many equal words leads from each to each");
      }
    }
  }
}
