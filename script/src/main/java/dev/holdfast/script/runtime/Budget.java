package dev.holdfast.script.runtime;

/// What a script may allocate in one execution, kept by thread: methods that scripts call have no
/// other way to know which script calls them.
public final class Budget {
  /// Of what is counted: texts, arrays, and what is copied from list to list.
  static final long BYTES_MAX =
      Math.min(256L << 20, Math.max(16L << 20, Runtime.getRuntime().maxMemory() / 8));

  private static final ThreadLocal<Budget> CURRENT = ThreadLocal.withInitial(Budget::new);

  private long bytes;

  private Budget() {}

  static void begin() {
    CURRENT.get().bytes = 0;
  }

  /// That of this thread.
  public static Budget current() {
    return CURRENT.get();
  }

  /// What the execution has had by now: who runs a script inside of another takes this before, and
  /// gives it back after, lest the outer one begins anew.
  public long used() {
    return bytes;
  }

  /// Goes on with an outer execution.
  ///
  /// @param before what [#used] said before the inner one
  public void resume(long before) {
    bytes += before;
  }

  /// @throws ScriptLimitError when the execution has had its share
  public static void charge(long more) {
    Budget budget = CURRENT.get();
    budget.bytes += more;
    if (more < 0 || budget.bytes > BYTES_MAX) {
      throw new ScriptLimitError(
          "The maximum number of bytes ["
              + BYTES_MAX
              + "] that a script can allocate has been"
              + " reached.");
    }
  }
}
