package dev.holdfast.api.search;

import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.http.Answer;
import dev.holdfast.world.ByteSize;
import dev.holdfast.world.CircuitBreaker;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// The memory of the answers that async searches keep: each within
/// `search.max_async_search_response_size`, all within a share of the heap, and all drawn from the
/// `request` breaker until their searches are forgotten.
final class StoredResponses {
  static final String SIZE_MAX = "search.max_async_search_response_size";
  private static final String SIZE_MAX_DEFAULT = "10mb";

  /// All of them may hold one part in so many of the heap.
  private static final int HEAP_SHARE = 16;

  private static final String LABEL = "<async_search>";

  private final Metadata metadata;
  private final CircuitBreaker breaker;
  private final long bytesMax;
  private final AtomicLong bytes = new AtomicLong();

  StoredResponses(Metadata metadata, CircuitBreaker breaker) {
    this(metadata, breaker, Runtime.getRuntime().maxMemory() / HEAP_SHARE);
  }

  /// @param bytesMax of all
  StoredResponses(Metadata metadata, CircuitBreaker breaker, long bytesMax) {
    this.metadata = metadata;
    this.breaker = breaker;
    this.bytesMax = bytesMax;
  }

  /// Keeps an answer.
  ///
  /// @throws Refusal `illegal_argument_exception` for one that is too large by itself, 429 when
  ///   there is no room for it beside the others; nothing is held then
  StoredResponse keep(Answer.Writer response) throws IOException {
    long sizeMax = sizeMax();
    Held held = new Held();
    try {
      return StoredResponse.of(
          response,
          more -> {
            if (held.bytes + more > sizeMax) {
              throw Refusal.badArgument(
                  "Can't store an async search response larger than ["
                      + sizeMax
                      + "] bytes. This limit can be set by changing the ["
                      + SIZE_MAX
                      + "] setting.");
            }
            take(more);
            held.bytes += more;
          });
    } catch (IOException | RuntimeException e) {
      giveBack(held.bytes);
      throw e;
    }
  }

  private static final class Held {
    long bytes;
  }

  /// The answer is forgotten.
  void forget(StoredResponse response) {
    giveBack(response.bytes());
  }

  private void take(long more) {
    if (bytes.addAndGet(more) > bytesMax) {
      bytes.addAndGet(-more);
      throw full();
    }
    try {
      breaker.take(more, LABEL);
    } catch (Refusal e) {
      bytes.addAndGet(-more);
      throw e;
    }
  }

  private void giveBack(long held) {
    bytes.addAndGet(-held);
    breaker.giveBack(held);
  }

  private Refusal full() {
    return new Refusal(
        ErrorType.REJECTED_EXECUTION,
        "the answers of async searches that this node keeps take their share of its memory: delete"
            + " some, or keep them for a shorter time [max="
            + new ByteSize(bytesMax)
            + "]");
  }

  private long sizeMax() {
    @Nullable Object set = metadata.current().setting(SIZE_MAX);
    return ByteSize.parse(SIZE_MAX, set == null ? SIZE_MAX_DEFAULT : set.toString()).bytes();
  }
}
