package dev.holdfast.search.execution;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.document.Mapping;
import dev.holdfast.document.MappingFactory;
import dev.holdfast.document.mapping.StandardMappings;
import dev.holdfast.world.Json;
import dev.holdfast.world.concurrent.RecentlyUsed;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class RememberedMappingsTest {
  private static final long MEBIBYTE = 1 << 20;

  private final AtomicInteger made = new AtomicInteger();
  private final MappingFactory factory =
      (mapping, settings) -> {
        made.incrementAndGet();
        return new StandardMappings().create(mapping, settings);
      };

  /// @param words that make its text long
  private static ObjectNode mapping(int number, int words) {
    ObjectNode mapping = Json.object();
    mapping.putObject("_meta").put("number", number).put("words", "word ".repeat(words));
    return mapping;
  }

  private static Mapping create(RememberedMappings mappings, ObjectNode mapping) {
    return mappings.create(mapping, new TreeMap<>());
  }

  @Test
  void theSameMappingIsMadeOnce() {
    RememberedMappings mappings = new RememberedMappings(factory);

    Mapping first = create(mappings, mapping(1, 1));

    assertThat(create(mappings, mapping(1, 1))).isSameAs(first);
    assertThat(create(mappings, mapping(2, 1))).isNotSameAs(first);
    assertThat(made).hasValue(2);
  }

  /// Longer ones are more memory: a thousand of them are not kept.
  @Test
  void thoseThatAreKeptHaveRoomWithinBytes() {
    RecentlyUsed<String, Mapping> kept = new RecentlyUsed<>(1_000, MEBIBYTE);
    RememberedMappings mappings = new RememberedMappings(factory, kept);

    for (int i = 0; i < 1_000; i++) {
      assertThat(create(mappings, mapping(i, 1_500))).isNotNull();
    }

    assertThat(kept.count()).isBetween(1, 20);
  }
}
