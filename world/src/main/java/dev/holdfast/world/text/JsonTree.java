package dev.holdfast.world.text;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.world.Json;
import dev.holdfast.world.Reservation;
import dev.holdfast.world.WorkMemory;
import org.jspecify.annotations.Nullable;

/// A text of JSON as a tree, for as long as somebody looks at it: a document of a few megabytes may
/// be one of hundreds. Its memory is drawn from the budget of the work before it is made, and given
/// back when it is closed; where no budget is bound nothing is asked.
public final class JsonTree implements AutoCloseable {
  /// Trees of shorter texts are not asked for.
  public static final int SMALL_MAX_BYTES = 64 << 10;

  private final JsonNode root;
  private final @Nullable Reservation memory;

  private JsonTree(JsonNode root, @Nullable Reservation memory) {
    this.root = root;
    this.memory = memory;
  }

  /// Of a text that a node has written, or that was accepted before.
  ///
  /// @throws dev.holdfast.world.Refusal as [Json#parse], `circuit_breaking_exception` (429) when
  ///   the budget has no more
  public static JsonTree of(byte[] bytes, int offset, int length) {
    return of(bytes, offset, length, 1);
  }

  /// The same of a whole array.
  public static JsonTree of(byte[] bytes) {
    return of(bytes, 0, bytes.length, 1);
  }

  /// One of which copies are made while it is open.
  ///
  /// @param count of all of them, with the tree itself
  public static JsonTree of(byte[] bytes, int offset, int length, int count) {
    Reservation memory = length > SMALL_MAX_BYTES ? WorkMemory.part() : null;
    try {
      if (memory != null) {
        memory.add(count * JsonMemory.ofText(bytes, offset, length));
      }
      return new JsonTree(Json.parse(bytes, offset, length), memory);
    } catch (RuntimeException | Error e) {
      if (memory != null) {
        memory.close();
      }
      throw e;
    }
  }

  /// Asks for the memory of a tree that is kept for as long as the work goes on, before it is made.
  ///
  /// @throws dev.holdfast.world.Refusal `circuit_breaking_exception` (429)
  public static void askFor(byte[] bytes, int offset, int length) {
    if (length > SMALL_MAX_BYTES) {
      WorkMemory.add(JsonMemory.ofText(bytes, offset, length));
    }
  }

  public JsonNode root() {
    return root;
  }

  @Override
  public void close() {
    if (memory != null) {
      memory.close();
    }
  }
}
