package dev.holdfast.query.aggregation.kernel;

import dev.holdfast.compoundcommit.call.WireInput;
import dev.holdfast.document.MappingFactory;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

/// Bytes of partial results from another node, or from the cache. Read by one thread.
public final class PartialInput {
  private final WireInput data;
  private final MappingFactory mappings;

  /// Each bucket says how its values are shown, mostly as the one before.
  private final Map<String, DisplayFormat> shown = new HashMap<>();

  /// @param mappings makes the field types again that say how values are shown
  public PartialInput(WireInput data, MappingFactory mappings) {
    this.data = data;
    this.mappings = mappings;
  }

  public WireInput data() {
    return data;
  }

  MappingFactory mappings() {
    return mappings;
  }

  /// What was read before of the same text, or is made now.
  DisplayFormat shown(String text, Supplier<DisplayFormat> making) {
    DisplayFormat known = shown.get(text);
    if (known == null) {
      known = making.get();
      shown.put(text, known);
    }
    return known;
  }
}
