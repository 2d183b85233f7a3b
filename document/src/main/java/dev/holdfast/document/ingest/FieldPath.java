package dev.holdfast.document.ingest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import dev.holdfast.world.Refusal;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A field of a document in a pipeline, as processors name it: `a.b.0`, `_ingest.timestamp`,
/// `_source.a`, `_index`.
///
/// @param steps at least one
public record FieldPath(String text, Root root, List<String> steps) {
  /// What may be changed of a document besides its source.
  static final Set<String> METADATA =
      Set.of(
          "_index",
          "_id",
          "_routing",
          "_version",
          "_version_type",
          "_if_seq_no",
          "_if_primary_term",
          "_dynamic_templates");

  /// Where a path begins.
  enum Root {
    SOURCE,
    METADATA,
    INGEST
  }

  /// Refuses a value that metadata cannot have.
  ///
  /// @param value null where it is taken away
  /// @throws Refusal `illegal_argument_exception`
  void requireFit(@Nullable JsonNode value) {
    if (root != Root.METADATA) {
      return;
    }
    JsonNode given = value == null ? NullNode.getInstance() : value;
    if (given.isNull() && (text.equals("_index") || text.equals("_version"))) {
      throw Refusal.badArgument(text + " cannot be removed");
    }
    boolean fits =
        given.isNull()
            || switch (text) {
              case "_dynamic_templates" -> given.isObject();
              case "_version", "_if_seq_no", "_if_primary_term" -> given.isIntegralNumber();
              default -> given.isValueNode();
            };
    if (!fits) {
      throw Refusal.badArgument(text + " is wrong type: " + IngestDocument.typeName(given));
    }
  }

  public static FieldPath of(String text) {
    if (text.isEmpty()) {
      throw Refusal.badArgument("path cannot be null nor empty");
    }
    Root root = Root.SOURCE;
    String rest = text;
    if (text.startsWith("_ingest.")) {
      root = Root.INGEST;
      rest = text.substring("_ingest.".length());
    } else if (text.startsWith("_source.")) {
      rest = text.substring("_source.".length());
    } else if (METADATA.contains(text)) {
      root = Root.METADATA;
    }
    List<String> steps = List.of(rest.split("\\."));
    if (steps.isEmpty() || steps.contains("")) {
      throw Refusal.badArgument("path [" + text + "] is not valid");
    }
    return new FieldPath(text, root, steps);
  }
}
