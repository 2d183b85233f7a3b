package dev.holdfast.simulation.linear;

import dev.holdfast.simulation.linear.DocumentCall.Answer;
import dev.holdfast.simulation.linear.DocumentCall.Condition;
import dev.holdfast.simulation.linear.DocumentCall.Effect;
import dev.holdfast.simulation.linear.DocumentCall.Kind;
import dev.holdfast.simulation.linear.DocumentCall.Request;
import dev.holdfast.simulation.linear.Linearizability.Verdict;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/// Looks for an order of calls that keeps to real time and to the rules of [DocumentState]: depth
/// first; a set of calls that were placed and the states they lead to are tried once (Lowe 2017).
/// Where a rule allows several states, all are carried along.
final class OrderSearch {
  private static final int STEPS_MAX = 400_000;
  private static final int TOLD_MAX = 14;

  /// The value of every write that nobody has seen: they are alike.
  private static final long UNSEEN = Long.MIN_VALUE;

  private final List<DocumentCall> calls;
  private final Map<Long, Long> seen;
  private final Map<Long, Long> versions = new HashMap<>();
  private final int answered;
  private final Set<Tried> tried = new HashSet<>();
  private int steps;
  private int mostPlaced = -1;
  private Place furthest;

  private record Tried(BitSet placed, Set<DocumentState> states) {}

  /// What sets writes without an answer and without a witness apart.
  private record Likeness(Kind kind, Condition condition) {}

  /// How far an order has come.
  private record Place(BitSet placed, int answeredPlaced, Set<DocumentState> states) {}

  /// @param seen the sequence number of each value that anybody was shown or told
  OrderSearch(List<DocumentCall> calls, Map<Long, Long> seen) {
    this.calls =
        calls.stream()
            .filter(call -> call.isAnswered() || call.request() instanceof Request.Write)
            .sorted(Comparator.comparingLong(DocumentCall::begin))
            .toList();
    this.seen = seen;
    this.calls.forEach(this::learnVersion);
    this.answered = (int) this.calls.stream().filter(DocumentCall::isAnswered).count();
    this.furthest = new Place(new BitSet(), 0, Set.of(DocumentState.NONE));
  }

  /// What has a sequence number has one version: an order that gives it another one leads nowhere,
  /// which is known long before the read is placed that shows it.
  private void learnVersion(DocumentCall call) {
    switch (call.answer()) {
      case Answer.Shown shown -> versions.putIfAbsent(shown.seqNo(), shown.version());
      case Answer.Done done when done.effect() != Effect.NOOP ->
          versions.putIfAbsent(done.seqNo(), done.version());
      default -> {}
    }
  }

  private boolean isOfItsVersion(DocumentState state) {
    Long version = state.isSeqNoKnown() ? versions.get(state.seqNo()) : null;
    return version == null || version == state.version();
  }

  Verdict run() {
    Deque<Place> open = new ArrayDeque<>();
    open.push(furthest);
    while (!open.isEmpty()) {
      Place place = settled(open.pop());
      if (place.answeredPlaced > mostPlaced) {
        mostPlaced = place.answeredPlaced;
        furthest = place;
      }
      if (place.answeredPlaced == answered) {
        return new Verdict.Linearizable();
      }
      if (++steps > STEPS_MAX) {
        return new Verdict.Undecided(steps);
      }
      if (tried.add(new Tried(place.placed, place.states))) {
        List<Place> next = next(place);
        for (int i = next.size() - 1; i >= 0; i--) {
          open.push(next.get(i)); // the first is tried first
        }
      }
    }
    return new Verdict.Broken(explanation());
  }

  /// Places what changes and decides nothing: it can as well come now as later.
  private Place settled(Place from) {
    Place place = from;
    boolean isChanged = true;
    while (isChanged) {
      isChanged = false;
      long horizon = horizon(place.placed);
      for (int i = place.placed.nextClearBit(0);
          isBegun(i, horizon);
          i = place.placed.nextClearBit(i + 1)) {
        DocumentCall call = calls.get(i);
        if (call.isAnswered() && after(place.states, call).equals(place.states)) {
          place = with(place, i, place.states);
          isChanged = true;
        }
      }
    }
    return place;
  }

