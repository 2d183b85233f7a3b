package dev.holdfast.telemetry;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/// What a node records of its requests.
///
/// @param isOn whether anything is recorded
/// @param sampleRate the share of requests that are recorded, of those whose client does not say; 0
///   to 1
/// @param endpoint of a collector that takes OTLP over HTTP: `http://host:4318`
/// @param headers that it wants, credentials among them
/// @param serviceName what traces call this system
public record TracingSettings(
    boolean isOn,
    double sampleRate,
    String endpoint,
    SortedMap<String, String> headers,
    String serviceName) {
  public static final String RATE_DEFAULT = "0.2";
  public static final String ENDPOINT_DEFAULT = "http://127.0.0.1:4318";
  public static final String SERVICE_DEFAULT = "holdfast";

  public TracingSettings {
    headers = Collections.unmodifiableSortedMap(new TreeMap<>(headers));
  }

  /// Nothing is recorded.
  public static TracingSettings off() {
    return new TracingSettings(
        false,
        Double.parseDouble(RATE_DEFAULT),
        ENDPOINT_DEFAULT,
        new TreeMap<>(),
        SERVICE_DEFAULT);
  }

  /// Where spans are sent: OTLP has a path for each signal.
  String tracesUrl() {
    return (endpoint.endsWith("/") ? endpoint.substring(0, endpoint.length() - 1) : endpoint)
        + "/v1/traces";
  }

  /// Headers may be credentials.
  @Override
  public String toString() {
    return "TracingSettings[isOn=" + isOn + ", sampleRate=" + sampleRate + "]";
  }
}
