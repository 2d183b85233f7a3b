package dev.holdfast.telemetry;

import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Says once when a collector begins to take nothing, and when it does again.
final class Exporting implements SpanExporter {
  private static final Logger LOG = LoggerFactory.getLogger(Exporting.class);

  /// While a node stops nobody waits longer for a collector.
  private static final Duration STOP_MAX = Duration.ofSeconds(2);

  private final SpanExporter exporter;
  private final String url;
  private final AtomicBoolean isFailing = new AtomicBoolean();

  Exporting(SpanExporter exporter, String url) {
    this.exporter = exporter;
    this.url = url;
  }

  static Duration stopMax() {
    return STOP_MAX;
  }

  @Override
  public CompletableResultCode export(Collection<SpanData> spans) {
    CompletableResultCode result = exporter.export(spans);
    return result.whenComplete(() -> {
      boolean isTaken = result.isSuccess();
      if (isTaken && isFailing.compareAndSet(true, false)) {
        LOG.info("the collector of traces takes spans again [url={}]", url);
      } else if (!isTaken && isFailing.compareAndSet(false, true)) {
        LOG.warn(
            "the collector of traces takes no spans: they are lost until it does [url={}, why={}]",
            url,
            String.valueOf(result.getFailureThrowable()));
      }
    });
  }

  @Override
  public CompletableResultCode flush() {
    return exporter.flush();
  }

  @Override
  public CompletableResultCode shutdown() {
    return exporter.shutdown();
  }
}
