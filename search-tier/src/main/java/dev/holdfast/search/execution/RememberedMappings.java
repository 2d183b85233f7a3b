package dev.holdfast.search.execution;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.document.Mapping;
import dev.holdfast.document.MappingFactory;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/// Mappings without settings, as results that travel name their fields: the same few are asked for
/// again and again, so those asked for last are kept.
final class RememberedMappings implements MappingFactory {
  private static final int MAPPINGS_MAX = 1_000;

  /// Longer ones are not worth their memory.
  private static final int LENGTH_MAX = 10_000;

  private final MappingFactory factory;

  // Guarded by itself.
  private final LinkedHashMap<String, Mapping> made =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.@Nullable Entry<String, Mapping> eldest) {
          return size() > MAPPINGS_MAX;
        }
      };

  RememberedMappings(MappingFactory factory) {
    this.factory = factory;
  }

  @Override
  public Mapping create(ObjectNode mapping, SortedMap<String, Object> settings) {
    String text = settings.isEmpty() ? mapping.toString() : "";
    if (text.isEmpty() || text.length() > LENGTH_MAX) {
      return factory.create(mapping, settings);
    }
    synchronized (made) {
      Mapping known = made.get(text);
      if (known != null) {
        return known;
      }
    }
    Mapping created = factory.create(mapping, settings);
    synchronized (made) {
      made.put(text, created);
    }
    return created;
  }
}
