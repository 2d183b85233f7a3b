package dev.holdfast.script.runtime;

/// What regular expressions of scripts may do.
///
/// @param isAllowed `script.painless.regex.enabled`: false refuses scripts that have any
/// @param factor `script.painless.regex.limit-factor`: looks at each character of a text;
///   [#UNLIMITED] for as many as they like
public record RegexRule(boolean isAllowed, int factor) {
  public static final int FACTOR_DEFAULT = 6;
  public static final int UNLIMITED = Integer.MAX_VALUE;

  public static final RegexRule LIMITED = new RegexRule(true, FACTOR_DEFAULT);

  private static final ScopedValue<RegexRule> BOUND = ScopedValue.newInstance();

  /// The rule of the node that the thread works for.
  public static RegexRule current() {
    return BOUND.isBound() ? BOUND.get() : LIMITED;
  }

  /// Makes this the rule wherever the other values hold.
  public ScopedValue.Carrier beside(ScopedValue.Carrier others) {
    return others.where(BOUND, this);
  }
}
