package dev.holdfast.document.mapping.tree;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.world.text.Wildcards;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The `includes` and `excludes` of a mapping's `_source`.
public record SourcePatterns(List<String> included, List<String> excluded) {
  public static SourcePatterns read(JsonNode source) {
    return new SourcePatterns(patterns(source.get("includes")), patterns(source.get("excludes")));
  }

  private static List<String> patterns(@Nullable JsonNode json) {
    List<String> patterns = new ArrayList<>();
    if (json != null && json.isArray()) {
      json.forEach(pattern -> patterns.add(pattern.asText()));
    } else if (json != null && !json.isNull()) {
      patterns.add(json.asText());
    }
    return List.copyOf(patterns);
  }

  /// Whether documents are kept as they are.
  public boolean keepsAll() {
    return included.isEmpty() && excluded.isEmpty();
  }

  public boolean includesAll() {
    return included.isEmpty();
  }

  public boolean includes(String path) {
    return included.stream().anyMatch(pattern -> Wildcards.matches(pattern, path));
  }

  public boolean excludes(String path) {
    return excluded.stream().anyMatch(pattern -> Wildcards.matches(pattern, path));
  }
}
