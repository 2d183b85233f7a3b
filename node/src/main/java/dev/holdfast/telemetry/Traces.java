package dev.holdfast.telemetry;

import dev.holdfast.world.trace.Cause;
import dev.holdfast.world.trace.Tracer;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporterBuilder;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.SpanLimits;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// Records traces with the SDK of OpenTelemetry and sends them by OTLP over HTTP. At most
/// [#QUEUE_MAX] spans wait for the collector; more are dropped.
public final class Traces implements Tracer, AutoCloseable {
  static final int QUEUE_MAX = 2_048;
  private static final int BATCH_MAX = 512;
  private static final Duration BATCH_EVERY = Duration.ofSeconds(1);
  private static final Duration EXPORT_MAX = Duration.ofSeconds(5);
  private static final Duration CONNECT_MAX = Duration.ofSeconds(2);
  private static final int VALUE_MAX = 1_024;
  private static final int NOTES_MAX = 32;
  private static final int LINKS_MAX = 16;

  private static final TextMapGetter<Headers> HEADERS =
      new TextMapGetter<>() {
        @Override
        public Iterable<String> keys(Headers carrier) {
          return List.of(Cause.TRACEPARENT, "tracestate");
        }

        @Override
        public @Nullable String get(@Nullable Headers carrier, String key) {
          return carrier == null ? null : carrier.get(key);
        }
      };

  private final SdkTracerProvider provider;
  private final io.opentelemetry.api.trace.Tracer tracer;

  private Traces(SdkTracerProvider provider) {
    this.provider = provider;
    this.tracer = provider.get("dev.holdfast");
  }

  /// @param instance names the process
  public static Traces open(TracingSettings settings, Instance instance) {
    OtlpHttpSpanExporterBuilder otlp =
        OtlpHttpSpanExporter.builder()
            .setEndpoint(settings.tracesUrl())
            .setTimeout(EXPORT_MAX)
            .setConnectTimeout(CONNECT_MAX)
            .setCompression("gzip");
    settings.headers().forEach(otlp::addHeader);
    Exporting exporting = new Exporting(otlp.build(), settings.tracesUrl());
    SdkTracerProvider provider =
        SdkTracerProvider.builder()
            .setResource(Resource.create(instance.attributes(settings.serviceName())))
            .setSampler(Sampler.parentBased(Sampler.traceIdRatioBased(settings.sampleRate())))
            .setSpanLimits(
                SpanLimits.builder()
                    .setMaxAttributeValueLength(VALUE_MAX)
                    .setMaxNumberOfAttributes(NOTES_MAX)
                    .setMaxNumberOfLinks(LINKS_MAX)
                    .build())
            .addSpanProcessor(
                BatchSpanProcessor.builder(exporting)
                    .setMaxQueueSize(QUEUE_MAX)
                    .setMaxExportBatchSize(BATCH_MAX)
                    .setScheduleDelay(BATCH_EVERY)
                    .setExporterTimeout(EXPORT_MAX)
                    .build())
            .build();
    return new Traces(provider);
  }

  /// A process, as traces name it.
  public record Instance(String id, String nodeName, String clusterName, String version) {
    private Attributes attributes(String serviceName) {
      return Attributes.builder()
          .put(AttributeKey.stringKey("service.name"), serviceName)
          .put(AttributeKey.stringKey("service.version"), version)
          .put(AttributeKey.stringKey("service.instance.id"), id)
          .put(AttributeKey.stringKey("elasticsearch.node.name"), nodeName)
          .put(AttributeKey.stringKey("elasticsearch.cluster.name"), clusterName)
          .build();
    }
  }

  @Override
  public Cause begin(String name, Headers headers, boolean isCall) {
    Cause named = Tracer.named(headers);
    if (isCall && named.traceId() == null) {
      return named;
    }
    Context parent =
        W3CTraceContextPropagator.getInstance().extract(Context.root(), headers, HEADERS);
    io.opentelemetry.api.trace.Span span =
        tracer.spanBuilder(name).setSpanKind(SpanKind.SERVER).setParent(parent).startSpan();
    SpanContext context = span.getSpanContext();
    if (!span.isRecording()) {
      // Other nodes must not decide anew.
      String told = "00-" + context.getTraceId() + "-" + context.getSpanId() + "-00";
      return named.traceId() == null
          ? new Cause(named.opaqueId(), context.getTraceId(), told, null)
          : named;
    }
    RecordedSpan recorded =
        new RecordedSpan(span, tracer, new AtomicInteger(RecordedSpan.PARTS_MAX));
    return new Cause(named.opaqueId(), context.getTraceId(), null, recorded);
  }

  /// Sends what waits; a collector that is away is not waited for.
  @Override
  public void close() {
    CompletableResultCode _ =
        provider.shutdown().join(Exporting.stopMax().toMillis(), TimeUnit.MILLISECONDS);
  }
}
