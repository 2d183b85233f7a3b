package dev.holdfast.document.analysis;

import static org.apache.lucene.analysis.miscellaneous.WordDelimiterGraphFilter.*;

import dev.holdfast.world.Refusal;
import java.util.Map;
import java.util.TreeMap;
import org.apache.lucene.analysis.CharArraySet;
import org.apache.lucene.analysis.miscellaneous.WordDelimiterFilter;
import org.apache.lucene.analysis.miscellaneous.WordDelimiterGraphFilter;
import org.apache.lucene.analysis.miscellaneous.WordDelimiterIterator;
import org.jspecify.annotations.Nullable;

/// The filters that split words at case changes, digits and punctuation, and their settings.
final class WordDelimiters {
  private WordDelimiters() {}

  @SuppressWarnings("deprecation") // Elasticsearch still offers it beside the graph filter
  static TokenFilters.Part plain(AnalysisParameters parameters) {
    int flags = flags(parameters);
    byte[] types = types(parameters);
    CharArraySet kept = keptWords(parameters);
    return new TokenFilters.Part(
        false, tokens -> new WordDelimiterFilter(tokens, types, flags, kept));
  }

  static TokenFilters.Part graph(AnalysisParameters parameters) {
    int flags =
        flags(parameters) | (parameters.flag("ignore_keywords", false) ? IGNORE_KEYWORDS : 0);
    byte[] types = types(parameters);
    CharArraySet kept = keptWords(parameters);
    boolean adjustsOffsets = parameters.flag("adjust_offsets", true);
    return new TokenFilters.Part(
        false, tokens -> new WordDelimiterGraphFilter(tokens, adjustsOffsets, types, flags, kept));
  }

  private static @Nullable CharArraySet keptWords(AnalysisParameters parameters) {
    parameters.requireNoFile("protected_words_path");
    return parameters.has("protected_words") ? parameters.words("protected_words", false) : null;
  }

  private static int flags(AnalysisParameters parameters) {
    return flag(parameters, "generate_word_parts", true, GENERATE_WORD_PARTS)
        | flag(parameters, "generate_number_parts", true, GENERATE_NUMBER_PARTS)
        | flag(parameters, "catenate_words", false, CATENATE_WORDS)
        | flag(parameters, "catenate_numbers", false, CATENATE_NUMBERS)
        | flag(parameters, "catenate_all", false, CATENATE_ALL)
        | flag(parameters, "split_on_case_change", true, SPLIT_ON_CASE_CHANGE)
        | flag(parameters, "preserve_original", false, PRESERVE_ORIGINAL)
        | flag(parameters, "split_on_numerics", true, SPLIT_ON_NUMERICS)
        | flag(parameters, "stem_english_possessive", true, STEM_ENGLISH_POSSESSIVE);
  }

  private static int flag(AnalysisParameters parameters, String key, boolean whenAbsent, int flag) {
    return parameters.flag(key, whenAbsent) ? flag : 0;
  }

  /// The type of each character, Lucene's own where `type_table` does not say otherwise.
  private static byte[] types(AnalysisParameters parameters) {
    parameters.requireNoFile("type_table_path");
    Map<Character, Byte> changed = new TreeMap<>();
    for (String rule : parameters.rules("type_table")) {
      int arrow = rule.lastIndexOf("=>");
      String character = arrow < 0 ? "" : rule.substring(0, arrow).strip();
      if (character.startsWith("\\u") && character.length() == 6) {
        character = String.valueOf((char) Integer.parseInt(character.substring(2), 16));
      }
      if (character.startsWith("\\") && character.length() == 2) {
        character = character.substring(1);
      }
      if (character.length() != 1) {
        throw Refusal.badArgument("Invalid Mapping Rule : [" + rule + "]");
      }
      changed.put(character.charAt(0), type(rule.substring(arrow + 2).strip(), rule));
    }
    int size = changed.keySet().stream().mapToInt(c -> c + 1).max().orElse(0);
    byte[] types = new byte[Math.max(size, WordDelimiterIterator.DEFAULT_WORD_DELIM_TABLE.length)];
    for (int i = 0; i < types.length; i++) {
      Byte type = changed.get((char) i);
      types[i] = type == null ? WordDelimiterIterator.getType(i) : type;
    }
    return types;
  }

  /// Bits of the filter's table: 1 lower, 2 upper, 4 digit, 8 delimiter.
  private static byte type(String name, String rule) {
    return switch (name) {
      case "LOWER" -> 1;
      case "UPPER" -> 2;
      case "ALPHA" -> 3;
      case "DIGIT" -> 4;
      case "ALPHANUM" -> 7;
      case "SUBWORD_DELIM" -> 8;
      default -> throw Refusal.badArgument("Invalid Mapping Rule : [" + rule + "]. Illegal type.");
    };
  }
}
