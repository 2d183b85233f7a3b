package dev.holdfast.document.ingest;

import dev.holdfast.world.Refusal;
import java.util.List;
import java.util.Set;

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
