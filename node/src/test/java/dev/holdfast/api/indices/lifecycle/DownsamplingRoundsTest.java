package dev.holdfast.api.indices.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.time.Duration;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Rounds of downsampling in lifecycles; reasons are those of Elasticsearch 9.5.3.
final class DownsamplingRoundsTest {
  private static ObjectNode lifecycle(String json) {
    return StreamLifecycles.read(Json.parseObject(json.replace('\'', '"')));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'downsampling':[]} | should have at least one round configured",
        "{'downsampling':{}} | doesn't support values of type",
        "{'downsampling':'x'} | doesn't support values of type",
        "{'downsampling':[5]} | [downsampling_round] Expected START_OBJECT",
        "{'downsampling':[null]} | [downsampling_round] Expected START_OBJECT",
        "{'downsampling':[{}]} | Required [fixed_interval]",
        "{'downsampling':[{'fixed_interval':'1h'}]} | Required [after]",
        "{'downsampling':[{'after':'1d','fixed_interval':'1h','x':1}]} | unknown field [x]",
        "{'downsampling':[{'after':'1d','fixed_interval':'1m'}]} | at least five minutes but found: 1m",
        "{'downsampling':[{'after':'1d','fixed_interval':'1M'}]} | unit is missing or unrecognized",
        "{'downsampling':[{'after':'x','fixed_interval':'1h'}]} | failed to parse setting [after]",
        "{'downsampling':[{'after':'2d','fixed_interval':'1h'},{'after':'1d','fixed_interval':'2h'}]} |"
            + " 1d is not after 2d",
        "{'downsampling':[{'after':'1d','fixed_interval':'1h'},{'after':'2d','fixed_interval':'1h'}]} |"
            + " [1h] must be greater than the source index interval [1h]",
        "{'downsampling':[{'after':'1d','fixed_interval':'2h'},{'after':'2d','fixed_interval':'3h'}]} |"
            + " [3h] must be a multiple of the source index interval [2h]",
        "{'downsampling':[{'after':'1d','fixed_interval':'2h'}],'downsampling_method':'x'} | Sampling"
            + " method [x] is not one of the accepted methods [aggregate, last_value]",
        "{'downsampling_method':'aggregate'} | can only be set when there is at least one"
      })
  void roundsThatDoNotFitAreRefused(String json, String reason) {
    assertThatThrownBy(() -> lifecycle(json))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining(reason);
  }

  @Test
  void thereAreTenAtMost() {
    String ten = rounds(10);
    assertThat(lifecycle(ten).path("downsampling")).hasSize(10);
    assertThatThrownBy(() -> lifecycle(rounds(11)))
        .hasMessageContaining("maximum 10 configured rounds. Found: 11");
  }

  private static String rounds(int count) {
    return IntStream.rangeClosed(1, count)
        .mapToObj(i -> "{'after':'%dd','fixed_interval':'%dh'}".formatted(i, 1 << i))
        .collect(Collectors.joining(",", "{'downsampling':[", "]}"));
  }

  @Test
  void theLastRoundThatIsDueIsMeant() {
    ObjectNode lifecycle =
        lifecycle(
            "{'downsampling':[{'after':'1h','fixed_interval':'5m'},{'after':'1h','fixed_interval':'1h'},"
                + "{'after':'1d','fixed_interval':'2h'}],'downsampling_method':'last_value'}");

    assertThat(DownsamplingRounds.due(lifecycle, Duration.ofMinutes(59).toMillis())).isNull();
    assertThat(DownsamplingRounds.due(lifecycle, Duration.ofHours(1).toMillis()))
        .hasToString("{\"fixed_interval\":\"1h\",\"sampling_method\":\"last_value\"}");
    assertThat(DownsamplingRounds.due(lifecycle, Duration.ofDays(9).toMillis()))
        .hasToString("{\"fixed_interval\":\"2h\",\"sampling_method\":\"last_value\"}");
    assertThat(DownsamplingRounds.due(lifecycle("{}"), Long.MAX_VALUE)).isNull();
    assertThat(DownsamplingRounds.due(null, Long.MAX_VALUE)).isNull();
  }

  @Test
  void aTemplateMayTakeThemAway() {
    assertThat(StreamLifecycles.readOfTemplate(Json.parseObject("{\"downsampling\":null}")))
        .hasToString("{\"enabled\":true,\"downsampling\":null}");
    assertThat(DownsamplingRounds.due(Json.parseObject("{\"downsampling\":null}"), 1)).isNull();
  }
}
