package dev.holdfast.simulation.linear;

import dev.holdfast.simulation.linear.DocumentCall.Answer;
import dev.holdfast.simulation.linear.DocumentCall.Request;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/// Judges the history of one document.
///
/// Values are unique and answers tell sequence numbers, so the order of most writes is known and
/// the search mostly finds places for reads. Writes without an answer whose value nobody has seen
/// are the hard part: each may have happened at any time or never.
public final class Linearizability {
  private Linearizability() {}

  /// What was found.
  public sealed interface Verdict {
    /// There is an order that explains every answer.
    record Linearizable() implements Verdict {}

    /// There is none.
    record Broken(String why) implements Verdict {}

    /// The search took too many steps.
    record Undecided(int steps) implements Verdict {}
  }

  /// A value that somebody saw outside of real-time gets, for instance in a search.
  ///
  /// @param value of the write
  /// @param seqNo that was shown with it
  public record Sight(long value, long seqNo) {}

  /// @param calls of one document, in any order
  /// @param sights of the same document
  public static Verdict judge(List<DocumentCall> calls, List<Sight> sights) {
    Map<Long, TreeSet<Long>> numbers = new HashMap<>();
    for (DocumentCall call : calls) {
      if (call.answer() instanceof Answer.Shown shown) {
        numbers.computeIfAbsent(shown.value(), _ -> new TreeSet<>()).add(shown.seqNo());
      } else if (call.request() instanceof Request.Write write
          && call.answer() instanceof Answer.Done done
          && done.effect() != DocumentCall.Effect.NOOP) {
        numbers.computeIfAbsent(write.value(), _ -> new TreeSet<>()).add(done.seqNo());
      }
    }
    for (Sight sight : sights) {
      numbers.computeIfAbsent(sight.value(), _ -> new TreeSet<>()).add(sight.seqNo());
    }
    List<String> twice = new ArrayList<>();
    Map<Long, Long> seen = new HashMap<>();
    numbers.forEach((value, of) -> {
      seen.put(value, of.first());
      if (of.size() > 1) {
        twice.add("a write happened more than once [value=" + value + ", seq_nos=" + of + "]");
      }
    });
    return twice.isEmpty()
        ? new OrderSearch(calls, seen).run()
        : new Verdict.Broken(twice.toString());
  }
}
