package dev.holdfast.api.indices.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.stream.DataStream.Component;
import dev.holdfast.http.TimeValue;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class RetentionTest {
  private static ClusterState with(Map<String, Object> settings) {
    return ClusterState.empty("uuid").withSettings(new TreeMap<>(settings));
  }

  private static @Nullable ObjectNode keeping(@Nullable String retention) {
    return Json.object().put("data_retention", retention);
  }

  private static String effective(
      ClusterState state, String name, Component component, @Nullable String own) {
    Retention.Effective effective = Retention.of(state).effective(name, component, keeping(own));
    Duration keeps = effective.keeps();
    return (keeps == null ? "ever" : TimeValue.exact(keeps)) + " " + effective.source().label();
  }

  @Test
  void whatAStreamSaysIsCappedAndWhatItDoesNotSayIsFilledIn() {
    ClusterState none = ClusterState.empty("uuid");
    assertThat(effective(none, "a", Component.DATA, null))
        .isEqualTo("ever data_stream_configuration");
    assertThat(effective(none, "a", Component.DATA, "36h"))
        .isEqualTo("36h data_stream_configuration");
    assertThat(effective(none, "a", Component.FAILURES, null))
        .isEqualTo("30d default_failures_retention");
    ClusterState both = with(Map.of(Retention.DEFAULT, "7d", Retention.MAX, "14d"));
    assertThat(effective(both, "a", Component.DATA, null)).isEqualTo("7d default_global_retention");
    assertThat(effective(both, "a", Component.DATA, "14d"))
        .isEqualTo("14d data_stream_configuration");
    assertThat(effective(both, "a", Component.DATA, "15d")).isEqualTo("14d max_global_retention");
    assertThat(effective(both, "a", Component.FAILURES, null))
        .isEqualTo("14d max_global_retention");
    ClusterState max = with(Map.of(Retention.MAX, "90d", Retention.FAILURES, "-1"));
    assertThat(effective(max, "a", Component.DATA, null)).isEqualTo("90d max_global_retention");
    assertThat(effective(max, "a", Component.FAILURES, null)).isEqualTo("90d max_global_retention");
    assertThat(effective(max, ".a", Component.DATA, "100d"))
        .as("streams of the system")
        .isEqualTo("100d data_stream_configuration");
  }

  @Test
  void aDefaultAboveTheBoundIsRefusedUnlessNobodySetIt() {
    Retention.check(with(Map.of(Retention.MAX, "7d")));
    Retention.check(with(Map.of(Retention.MAX, "7d", Retention.DEFAULT, "7d")));
    assertThatThrownBy(
            () -> Retention.check(with(Map.of(Retention.MAX, "7d", Retention.DEFAULT, "8d"))))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("cannot be greater than");
    assertThatThrownBy(
            () -> Retention.check(with(Map.of(Retention.MAX, "7d", Retention.FAILURES, "8d"))))
        .isInstanceOf(Refusal.class);
  }

  @Test
  void indicesRollOverTheOftenerTheShorterTheyAreKept() {
    assertThat(StreamLifecycles.ageMax(null)).isEqualTo(Duration.ofDays(30));
    assertThat(StreamLifecycles.ageMax(Duration.ofDays(91))).isEqualTo(Duration.ofDays(30));
    assertThat(StreamLifecycles.ageMax(Duration.ofDays(90))).isEqualTo(Duration.ofDays(7));
    assertThat(StreamLifecycles.ageMax(Duration.ofDays(14))).isEqualTo(Duration.ofDays(1));
    assertThat(StreamLifecycles.ageMax(Duration.ofDays(1))).isEqualTo(Duration.ofHours(1));
  }

  @Test
  void whatSaysNothingOrTheImpossibleIsRefused() {
    for (String bad :
        new String[] {
          "{\"failure_store\":{}}",
          "{\"failure_store\":3}",
          "{\"failure_store\":{\"enabled\":\"maybe\"}}",
          "{\"failure_store\":{\"lifecycle\":{\"data_retention\":\"-1d\"}}}",
          "{\"failure_store\":{\"lifecycle\":{\"downsampling\":[{}]}}}",
          "{\"other\":1}"
        }) {
      byte[] bytes = bad.getBytes(java.nio.charset.StandardCharsets.UTF_8);
      var given = Json.parse(bytes, 0, bytes.length);
      assertThatThrownBy(() -> StreamOptions.read(given)).as(bad).isInstanceOf(Refusal.class);
      assertThatThrownBy(() -> StreamOptions.readOfTemplate(given))
          .as(bad)
          .isInstanceOf(Refusal.class);
    }
  }
}
