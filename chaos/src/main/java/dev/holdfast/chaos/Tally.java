package dev.holdfast.chaos;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;

/// Counts of a whole run.
final class Tally {
  final LongAdder acknowledged = new LongAdder();
  final LongAdder refused = new LongAdder();
  final LongAdder withoutAnswer = new LongAdder();
  final LongAdder checked = new LongAdder();
  final Queue<String> unexpected = new ConcurrentLinkedQueue<>();
  final Queue<String> violations = new ConcurrentLinkedQueue<>();
}
