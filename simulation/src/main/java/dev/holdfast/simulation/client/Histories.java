package dev.holdfast.simulation.client;

import dev.holdfast.simulation.linear.DocumentCall;
import dev.holdfast.simulation.linear.DocumentCall.Answer;
import dev.holdfast.simulation.linear.DocumentCall.Request;
import dev.holdfast.simulation.linear.Linearizability;
import dev.holdfast.simulation.linear.Linearizability.Sight;
import dev.holdfast.simulation.linear.Linearizability.Verdict;
import dev.holdfast.simulation.schedule.Alarm;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// What all clients asked of each document and were told, in the order in which it happened: at the
/// end each document is judged alone, for linearizability is a property of each.
public final class Histories {
  private final Alarm alarm;
  private final SortedMap<String, List<DocumentCall>> calls = new TreeMap<>();
  private final SortedMap<String, List<Sight>> sights = new TreeMap<>();
  private final SortedMap<Long, Unanswered> unanswered = new TreeMap<>();
  private long moment;

  private record Unanswered(String document, DocumentCall call) {}

  public Histories(Alarm alarm) {
    this.alarm = alarm;
  }

  /// A moment after all others.
  long now() {
    return ++moment;
  }

  void answered(String document, long begin, Request request, Answer answer) {
    if (request instanceof Request.Write write) {
      unanswered.remove(write.value());
    }
    add(document, DocumentCall.answered(begin, now(), request, answer));
  }

  /// A write is sent. One that is not answered may happen at any time.
  void begins(String document, long begin, Request.Write write) {
    unanswered.put(write.value(), new Unanswered(document, DocumentCall.unknown(begin, write)));
  }

  private void add(String document, DocumentCall call) {
    calls.computeIfAbsent(document, _ -> new ArrayList<>()).add(call);
  }

  /// A search showed the value of a write.
  void sighted(String document, long value, long seqNo) {
    sights.computeIfAbsent(document, _ -> new ArrayList<>()).add(new Sight(value, seqNo));
  }

  /// Raises the alarm for each document whose answers no order explains.
  public void judge() {
    unanswered.values().forEach(one -> add(one.document, one.call));
    unanswered.clear();
    calls.forEach((document, ofIt) -> {
      switch (Linearizability.judge(ofIt, sights.getOrDefault(document, List.of()))) {
        case Verdict.Linearizable() -> {}
        case Verdict.Broken(String why) ->
            alarm.violated("not linearizable [document=" + document + "]: " + why);
        case Verdict.Undecided(int steps) ->
            alarm.violated(
                "too much to judge [document="
                    + document
                    + ", calls="
                    + ofIt.size()
                    + ", steps="
                    + steps
                    + "]");
      }
    });
  }
}
