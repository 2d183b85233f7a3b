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

/// Inline synonym rules, in Solr's or WordNet's notation, analysed by the parts of the analyser
/// that come before the filter.
final class Synonyms {
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
        WordnetSynonymParser parser = new WordnetSynonymParser(true, isExpanding, before);
        parser.parse(text);
        return parser.build();
      }
      SolrSynonymParser parser = new SolrSynonymParser(true, isExpanding, before);
      parser.parse(text);
      return parser.build();
    } catch (IOException | ParseException | IllegalArgumentException notARule) {
      throw new Refusal(ErrorType.ILLEGAL_ARGUMENT, "failed to build synonyms", notARule);
    }
  }
}
