package dev.holdfast.query.clause.term;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.util.Locale;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.FuzzyQuery;
import org.apache.lucene.search.MultiTermQuery;
import org.apache.lucene.search.Query;
import org.jspecify.annotations.Nullable;

/// How far a term may be from the text asked for.
///
/// @param edits 0 to 2, or -1 for AUTO: by the length of the text
/// @param lowLength AUTO: shorter texts must be equal
/// @param highLength AUTO: texts this long may have 2 edits, shorter ones 1
/// @param prefixLength characters at the start that must be equal
/// @param expansionsMax terms tried
public record Fuzziness(
    int edits,
    int lowLength,
    int highLength,
    int prefixLength,
    int expansionsMax,
    boolean withTranspositions) {
  /// Longer texts are looked for as they are.
  private static final int LETTERS_MAX = 255;

  /// Reads `fuzziness`, `prefix_length`, `max_expansions` and `transpositions`.
  public static Fuzziness parse(JsonObject json, String whenAbsent) {
    JsonNode given = json.take("fuzziness");
    int prefixLength = json.integer("prefix_length", 0);
    int expansionsMax = json.integer("max_expansions", FuzzyQuery.defaultMaxExpansions);
    boolean transpositions = json.bool("transpositions", json.bool("fuzzy_transpositions", true));
    if (expansionsMax <= 0) {
      throw Refusal.badArgument("[max_expansions] must be positive, found [" + expansionsMax + "]");
    }
    if (prefixLength < 0) {
      throw Refusal.badArgument("[prefix_length] must not be negative [" + prefixLength + "]");
    }
    int[] parsed = edits(text(given, whenAbsent));
    return new Fuzziness(
        parsed[0], parsed[1], parsed[2], prefixLength, expansionsMax, transpositions);
  }

  /// Reads `fuzziness` and what [#parseUnsaid] reads.
  public static Fuzziness parsePrefixed(JsonObject json) {
    return prefixed(json, text(json.take("fuzziness"), "AUTO"));
  }

  /// Reads `fuzzy_prefix_length`, `fuzzy_max_expansions` and `fuzzy_transpositions`, of queries in
  /// which only some words are fuzzy, and which say themselves how much.
  public static Fuzziness parseUnsaid(JsonObject json) {
    return prefixed(json, "AUTO");
  }

  private static Fuzziness prefixed(JsonObject json, String fuzziness) {
    int[] parsed = edits(fuzziness);
    return new Fuzziness(
        parsed[0],
        parsed[1],
        parsed[2],
        json.integer("fuzzy_prefix_length", 0),
        json.integer("fuzzy_max_expansions", FuzzyQuery.defaultMaxExpansions),
        json.bool("fuzzy_transpositions", true));
  }

  /// The same with a fixed number of edits.
  public Fuzziness withEdits(int fixed) {
    return new Fuzziness(
        Math.clamp(fixed, 0, 2), 0, 0, prefixLength, expansionsMax, withTranspositions);
  }

  /// What follows the point of a number is cut off, as Elasticsearch does.
  private static String text(@Nullable JsonNode given, String whenAbsent) {
    return given == null || given.isNull()
        ? whenAbsent
        : given.isNumber() ? Integer.toString(given.intValue()) : given.asText();
  }

  private static int[] edits(String text) {
    String upper = text.toUpperCase(Locale.ROOT);
    try {
      if (upper.equals("AUTO")) {
        return new int[] {-1, 3, 6};
      }
      if (upper.startsWith("AUTO:")) {
        String[] lengths = upper.substring(5).split(",", -1);
        int low = Integer.parseInt(lengths[0]);
        int high = Integer.parseInt(lengths[1]);
        if (lengths.length == 2 && low >= 0 && low <= high) {
          return new int[] {-1, low, high};
        }
      } else {
        double edits = Double.parseDouble(upper);
        if (edits == 0 || edits == 1 || edits == 2) {
          return new int[] {(int) edits, 0, 0};
        }
      }
    } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
      throw new Refusal(ErrorType.ILLEGAL_ARGUMENT, "Invalid fuzziness value: " + text, e);
    }
    throw Refusal.badArgument("Invalid fuzziness value: " + text);
  }

  /// Edits allowed for a text of so many letters; none in longer ones than anybody misspells: an
  /// automaton of all that is nearly the same takes a minute for a text of some thousands.
  public int edits(int length) {
    if (length > LETTERS_MAX) {
      return 0;
    }
    if (edits >= 0) {
      return edits;
    }
    return length < lowLength ? 0 : length < highLength ? 1 : 2;
  }

  /// @param rewrite null for Lucene's own
  public Query query(String field, String text, MultiTermQuery.@Nullable RewriteMethod rewrite) {
    return new FuzzyQuery(
        new Term(field, text),
        edits(text.codePointCount(0, text.length())),
        prefixLength,
        expansionsMax,
        withTranspositions,
        rewrite == null
            ? new CountedExpansion(FuzzyQuery.defaultRewriteMethod(expansionsMax))
            : rewrite);
  }
}
