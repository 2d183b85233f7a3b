package dev.holdfast.settings;

import dev.holdfast.telemetry.TracingSettings;
import java.net.URI;
import java.util.SortedMap;
import java.util.TreeMap;

/// The settings of a node about traces: Elasticsearch's names where it has one, else those of
/// OpenTelemetry.
record TelemetrySettings(SettingsParser given) {
  static final String ENABLED = "telemetry.tracing.enabled";
  static final String RATE = "telemetry.agent.transaction_sample_rate";
  static final String ENDPOINT = "otel.exporter.otlp.endpoint";
  static final String HEADERS = "otel.exporter.otlp.headers";
  static final String SERVICE = "otel.service.name";

  TracingSettings tracing() {
    boolean isOn =
        given.value(
            ENABLED,
            "false",
            text -> {
              if (!text.equals("true") && !text.equals("false")) {
                throw new IllegalArgumentException("it is one of true, false");
              }
              return text.equals("true");
            });
    TracingSettings settings =
        new TracingSettings(
            isOn,
            given.value(RATE, TracingSettings.RATE_DEFAULT, TelemetrySettings::rate),
            given.value(ENDPOINT, TracingSettings.ENDPOINT_DEFAULT, TelemetrySettings::endpoint),
            given.value(HEADERS, "", TelemetrySettings::headers),
            given.value(SERVICE, TracingSettings.SERVICE_DEFAULT, text -> text));
    for (String name : new String[] {RATE, ENDPOINT, HEADERS, SERVICE}) {
      if (!isOn && given.isGivenByHand(name)) {
        throw new SettingsException(
            "setting [" + name + "] has no effect without [" + ENABLED + ": true]");
      }
    }
    return settings;
  }

  private static double rate(String text) {
    if (!text.matches("0|1|[01]?\\.[0-9]{1,9}") || Double.parseDouble(text) > 1) {
      throw new IllegalArgumentException("it is no number from 0 to 1");
    }
    return Double.parseDouble(text);
  }

  private static String endpoint(String text) {
    if (!text.matches("https?://[^\\s?#]+") || URI.create(text).getHost() == null) {
      throw new IllegalArgumentException("it is no http URL, for example http://127.0.0.1:4318");
    }
    return text;
  }

  /// `name=value,name=value`; values may be credentials, and no message repeats them.
  private static SortedMap<String, String> headers(String text) {
    SortedMap<String, String> headers = new TreeMap<>();
    for (String header : text.isBlank() ? new String[0] : text.split(",", -1)) {
      int equals = header.indexOf('=');
      String name = equals < 0 ? "" : header.substring(0, equals).strip();
      String value = equals < 0 ? "" : header.substring(equals + 1).strip();
      if (!name.matches("[!#$%&'*+.^_`|~0-9A-Za-z-]+") || !value.matches("[ -~]*")) {
        throw new SettingsException(
            "bad value of setting [" + HEADERS + "]: it is name=value, more of them after commas");
      }
      headers.put(name, value);
    }
    return headers;
  }
}
