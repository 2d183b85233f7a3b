package dev.holdfast.document.analysis;

import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import org.apache.lucene.analysis.miscellaneous.StemmerOverrideFilter;

/// The filter that stems by rules of its own (`running, runs => run`) before a stemmer sees a word.
final class StemmerRules {
  private StemmerRules() {}

  static TokenFilters.Part part(AnalysisParameters parameters) {
    parameters.requireNoFile("rules_path");
    StemmerOverrideFilter.Builder builder = new StemmerOverrideFilter.Builder(false);
    for (String rule : parameters.rules("rules")) {
      String[] sides = rule.split("=>", -1);
      if (sides.length != 2 || sides[1].isBlank() || sides[1].indexOf(',') >= 0) {
        throw Refusal.badArgument("Invalid Keyword override Rule:" + rule);
      }
      for (String word : sides[0].split(",", -1)) {
        builder.add(word.strip(), sides[1].strip());
      }
    }
    try {
      StemmerOverrideFilter.StemmerOverrideMap map = builder.build();
      return new TokenFilters.Part(false, tokens -> new StemmerOverrideFilter(tokens, map));
    } catch (IOException notRules) {
      throw new Refusal(ErrorType.ILLEGAL_ARGUMENT, "failed to build stemmer rules", notRules);
    }
  }
}
