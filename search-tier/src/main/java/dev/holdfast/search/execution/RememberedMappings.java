package dev.holdfast.search.execution;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.document.Mapping;
import dev.holdfast.document.MappingFactory;
import dev.holdfast.world.concurrent.RecentlyUsed;
import java.util.SortedMap;

/// Mappings without settings, as results that travel name their fields: the same few are asked for
/// again and again, so those asked for last are kept.
final class RememberedMappings implements MappingFactory {
  private static final int MAPPINGS_MAX = 1_000;

  /// Longer ones are not worth their memory.
  private static final int LENGTH_MAX = 10_000;

  /// Of the heap, what all of them may take: one part in so many.
  private static final int HEAP_SHARE = 128;

  /// What a mapping takes for each character of its text, and by itself, about: its JSON, its
  /// fields with their analysers.
  private static final long CHARACTER_BYTES = 24;

  private static final long MAPPING_BYTES = 2_048;

  private final MappingFactory factory;
  private final RecentlyUsed<String, Mapping> made;

  RememberedMappings(MappingFactory factory) {
    this(factory, RecentlyUsed.ofHeap(MAPPINGS_MAX, HEAP_SHARE));
  }

  RememberedMappings(MappingFactory factory, RecentlyUsed<String, Mapping> made) {
    this.factory = factory;
    this.made = made;
  }

  @Override
  public Mapping create(ObjectNode mapping, SortedMap<String, Object> settings) {
    String text = settings.isEmpty() ? mapping.toString() : "";
    if (text.isEmpty() || text.length() > LENGTH_MAX) {
      return factory.create(mapping, settings);
    }
    Mapping known = made.find(text);
    if (known != null) {
      return known;
    }
    Mapping created = factory.create(mapping, settings);
    made.keep(text, created, MAPPING_BYTES + CHARACTER_BYTES * text.length());
    return created;
  }
}
