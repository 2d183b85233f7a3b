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
import org.apache.lucene.util.CharsRefBuilder;
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
    boolean isLenient = parameters.flag("lenient", parameters.flag("updateable", false));
    StringReader text = new StringReader(String.join("\n", rules));
    Room room = new Room(isLenient);
    try {
      if (parameters.text("format", "solr").equalsIgnoreCase("wordnet")) {
        WordnetSynonymParser parser =
            new WordnetSynonymParser(true, isExpanding, before) {
              @Override
              public void add(CharsRef input, CharsRef output, boolean includeOrig) {
                if (room.takes(input, output)) {
                  super.add(input, output, includeOrig);
                }
              }

              @Override
              public CharsRef analyze(String words, CharsRefBuilder reuse) throws IOException {
                return room.analyzed(() -> super.analyze(words, reuse));
              }
            };
        parser.parse(text);
        return parser.build();
      }
      SolrSynonymParser parser =
          new SolrSynonymParser(true, isExpanding, before) {
            @Override
            public void add(CharsRef input, CharsRef output, boolean includeOrig) {
              if (room.takes(input, output)) {
                super.add(input, output, includeOrig);
              }
            }

            @Override
            public CharsRef analyze(String words, CharsRefBuilder reuse) throws IOException {
              return room.analyzed(() -> super.analyze(words, reuse));
            }
          };
      parser.parse(text);
      return parser.build();
    } catch (IOException | ParseException | IllegalArgumentException notARule) {
      throw new Refusal(ErrorType.ILLEGAL_ARGUMENT, "failed to build synonyms", notARule);
    }
  }

  /// What of the rules is taken, and the memory that they may take: a rule of a thousand equal
  /// words leads from each to each.
  private static final class Room {
    private final boolean isLenient;
    private long left = Runtime.getRuntime().maxMemory() / HEAP_SHARE;
    private @Nullable CharsRef last;

    /// @param isLenient words that the analyser before makes nothing of are left out of their rules
    Room(boolean isLenient) {
      this.isLenient = isLenient;
    }

    /// Makes words of a rule into what they are searched as.
    interface Analyzed {
      CharsRef words() throws IOException;
    }

    CharsRef analyzed(Analyzed work) throws IOException {
      try {
        return work.words();
      } catch (IllegalArgumentException e) {
        if (isLenient) {
          return new CharsRef();
        }
        throw e;
      }
    }

    boolean takes(CharsRef input, CharsRef output) {
      if (isLenient && (input.length == 0 || output.length == 0)) {
        return false;
      }
      left -= PAIR_BYTES + (input.equals(last) ? 0 : WORD_BYTES);
      last = input;
      if (left < 0) {
        throw Refusal.badArgument(
            "the synonyms lead from more words to more words than this node has memory for: a rule"
                + " of many equal words leads from each to each");
      }
      return true;
    }
  }
}
