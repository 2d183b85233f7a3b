package dev.holdfast.api.indices.template;

import java.util.List;

/// Whether some name is meant by two patterns with `*`.
final class PatternOverlap {
  private PatternOverlap() {}

  static boolean of(List<String> some, List<String> others) {
    return some.stream().anyMatch(a -> others.stream().anyMatch(b -> of(a, b)));
  }

  static boolean of(String a, String b) {
    boolean[][] known = new boolean[a.length() + 1][b.length() + 1];
    known[a.length()][b.length()] = true;
    for (int i = a.length(); i >= 0; i--) {
      for (int j = b.length(); j >= 0; j--) {
        boolean isStarA = i < a.length() && a.charAt(i) == '*';
        boolean isStarB = j < b.length() && b.charAt(j) == '*';
        if (isStarA) {
          known[i][j] |= known[i + 1][j] || (j < b.length() && known[i][j + 1]);
        }
        if (isStarB) {
          known[i][j] |= known[i][j + 1] || (i < a.length() && known[i + 1][j]);
        }
        if (i < a.length() && j < b.length() && a.charAt(i) == b.charAt(j)) {
          known[i][j] |= known[i + 1][j + 1];
        }
      }
    }
    return known[0][0];
  }
}
