package dev.holdfast.script.runtime;

/// What regular expressions of scripts may do in this process.
///
/// @param isAllowed `script.painless.regex.enabled`: false refuses scripts that have any
/// @param factor `script.painless.regex.limit-factor`: looks at each character of a text;
///   [#UNLIMITED] for as many as they like
public record RegexRule(boolean isAllowed, int factor) {
  public static final int FACTOR_DEFAULT = 6;
  public static final int UNLIMITED = Integer.MAX_VALUE;

  public static final RegexRule LIMITED = new RegexRule(true, FACTOR_DEFAULT);

  private static volatile RegexRule current = LIMITED;

  /// The rule that nodes of this process obey.
  public static RegexRule current() {
    return current;
  }

  /// Set when a node starts, before it compiles anything.
  public static void obey(RegexRule rule) {
    current = rule;
  }
}
