package dev.holdfast.node;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.encoder.EncoderBase;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.holdfast.world.FromTheWorld;
import dev.holdfast.world.Json;
import dev.holdfast.world.trace.Cause;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.KeyValuePair;

/// Each event as one line: a JSON object with the names of the Elastic Common Schema, as
/// Elasticsearch logs. The message is finished, a stack trace is one member, and what the thread
/// works for is told by its trace and its client's name.
public final class EcsEncoder extends EncoderBase<ILoggingEvent> {
  private static final String ECS_VERSION = "1.2.0";
  private static final String SERVICE = "holdfast";

  /// Of a stack trace; a line must fit through what collects it.
  private static final int STACK_MAX = 32_000;

  private final String node;
  private final String cluster;

  EcsEncoder(String node, String cluster) {
    this.node = node;
    this.cluster = cluster;
  }

  @Override
  public byte[] headerBytes() {
    return new byte[0];
  }

  @Override
  public byte[] footerBytes() {
    return new byte[0];
  }

  @Override
  @FromTheWorld
  public byte[] encode(ILoggingEvent event) {
    ByteArrayOutputStream line = new ByteArrayOutputStream(512);
    try (JsonGenerator out = Json.MAPPER.createGenerator(line)) {
      out.writeStartObject();
      out.writeStringField("@timestamp", Instant.ofEpochMilli(event.getTimeStamp()).toString());
      out.writeStringField("log.level", event.getLevel().toString());
      out.writeStringField("message", event.getFormattedMessage());
      out.writeStringField("ecs.version", ECS_VERSION);
      out.writeStringField("service.name", SERVICE);
      out.writeStringField("event.dataset", SERVICE + "." + dataset(event.getLoggerName()));
      out.writeStringField("process.thread.name", event.getThreadName());
      out.writeStringField("log.logger", event.getLoggerName());
      out.writeStringField("elasticsearch.node.name", node);
      out.writeStringField("elasticsearch.cluster.name", cluster);
      details(event, out);
      failure(event.getThrowableProxy(), out);
      out.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    line.writeBytes(System.lineSeparator().getBytes(StandardCharsets.UTF_8));
    return line.toByteArray();
  }

  private static String dataset(String logger) {
    if (logger.startsWith("index.search.slowlog")) {
      return "index_search_slowlog";
    }
    if (logger.startsWith("index.indexing.slowlog")) {
      return "index_indexing_slowlog";
    }
    return logger.equals("http.access") ? "access" : "server";
  }

  private static void details(ILoggingEvent event, JsonGenerator out) throws IOException {
    Set<String> written = new HashSet<>();
    List<KeyValuePair> pairs = event.getKeyValuePairs();
    for (KeyValuePair pair : pairs == null ? List.<KeyValuePair>of() : pairs) {
      Object value = pair.value;
      if (value != null && !value.equals("") && written.add(pair.key)) {
        switch (value) {
          case Integer number -> out.writeNumberField(pair.key, number);
          case Long number -> out.writeNumberField(pair.key, number);
          default -> out.writeStringField(pair.key, value.toString());
        }
      }
    }
    Cause cause = Cause.current();
    cause(out, written, "trace.id", cause.traceId());
    cause(out, written, "http.request.id", cause.opaqueId());
  }

  private static void cause(
      JsonGenerator out, Set<String> written, String name, @Nullable String value)
      throws IOException {
    if (value != null && written.add(name)) {
      out.writeStringField(name, value);
    }
  }

  private static void failure(@Nullable IThrowableProxy failure, JsonGenerator out)
      throws IOException {
    if (failure == null) {
      return;
    }
    out.writeStringField("error.type", failure.getClassName());
    if (failure.getMessage() != null) {
      out.writeStringField("error.message", failure.getMessage());
    }
    String stack = ThrowableProxyUtil.asString(failure);
    out.writeStringField(
        "error.stack_trace", stack.length() <= STACK_MAX ? stack : stack.substring(0, STACK_MAX));
  }
}
