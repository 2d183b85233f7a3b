package dev.holdfast.document.analysis;

import dev.holdfast.document.analysis.pattern.PatternReplacingReader;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.Registry;
import java.io.Reader;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.lucene.analysis.charfilter.HTMLStripCharFilter;
import org.apache.lucene.analysis.charfilter.MappingCharFilter;
import org.apache.lucene.analysis.charfilter.NormalizeCharMap;

/// Every kind of character filter.
final class CharFilters {
  private static final Pattern RULE = Pattern.compile("(.*)\\s*=>\\s*(.*)\\s*$");

  static final Registry<Function<AnalysisParameters, Part>> ALL =
      Registry.<Function<AnalysisParameters, Part>>of("char_filter")
          .with("html_strip", CharFilters::htmlStrip)
          .with("mapping", CharFilters::mapping)
          .with("pattern_replace", CharFilters::patternReplace);

  private CharFilters() {}

  /// A filter ready to be applied; normalising ones may be used by normalisers too.
  record Part(boolean isNormalizing, UnaryOperator<Reader> filter) {}

  private static Part htmlStrip(AnalysisParameters parameters) {
    java.util.Set<String> escaped = new java.util.LinkedHashSet<>(parameters.list("escaped_tags"));
    return new Part(false, reader -> new HTMLStripCharFilter(reader, escaped));
  }

  private static Part patternReplace(AnalysisParameters parameters) {
    Pattern pattern = parameters.pattern("pattern", null);
    String replacement = parameters.text("replacement", "");
    return new Part(true, reader -> new PatternReplacingReader(pattern, replacement, reader));
  }

  private static Part mapping(AnalysisParameters parameters) {
    if (!parameters.has("mappings")) {
      throw Refusal.badArgument(
          "mapping requires either `mappings` or `mappings_path` to be configured");
    }
    NormalizeCharMap.Builder rules = new NormalizeCharMap.Builder();
    for (String rule : parameters.rules("mappings")) {
      Matcher sides = RULE.matcher(rule);
      if (!sides.find()) {
        throw Refusal.badArgument("Invalid Mapping Rule : [" + rule + "]");
      }
      try {
        rules.add(unescaped(sides.group(1).strip()), unescaped(sides.group(2).strip()));
      } catch (IllegalArgumentException e) { // a match that is empty, or there twice
        throw new Refusal(ErrorType.ILLEGAL_ARGUMENT, String.valueOf(e.getMessage()), e);
      }
    }
    NormalizeCharMap map = rules.build();
    return new Part(true, reader -> new MappingCharFilter(map, reader));
  }

  /// The text with `\\`, `\n`, `\t`, `\r`, `\b`, `\f` and `\\uXXXX` resolved.
  private static String unescaped(String text) {
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c != '\\') {
        out.append(c);
        continue;
      }
      if (++i == text.length()) {
        throw Refusal.badArgument("Invalid escaped char in [" + text + "]");
      }
      char escaped = text.charAt(i);
      switch (escaped) {
        case '\\' -> out.append('\\');
        case 'n' -> out.append('\n');
        case 't' -> out.append('\t');
        case 'r' -> out.append('\r');
        case 'b' -> out.append('\b');
        case 'f' -> out.append('\f');
        case 'u' -> {
          if (!text.substring(i + 1).matches("(?s)[0-9a-fA-F]{4}.*")) {
            throw Refusal.badArgument("Invalid escaped char in [" + text + "]");
          }
          out.append((char) Integer.parseInt(text, i + 1, i + 5, 16));
          i += 4;
        }
        default -> out.append(escaped);
      }
    }
    return out.toString();
  }
}
