package dev.holdfast.query.result;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.world.Json;
import dev.holdfast.world.RawJson;
import dev.holdfast.world.text.JsonMemory;
import java.io.IOException;
import java.math.BigInteger;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A hit as the client sees it.
///
/// @param id null when not asked for
/// @param nested where the object is in its document, for hits inside hits; null for documents
/// @param score NaN for null
/// @param source JSON as shown; null when not shown
/// @param version -1 when not asked for
/// @param seqNo -1 when not asked for
/// @param fields `fields` and `docvalue_fields` by name; empty for none
/// @param sort Long, Double, Float, String or null; empty when sorted by score
/// @param highlight by field; empty for none
/// @param matchedQueries names of the queries that matched, in the order of the request, with their
///   scores where asked for
/// @param explanation null when not asked for
/// @param ignoredValues of `fields`: values in the source that the field does not have
/// @param innerHits by name; empty for none
/// @param group value of the field collapsed on, as in [ShardHit]; not shown
@SuppressWarnings("ArrayRecordComponent") // a carrier, never compared
public record Hit(
    String index,
    @Nullable String id,
    @Nullable JsonNode nested,
    float score,
    byte @Nullable [] source,
    @Nullable String routing,
    List<String> ignored,
    long version,
    long seqNo,
    long primaryTerm,
    Map<String, List<Object>> fields,
    Map<String, List<Object>> ignoredValues,
    List<@Nullable Object> sort,
    Map<String, List<String>> highlight,
    Map<String, @Nullable Float> matchedQueries,
    @Nullable ExplainedScore explanation,
    Map<String, InnerHits> innerHits,
    @Nullable Object group) {

  /// What it holds without its values.
  private static final long HELD_BYTES = 256;

  private static final long VALUE_BYTES = 32;

  /// In the place of a hit that was not read because the time was over.
  public static final Hit UNREAD =
      new Hit(
          "", null, null, Float.NaN, null, null, List.of(), -1, -1, -1, Map.of(), Map.of(),
          List.of(), Map.of(), Map.of(), null, Map.of(), null);

  /// Whether it was read: [#UNREAD] is not, wherever it has travelled.
  public boolean isRead() {
    return !index.isEmpty();
  }

  /// Roughly what it holds, for budgets.
  public long heldBytes() {
    long bytes = HELD_BYTES + (source == null ? 0 : source.length);
    for (List<Object> values : fields.values()) {
      bytes += heldBytes(values);
    }
    for (List<Object> values : ignoredValues.values()) {
      bytes += heldBytes(values);
    }
    for (List<String> fragments : highlight.values()) {
      bytes += heldBytes(fragments);
    }
    bytes += VALUE_BYTES * (2L * matchedQueries.size() + sort.size());
    if (explanation != null) {
      bytes += JsonMemory.of(explanation.explanation());
    }
    for (InnerHits inner : innerHits.values()) {
      for (Hit hit : inner.hits()) {
        bytes += hit.heldBytes();
      }
    }
    return bytes;
  }

  private static long heldBytes(Collection<?> values) {
    long bytes = HELD_BYTES / 4;
    for (Object value : values) {
      bytes += VALUE_BYTES + inner(value);
    }
    return bytes;
  }

  /// What a value holds beside itself: a vector or an object is a value, too.
  private static long inner(@Nullable Object value) {
    return switch (value) {
      case CharSequence text -> text.length();
      case JsonNode node -> JsonMemory.of(node);
      case Collection<?> values -> heldBytes(values);
      case Map<?, ?> map -> heldBytes(map.keySet()) + heldBytes(map.values());
      case null, default -> 0;
    };
  }

  /// This hit with those inside it.
  public Hit withInnerHits(Map<String, InnerHits> inner) {
    return new Hit(
        index,
        id,
        nested,
        score,
        source,
        routing,
        ignored,
        version,
        seqNo,
        primaryTerm,
        fields,
        ignoredValues,
        sort,
        highlight,
        matchedQueries,
        explanation,
        inner,
        group);
  }

  /// This hit with other `fields`.
  public Hit withFields(Map<String, List<Object>> others) {
    return new Hit(
        index,
        id,
        nested,
        score,
        source,
        routing,
        ignored,
        version,
        seqNo,
        primaryTerm,
        others,
        ignoredValues,
        sort,
        highlight,
        matchedQueries,
        explanation,
        innerHits,
        group);
  }

  /// Writes the hit as one object.
  public void write(JsonGenerator out) throws IOException {
    write(out, false);
  }

  /// @param totalAsInteger whether totals of inner hits are plain numbers
  public void write(JsonGenerator out, boolean totalAsInteger) throws IOException {
    out.writeStartObject();
    if (explanation != null) {
      out.writeStringField("_shard", "[" + index + "][" + explanation.shard() + "]");
      out.writeStringField("_node", explanation.node());
    }
    out.writeStringField("_index", index);
    if (id != null) {
      out.writeStringField("_id", id);
    }
    if (nested != null) {
      out.writeFieldName("_nested");
      out.writeTree(nested);
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
      RawJson.write(out, source);
    }
    writeFields(out, "fields", fields);
    writeFields(out, "ignored_field_values", ignoredValues);
    if (!highlight.isEmpty()) {
      out.writeObjectFieldStart("highlight");
      for (Map.Entry<String, List<String>> field : highlight.entrySet()) {
        writeStrings(out, field.getKey(), field.getValue());
      }
      out.writeEndObject();
    }
    if (!sort.isEmpty()) {
      out.writeArrayFieldStart("sort");
      for (Object value : sort) {
        writeSortValue(out, value);
      }
      out.writeEndArray();
    }
    writeMatched(out);
    if (explanation != null) {
      out.writeFieldName("_explanation");
      RawJson.write(out, Json.bytes(explanation.explanation()));
    }
    if (!innerHits.isEmpty()) {
      out.writeObjectFieldStart("inner_hits");
      for (Map.Entry<String, InnerHits> inner : innerHits.entrySet()) {
        out.writeFieldName(inner.getKey());
        inner.getValue().write(out, totalAsInteger);
      }
      out.writeEndObject();
    }
    out.writeEndObject();
  }

  /// Writes what a suggestion shows of its document into the open object.
  public void writeSuggested(JsonGenerator out, float suggestionScore) throws IOException {
    out.writeStringField("_index", index);
    if (id != null) {
      out.writeStringField("_id", id);
    }
    out.writeNumberField("_score", suggestionScore);
    if (routing != null) {
      out.writeStringField("_routing", routing);
    }
    writeStrings(out, "_ignored", ignored);
    if (source != null) {
      out.writeFieldName("_source");
      RawJson.write(out, source);
    }
  }

  private void writeMatched(JsonGenerator out) throws IOException {
    if (matchedQueries.isEmpty()) {
      return;
    }
    if (matchedQueries.containsValue(null)) {
      writeStrings(out, "matched_queries", List.copyOf(matchedQueries.keySet()));
      return;
    }
    out.writeObjectFieldStart("matched_queries");
    for (Map.Entry<String, @Nullable Float> named : matchedQueries.entrySet()) {
      Float value = named.getValue();
      out.writeNumberField(named.getKey(), value == null ? 0 : value);
    }
    out.writeEndObject();
  }

  private static void writeFields(JsonGenerator out, String name, Map<String, List<Object>> fields)
      throws IOException {
    if (fields.isEmpty()) {
      return;
    }
    out.writeObjectFieldStart(name);
    for (Map.Entry<String, List<Object>> field : fields.entrySet()) {
      out.writeArrayFieldStart(field.getKey());
      for (Object value : field.getValue()) {
        if (!(value instanceof Lookup)) { // nobody has asked for it: a hit of an aggregation
          writeSortValue(out, value);
        }
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
      case BigInteger number -> out.writeNumber(number);
      case Boolean bool -> out.writeBoolean(bool);
      case JsonNode node -> RawJson.write(out, Json.bytes(node));
      default -> out.writeString(value.toString());
    }
  }
}
