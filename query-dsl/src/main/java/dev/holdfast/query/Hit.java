package dev.holdfast.query;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A hit as the client sees it.
///
/// @param id null when not asked for
/// @param score NaN for null
/// @param source JSON as shown; null when not shown
/// @param version -1 when not asked for
/// @param seqNo -1 when not asked for
/// @param fields `fields` and `docvalue_fields` by name; empty for none
/// @param sort Long, Double, Float, String or null; empty when sorted by score
/// @param matchedQueries names of the queries that matched, in the order of the request
/// @param explanation null when not asked for
@SuppressWarnings("ArrayRecordComponent") // a carrier, never compared
public record Hit(
    String index,
    @Nullable String id,
    float score,
    byte @Nullable [] source,
    @Nullable String routing,
    List<String> ignored,
    long version,
    long seqNo,
    long primaryTerm,
    Map<String, List<Object>> fields,
    List<@Nullable Object> sort,
    List<String> matchedQueries,
    @Nullable JsonNode explanation) {

  /// Writes the hit as one object.
  public void write(JsonGenerator out) throws IOException {
    out.writeStartObject();
    out.writeStringField("_index", index);
    if (id != null) {
      out.writeStringField("_id", id);
    }
    if (version >= 0) {
      out.writeNumberField("_version", version);
    }
    if (seqNo >= 0) {
      out.writeNumberField("_seq_no", seqNo);
      out.writeNumberField("_primary_term", primaryTerm);
    }
    if (Float.isNaN(score)) {
      out.writeNullField("_score");
    } else {
      out.writeNumberField("_score", score);
    }
    if (routing != null) {
      out.writeStringField("_routing", routing);
    }
    writeStrings(out, "_ignored", ignored);
    if (source != null) {
      out.writeFieldName("_source");
      RawJson.write(source, out);
    }
    writeFields(out);
    if (!sort.isEmpty()) {
      out.writeArrayFieldStart("sort");
      for (Object value : sort) {
        writeSortValue(out, value);
      }
      out.writeEndArray();
    }
    writeStrings(out, "matched_queries", matchedQueries);
    if (explanation != null) {
      out.writeFieldName("_explanation");
      RawJson.write(dev.holdfast.world.Json.bytes(explanation), out);
    }
    out.writeEndObject();
  }

  private void writeFields(JsonGenerator out) throws IOException {
    if (fields.isEmpty()) {
      return;
    }
    out.writeObjectFieldStart("fields");
    for (Map.Entry<String, List<Object>> field : fields.entrySet()) {
      out.writeArrayFieldStart(field.getKey());
      for (Object value : field.getValue()) {
        writeSortValue(out, value);
      }
      out.writeEndArray();
    }
    out.writeEndObject();
  }

  private static void writeStrings(JsonGenerator out, String name, List<String> values)
      throws IOException {
    if (!values.isEmpty()) {
      out.writeArrayFieldStart(name);
      for (String value : values) {
        out.writeString(value);
      }
      out.writeEndArray();
    }
  }

  private static void writeSortValue(JsonGenerator out, @Nullable Object value) throws IOException {
    switch (value) {
      case null -> out.writeNull();
      case Long number -> out.writeNumber(number);
      case Integer number -> out.writeNumber(number);
      case Float number -> out.writeNumber(number);
      case Double number when number.isInfinite() || number.isNaN() ->
          out.writeString(number.toString());
      case Double number -> out.writeNumber(number);
      case java.math.BigInteger number -> out.writeNumber(number);
      case Boolean bool -> out.writeBoolean(bool);
      case JsonNode node -> RawJson.write(dev.holdfast.world.Json.bytes(node), out);
      default -> out.writeString(value.toString());
    }
  }
}
