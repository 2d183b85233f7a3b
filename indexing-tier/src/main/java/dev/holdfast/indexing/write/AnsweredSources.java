package dev.holdfast.indexing.write;

import dev.holdfast.indexing.operation.WriteOperation;
import dev.holdfast.indexing.operation.WriteOperation.Kind;
import dev.holdfast.world.CircuitBreaker;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.Reservation;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The documents that a request's updates are answered with. All of them are there until the
/// request is answered, so they are asked for before an update is written.
final class AnsweredSources implements AutoCloseable {
  /// A document is in its result, and up to three times in the answer while that grows. By then the
  /// document is written, and nothing can be refused.
  private static final int TIMES = 4;

  private final List<WriteOperation> operations;
  private final Reservation memory;

  /// Bytes by slot: an update that is tried again makes its document anew.
  private final Map<Integer, Long> asked = new HashMap<>();

  AnsweredSources(List<WriteOperation> operations, CircuitBreaker breaker) {
    this.operations = operations;
    this.memory = breaker.begin("<updated_documents>");
  }

  /// Whether the result of an operation has the document.
  boolean isShown(int slot) {
    WriteOperation operation = operations.get(slot);
    return operation.kind() == Kind.UPDATE && !operation.isSourceUnwanted();
  }

  /// Asks for the memory of a document, if its result has it.
  ///
  /// @throws Refusal when there is none (429)
  void ask(int slot, int bytes) {
    long before = asked.getOrDefault(slot, 0L);
    long wanted = (long) TIMES * bytes;
    if (isShown(slot) && wanted > before) {
      memory.add(wanted - before);
      asked.put(slot, wanted);
    }
  }

  @Override
  public void close() {
    memory.close();
  }
}
