package dev.holdfast.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.telemetry.TracingSettings;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What the settings of traces take, and what they refuse and in which words.
final class TelemetrySettingsTest {
  @TempDir private Path folder = Path.of("");

  private TracingSettings read(String name, String value) {
    Map<String, String> given = new HashMap<>();
    given.put("telemetry.tracing.enabled", "true");
    given.put(name, value);
    return SettingsReader.read(given, Map.of(), null, folder).tracing();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          telemetry.tracing.enabled               | yes                  | it is one of true, false
          telemetry.tracing.enabled               | TRUE                 | it is one of true, false
          telemetry.tracing.enabled               | 1                    | it is one of true, false
          telemetry.agent.transaction_sample_rate | 2                    | it is no number from 0 to 1
          telemetry.agent.transaction_sample_rate | -0.1                 | it is no number from 0 to 1
          telemetry.agent.transaction_sample_rate | NaN                  | it is no number from 0 to 1
          telemetry.agent.transaction_sample_rate | 50%                  | it is no number from 0 to 1
          telemetry.agent.transaction_sample_rate | 1e-3                 | it is no number from 0 to 1
          telemetry.agent.transaction_sample_rate | 1.5                  | it is no number from 0 to 1
          otel.exporter.otlp.endpoint             | 127.0.0.1:4318       | it is no http URL
          otel.exporter.otlp.endpoint             | grpc://127.0.0.1:1   | it is no http URL
          otel.exporter.otlp.endpoint             | http://              | it is no http URL
          otel.exporter.otlp.endpoint             | http:///v1           | it is no http URL
          otel.exporter.otlp.endpoint             | http://a b/          | it is no http URL
          otel.exporter.otlp.endpoint             | http://a/?token=x    | it is no http URL
          otel.exporter.otlp.headers              | secret               | it is name=value
          otel.exporter.otlp.headers              | a=b,secret           | it is name=value
          otel.exporter.otlp.headers              | a=b,                 | it is name=value
          otel.exporter.otlp.headers              | =secret              | it is name=value
          otel.exporter.otlp.headers              | a b=secret           | it is name=value
          """)
  void whatMeansNothingIsRefused(String name, String value, String why) {
    assertThatThrownBy(() -> read(name, value))
        .isInstanceOf(SettingsException.class)
        .hasMessageContaining("[" + name + "]")
        .hasMessageContaining(why)
        .satisfies(e -> assertThat(e.getMessage()).doesNotContain("secret"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "1", "0.5", ".5", "1.0"})
  void ratesFromNothingToAllAreTaken(String rate) {
    assertThat(read("telemetry.agent.transaction_sample_rate", rate).sampleRate())
        .isEqualTo(Double.parseDouble(rate));
  }

  @Test
  void headersAreNamesAndValues() {
    assertThat(read("otel.exporter.otlp.headers", "a = b, c=d=e").headers())
        .containsExactlyInAnyOrderEntriesOf(Map.of("a", "b", "c", "d=e"));
  }
}
