package dev.holdfast.world;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/// Names that a misspelt one may have meant.
public final class Suggestions {
  private static final float SIMILARITY_MIN = 0.5f;
  private static final int SUGGESTIONS_MAX = 5;

  private Suggestions() {}

  /// The names of `known` whose edit distance to `name` is at most half the longer length; nearest
  /// first, then by name.
  public static List<String> near(String name, Collection<String> known) {
    record Scored(String name, float similarity) {}
    List<Scored> scored = new ArrayList<>();
    for (String candidate : known) {
      int longer = Math.max(name.length(), candidate.length());
      if (longer > 0 && 2L * Math.min(name.length(), candidate.length()) <= longer) {
        continue; // as many letters as it lacks differ: more than half, whatever they are
      }
      float similarity = longer == 0 ? 1 : 1 - (float) distance(name, candidate) / longer;
      if (similarity > SIMILARITY_MIN) {
        scored.add(new Scored(candidate, similarity));
      }
    }
    scored.sort(
        Comparator.comparingDouble(Scored::similarity).reversed().thenComparing(Scored::name));
    return scored.stream().limit(SUGGESTIONS_MAX).map(Scored::name).toList();
  }

  /// The message with what is near: one name, or several.
  public static String didYouMean(String message, String name, Collection<String> known) {
    List<String> near = near(name, known);
    return switch (near.size()) {
      case 0 -> message;
      case 1 -> message + " did you mean [" + near.getFirst() + "]?";
      default -> message + " did you mean any of " + near + "?";
    };
  }

  private static int distance(String a, String b) {
    int[] previous = new int[b.length() + 1];
    int[] current = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      previous[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      current[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int replace = previous[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        current[j] = Math.min(replace, 1 + Math.min(previous[j], current[j - 1]));
      }
      int[] swap = previous;
      previous = current;
      current = swap;
    }
    return previous[b.length()];
  }
}
