package dev.holdfast.query.request;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.world.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/// How a search for what is in one group travels between nodes: the body of the search inside, and
/// beside it what the group is. Clients cannot send it: a body of theirs is never read as one.
///
/// @param outer what the group's documents must match besides
/// @param value of the field collapsed on; null for documents without one
public record CollapsedGroupBody(ObjectNode outer, String field, @Nullable Object value) {
  private static final String MEMBER = "_group";

  static ObjectNode of(ObjectNode outer, ObjectNode inner, String field, @Nullable Object value) {
    ObjectNode body = inner.deepCopy();
    ObjectNode group = body.putObject(MEMBER);
    group.put("field", field);
    switch (value) {
      case null -> {}
      case Long number -> group.put("number", number);
      case BytesRef term ->
          group.put("term", Arrays.copyOfRange(term.bytes, term.offset, term.offset + term.length));
      default -> throw new IllegalStateException("group value of " + value.getClass());
    }
    ObjectNode kept = group.putObject("outer");
    for (String member : new String[] {"query", "post_filter", "min_score", "runtime_mappings"}) {
      JsonNode given = outer.get(member);
      if (given != null) {
        kept.set(member, given);
      }
    }
    return body;
  }

  /// Takes what the group is out of the body; null when it is none.
  public static @Nullable CollapsedGroupBody take(ObjectNode body) {
    if (!(body.remove(MEMBER) instanceof ObjectNode group)) {
      return null;
    }
    Object value = null;
    if (group.has("number")) {
      value = group.get("number").longValue();
    } else if (group.has("term")) {
      try {
        value = new BytesRef(group.get("term").binaryValue());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    ObjectNode outer = group.get("outer") instanceof ObjectNode given ? given : Json.object();
    return new CollapsedGroupBody(outer, group.path("field").asText(), value);
  }
}
