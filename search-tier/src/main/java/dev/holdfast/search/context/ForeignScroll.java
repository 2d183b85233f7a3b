package dev.holdfast.search.context;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// The id of a scroll that Elasticsearch gave: a client that moved here may still hold some. They
/// name nodes that are not ours.
final class ForeignScroll {
  private static final String WITH_UUIDS = "include_context_uuid";
  private static final int CONTEXTS_MAX = 100_000;

  private ForeignScroll() {}

  /// @return the nodes that it names; empty when it is no such id
  static Optional<SortedSet<String>> nodes(String text) {
    try {
      ByteBuffer in = ByteBuffer.wrap(Base64.getUrlDecoder().decode(text));
      String first = string(in);
      boolean hasUuids = WITH_UUIDS.equals(first);
      String type = hasUuids ? string(in) : first;
      int contexts = number(in);
      if (type == null || !type.startsWith("query") || contexts < 1 || contexts > CONTEXTS_MAX) {
        return Optional.empty();
      }
      SortedSet<String> nodes = new TreeSet<>();
      for (int i = 0; i < contexts; i++) {
        if (hasUuids) {
          string(in);
        }
        in.getLong();
        String node = string(in);
        if (node == null) {
          return Optional.empty();
        }
        nodes.add(node.substring(node.indexOf(':') + 1));
      }
      return in.hasRemaining() ? Optional.empty() : Optional.of(nodes);
    } catch (IllegalArgumentException | BufferUnderflowException e) {
      return Optional.empty();
    }
  }

  private static @Nullable String string(ByteBuffer in) {
    int length = number(in);
    if (length < 0 || length > in.remaining()) {
      return null;
    }
    byte[] bytes = new byte[length];
    in.get(bytes);
    return new String(bytes, StandardCharsets.UTF_8);
  }

  /// Seven bits a byte, the lowest first; all but the last have the highest bit set.
  private static int number(ByteBuffer in) {
    int number = 0;
    for (int shift = 0; shift < Integer.SIZE; shift += 7) {
      byte next = in.get();
      number |= (next & 0x7F) << shift;
      if (next >= 0) {
        return number;
      }
    }
    return -1;
  }
}
