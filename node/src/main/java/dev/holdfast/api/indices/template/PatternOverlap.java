package dev.holdfast.api.indices.template;

import dev.holdfast.world.Refusal;
import java.util.List;

/// Whether some name is meant by patterns with `*` of two templates: of thousands of patterns each
/// is compared with each, while nobody else changes the cluster state.
final class PatternOverlap {
  /// Letters that are compared with letters for one request: some seconds.
  private static final long STEPS_MAX = 1_000_000_000;

  private long left;

  PatternOverlap() {
    this(STEPS_MAX);
  }

  /// @param stepsMax letters compared with letters
  PatternOverlap(long stepsMax) {
    left = stepsMax;
  }

  /// @throws Refusal 400 when that takes too long: they are too many, or too long
  boolean of(List<String> some, List<String> others) {
    return some.stream().anyMatch(a -> others.stream().anyMatch(b -> of(a, b)));
  }

  /// As above, of one pattern each.
  boolean of(String a, String b) {
    return b.length() <= a.length() ? ofShorter(a, b) : ofShorter(b, a);
  }

  private void take(long steps) {
    left -= steps;
    if (left < 0) {
      throw Refusal.badArgument(
          "the index patterns of templates are too many or too long to be compared with each other:"
              + " use fewer and shorter ones, or another priority");
    }
  }

  /// Letter by letter from the end, in two rows that are as long as the shorter one.
  private boolean ofShorter(String a, String b) {
    if (differ(a, b)) {
      return false;
    }
    take((a.length() + 1L) * (b.length() + 1L));
    boolean[] below = new boolean[b.length() + 1];
    boolean[] row = new boolean[b.length() + 1];
    for (int i = a.length(); i >= 0; i--) {
      boolean isStarA = i < a.length() && a.charAt(i) == '*';
      for (int j = b.length(); j >= 0; j--) {
        boolean isStarB = j < b.length() && b.charAt(j) == '*';
        boolean isMeant = i == a.length() && j == b.length();
        if (isStarA) {
          isMeant |= below[j] || (j < b.length() && row[j + 1]);
        }
        if (isStarB) {
          isMeant |= row[j + 1] || (i < a.length() && below[j]);
        }
        if (i < a.length() && j < b.length() && a.charAt(i) == b.charAt(j)) {
          isMeant |= below[j + 1];
        }
        row[j] = isMeant;
      }
      boolean[] done = row;
      row = below;
      below = done;
    }
    return below[0];
  }

  /// Whether a letter before any `*` says that no name is meant by both, which it does for most.
  private boolean differ(String a, String b) {
    int length = Math.min(a.length(), b.length());
    int i = 0;
    while (i < length && a.charAt(i) != '*' && a.charAt(i) == b.charAt(i)) {
      i++;
    }
    take(i + 1L);
    return i < length && a.charAt(i) != '*' && b.charAt(i) != '*';
  }
}