  private List<Place> next(Place place) {
    List<Place> next = new ArrayList<>();
    List<Place> lateResorts = new ArrayList<>();
    Set<Likeness> offered = new HashSet<>();
    long horizon = horizon(place.placed);
    long lowest = lowestNumber(place.placed, horizon);
    for (int i = place.placed.nextClearBit(0);
        isBegun(i, horizon);
        i = place.placed.nextClearBit(i + 1)) {
      DocumentCall call = calls.get(i);
      if (number(call) > lowest) {
        continue;
      }
      boolean isUnseen = !call.isAnswered() && !seen.containsKey(value(call));
      if (isUnseen && !offered.add(likeness(call))) {
        continue; // one that is like it and began before can be taken wherever this one could
      }
      Set<DocumentState> states = after(place.states, call);
      if (!states.isEmpty()) {
        (isUnseen ? lateResorts : next).add(with(place, i, states));
      }
    }
    next.addAll(lateResorts);
    return next;
  }

  /// Writes happen in the order of their numbers.
  private long lowestNumber(BitSet placed, long horizon) {
    long lowest = Long.MAX_VALUE;
    for (int i = placed.nextClearBit(0); isBegun(i, horizon); i = placed.nextClearBit(i + 1)) {
      long number = number(calls.get(i));
      lowest = number < 0 ? lowest : Math.min(lowest, number);
    }
    return lowest;
  }

  /// The sequence number of a write; -1 when it has none that is known, or is none.
  private long number(DocumentCall call) {
    if (!(call.request() instanceof Request.Write write)) {
      return -1;
    }
    return switch (call.answer()) {
      case Answer.Done done -> done.effect() == Effect.NOOP ? -1 : done.seqNo();
      case Answer.Unknown _ -> seen.getOrDefault(write.value(), -1L);
      default -> -1;
    };
  }

  private boolean isBegun(int call, long horizon) {
    return call < calls.size() && calls.get(call).begin() <= horizon;
  }

  /// Nothing that began after it can come before the call that ended then.
  private long horizon(BitSet placed) {
    long horizon = DocumentCall.NEVER;
    for (int i = placed.nextClearBit(0); i < calls.size(); i = placed.nextClearBit(i + 1)) {
      if (calls.get(i).begin() > horizon) {
        break;
      }
      horizon = Math.min(horizon, calls.get(i).end());
    }
    return horizon;
  }

  private Set<DocumentState> after(Set<DocumentState> states, DocumentCall call) {
    Set<DocumentState> all = new LinkedHashSet<>();
    for (DocumentState state : states) {
      if (call.isAnswered()) {
        all.addAll(state.after(call.request(), call.answer()));
      } else {
        Long number = seen.get(value(call));
        all.addAll(
            state.afterUnknown(
                (Request.Write) call.request(),
                number == null ? UNSEEN : value(call),
                number == null ? -1 : number));
      }
    }
    all.removeIf(state -> !isOfItsVersion(state));
    return all;
  }

  private Place with(Place place, int call, Set<DocumentState> states) {
    BitSet placed = (BitSet) place.placed.clone();
    placed.set(call);
    return new Place(placed, place.answeredPlaced + (calls.get(call).isAnswered() ? 1 : 0), states);
  }

  private static long value(DocumentCall call) {
    return ((Request.Write) call.request()).value();
  }

  private static Likeness likeness(DocumentCall call) {
    Request.Write write = (Request.Write) call.request();
    return new Likeness(write.kind(), write.condition());
  }

  private String explanation() {
    long horizon = horizon(furthest.placed);
    String left =
        calls.stream()
            .filter(call -> call.end() >= horizon || !furthest.placed.get(calls.indexOf(call)))
            .filter(DocumentCall::isAnswered)
            .limit(TOLD_MAX)
            .map(call -> (furthest.placed.get(calls.indexOf(call)) ? "  placed " : "  ") + call)
            .collect(Collectors.joining("\n"));
    String open =
        calls.stream()
            .filter(call -> !call.isAnswered() && call.begin() <= horizon)
            .map(call -> "  " + call)
            .collect(Collectors.joining("\n"));
    return "no order explains the answers [placed="
        + furthest.answeredPlaced
        + ", of="
        + answered
        + "]: after that the document would be "
        + furthest.states
        + ", but\n"
        + left
        + "\nwithout an answer:\n"
        + open;
  }
}
