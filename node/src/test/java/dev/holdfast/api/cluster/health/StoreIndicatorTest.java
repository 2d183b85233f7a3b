package dev.holdfast.api.cluster.health;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.world.Json;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// What the health report says of the object store.
final class StoreIndicatorTest {
  private static final SortedMap<String, String> NONE = new TreeMap<>();

  private static ObjectNode written(
      SortedMap<String, String> failing,
      SortedMap<String, String> unsteady,
      SortedMap<String, String> clocks) {
    ObjectNode indicator = Json.object();
    StoreIndicator.write(
        indicator, new NodeTroubles.Troubles(failing, unsteady, NONE, NONE, clocks, NONE));
    return indicator;
  }

  private static SortedMap<String, String> of(String node, String how) {
    return new TreeMap<>(Map.of(node, how));
  }

  @Test
  void aStoreThatDoesAllIsGreen() {
    ObjectNode green = written(NONE, NONE, NONE);

    assertThat(green.path("status").asText()).isEqualTo("green");
    assertThat(green.path("details").path("nodes")).isEmpty();
    assertThat(green.has("impacts")).isFalse();
  }

  @Test
  void aStoreThatFailsManyRequestsIsYellowWithTheFigures() {
    ObjectNode yellow = written(NONE, of("a", "50 of 100 failed"), NONE);

    assertThat(yellow.path("status").asText()).isEqualTo("yellow");
    assertThat(yellow.path("symptom").asText())
        .isEqualTo("The object store fails many requests of 1 nodes.");
    assertThat(yellow.path("details").path("nodes").path("a").asText())
        .isEqualTo("50 of 100 failed");
    assertThat(yellow.path("impacts").findValuesAsText("id"))
        .containsExactly("holdfast:health:object_store:impact:requests_slow");
  }

  @Test
  void whatElseAilsItIsToldBeside() {
    ObjectNode yellow = written(NONE, of("a", "50 of 100 failed"), of("a", "an hour ahead"));

    assertThat(yellow.path("details").path("nodes").path("a").asText())
        .isEqualTo("50 of 100 failed; an hour ahead");
    assertThat(yellow.path("impacts")).hasSize(2);
  }

  @Test
  void aStoreThatFailsANodeIsRedWhateverElse() {
    ObjectNode red = written(of("a", "denied"), of("b", "50 of 100 failed"), NONE);

    assertThat(red.path("status").asText()).isEqualTo("red");
    assertThat(red.path("details").path("nodes")).hasSize(1);
  }
}
