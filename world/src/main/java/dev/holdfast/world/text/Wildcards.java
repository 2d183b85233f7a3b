package dev.holdfast.world.text;

/// Patterns of names in which `*` stands for any text, the empty one included.
public final class Wildcards {
  private Wildcards() {}

  public static boolean isPattern(String name) {
    return name.indexOf('*') >= 0;
  }

  /// Whether the whole name is what the pattern says, compared in at most as many steps as the
  /// product of their lengths.
  public static boolean matches(String pattern, String name) {
    int p = 0;
    int n = 0;
    int star = -1;
    int resume = 0;
    while (n < name.length()) {
      if (p < pattern.length() && pattern.charAt(p) == '*') {
        star = p++;
        resume = n;
      } else if (p < pattern.length() && pattern.charAt(p) == name.charAt(n)) {
        p++;
        n++;
      } else if (star >= 0) {
        p = star + 1;
        n = ++resume;
      } else {
        return false;
      }
    }
    while (p < pattern.length() && pattern.charAt(p) == '*') {
      p++;
    }
    return p == pattern.length();
  }
}
