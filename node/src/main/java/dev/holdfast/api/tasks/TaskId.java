package dev.holdfast.api.tasks;

import dev.holdfast.world.Refusal;
import org.jspecify.annotations.Nullable;

/// The name of a task: its node and its number there.
public record TaskId(String node, long number) {
  /// @throws Refusal `illegal_argument_exception` when it is not `node:number`
  static TaskId parse(String text) {
    int colon = text.lastIndexOf(':');
    try {
      if (colon > 0) {
        return new TaskId(text.substring(0, colon), Long.parseLong(text.substring(colon + 1)));
      }
    } catch (NumberFormatException e) {
      throw Refusal.badArgument("malformed task id " + text);
    }
    throw Refusal.badArgument("malformed task id " + text);
  }

  /// The node that such a name says; null when it says none.
  public static @Nullable String node(String text) {
    int colon = text.lastIndexOf(':');
    return colon > 0 ? text.substring(0, colon) : null;
  }

  @Override
  public String toString() {
    return node + ":" + number;
  }
}
