package dev.holdfast.api.indices;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.stream.DataStream;
import dev.holdfast.document.ingest.FailurePlace;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// What failure stores hold: documents that a data stream could not take, and why.
public final class FailureDocuments {
  private static final int CAUSES_MAX = 5;
  private static final int FRAMES_MAX = 6;

  private FailureDocuments() {}

  /// A document that failed.
  ///
  /// @param index what it was written to
  /// @param bytes bytes `[offset, offset + length)` are the document
  @SuppressWarnings("ArrayRecordComponent") // a carrier, never compared
  public record Document(
      String index,
      @Nullable String id,
      @Nullable String routing,
      byte[] bytes,
      int offset,
      int length) {}

  /// The mapping of its indices: the document itself is kept, not indexed.
  static ObjectNode mapping() {
    ObjectNode mapping = Json.object().put("dynamic", false);
    mapping.putObject("_data_stream_timestamp").put("enabled", true);
    ObjectNode fields = mapping.putObject("properties");
    fields.putObject(DataStream.TIMESTAMP).put("type", "date");
    ObjectNode document = fields.putObject("document").putObject("properties");
    for (String name : new String[] {"id", "index", "routing"}) {
      document.putObject(name).put("type", "keyword");
    }
    ObjectNode error = fields.putObject("error").putObject("properties");
    error.putObject("message").put("type", "match_only_text");
    error.putObject("stack_trace").put("type", "text");
    for (String name :
        new String[] {"type", "pipeline", "pipeline_trace", "processor_tag", "processor_type"}) {
      error.putObject(name).put("type", "keyword");
    }
    return mapping;
  }

  /// The failure document of a document.
  ///
  /// @param place the step of a pipeline that refused it; null for none
  /// @throws IOException when the document is no object of JSON
  public static byte[] bytes(
      long nowMillis, Document document, Refusal why, @Nullable FailurePlace place)
      throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(document.length() + 1024);
    try (JsonGenerator out = Json.MAPPER.createGenerator(bytes)) {
      out.writeStartObject();
      out.writeStringField(DataStream.TIMESTAMP, Instant.ofEpochMilli(nowMillis).toString());
      out.writeObjectFieldStart("document");
      if (document.id() != null) {
        out.writeStringField("id", document.id());
      }
      if (document.routing() != null) {
        out.writeStringField("routing", document.routing());
      }
      out.writeStringField("index", document.index());
      out.writeFieldName("source");
      copy(document, out);
      out.writeEndObject();
      out.writeObjectFieldStart("error");
      out.writeStringField("type", why.type().type());
      out.writeStringField("message", why.reason());
      out.writeStringField("stack_trace", trace(why));
      if (place != null) {
        out.writeArrayFieldStart("pipeline_trace");
        for (String pipeline : place.pipelines()) {
          out.writeString(pipeline);
        }
        out.writeEndArray();
        out.writeStringField("pipeline", place.pipeline());
        if (place.tag() != null) {
          out.writeStringField("processor_tag", place.tag());
        }
        out.writeStringField("processor_type", place.type());
      }
      out.writeEndObject();
      out.writeEndObject();
    }
    return bytes.toByteArray();
  }

  private static void copy(Document document, JsonGenerator out) throws IOException {
    try (JsonParser in =
        Json.MAPPER.createParser(document.bytes(), document.offset(), document.length())) {
      if (in.nextToken() != JsonToken.START_OBJECT) {
        throw new IOException("it is no object");
      }
      out.copyCurrentStructure(in);
      if (in.nextToken() != null) {
        throw new IOException("something follows it");
      }
    }
  }

  /// The error with the beginnings of its stacks.
  private static String trace(Throwable failure) {
    StringBuilder text = new StringBuilder();
    Throwable one = failure;
    for (int i = 0; one != null && i < CAUSES_MAX; i++) {
      String name =
          one instanceof Refusal refusal ? refusal.type().type() : one.getClass().getSimpleName();
      text.append(i == 0 ? "" : "Caused by: ").append(name).append(": ");
      text.append(one.getMessage()).append('\n');
      StackTraceElement[] frames = one.getStackTrace();
      for (int f = 0; f < Math.min(frames.length, FRAMES_MAX); f++) {
        text.append("\tat ").append(frames[f].getClassName()).append('.');
        text.append(frames[f].getMethodName()).append(':').append(frames[f].getLineNumber());
        text.append('\n');
      }
      one = one.getCause();
    }
    return text.toString();
  }
}
