package dev.holdfast.document.mapping;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

final class MappingLimitsTest {
  private static final SortedMap<String, Object> UNLIMITED =
      new TreeMap<>(Map.of("index.mapping.total_fields.limit", "100000000"));

  private static ObjectNode fields(long count) {
    ObjectNode mapping = Json.object();
    ObjectNode properties = mapping.putObject("properties");
    for (long i = 0; i < count; i++) {
      properties.putObject("f" + i).put("type", "long");
    }
    return mapping;
  }

  @Test
  void aMappingOfMoreFieldsThanTheHeapHasRoomForIsRefusedWhenItGrows() {
    long tooMany = Runtime.getRuntime().maxMemory() / 2 / (16 << 10) + 1;
    ObjectNode large = fields(tooMany);
    IndexMapping empty = IndexMapping.create(Json.object(), UNLIMITED);

    Refusal refusal = catchThrowableOfType(Refusal.class, () -> empty.merge(large));

    assertThat(refusal.type()).isEqualTo(ErrorType.CIRCUIT_BREAKING);
    assertThat(refusal.metadata()).containsEntry("durability", "PERMANENT");
    assertThatCode(() -> empty.merge(fields(1000))).doesNotThrowAnyException();
    // What is there is read, by a node with a smaller heap too.
    assertThatCode(() -> IndexMapping.create(large, UNLIMITED)).doesNotThrowAnyException();
  }
}
