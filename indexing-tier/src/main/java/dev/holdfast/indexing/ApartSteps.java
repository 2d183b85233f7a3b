package dev.holdfast.indexing;

import java.util.HashSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The steps of a round that comes again and again: one that fails keeps none after it from its
/// turn, and is told of when it begins to fail, not in each round. Of one thread.
final class ApartSteps {
  private static final Logger LOG = LoggerFactory.getLogger(ApartSteps.class);

  private Set<String> failedBefore = Set.of();
  private Set<String> failed = new HashSet<>();

  /// The next round begins.
  void begin() {
    failedBefore = failed;
    failed = new HashSet<>();
  }

  /// Runs a step to its end, whatever that is.
  ///
  /// @param of what the step is done for, with a name for messages
  void run(String step, Object of, Runnable work) {
    try {
      work.run();
    } catch (RuntimeException | Error e) { // an error of one is none of the others
      String name = step + " of " + of;
      failed.add(name);
      if (!failedBefore.contains(name)) {
        LOG.error("a step failed, and is tried again with the next round [step={}]", name, e);
      }
    }
  }

  /// Steps that failed in this round, by name.
  Set<String> failed() {
    return failed;
  }
}
