package dev.holdfast.search;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.compoundcommit.call.Codec;
import dev.holdfast.compoundcommit.call.Wire;
import dev.holdfast.compoundcommit.call.WireInput;
import dev.holdfast.compoundcommit.call.WireOutput;
import dev.holdfast.query.ExplainedScore;
import dev.holdfast.query.Hit;
import dev.holdfast.query.InnerHits;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// How fetched hits travel.
final class HitCodec {
  static final Codec<Hit> INSTANCE = Codec.record(HitCodec::write, HitCodec::read);

  private HitCodec() {}

  private static void write(WireOutput out, Hit hit) throws IOException {
    out.writeString(hit.index());
    Wire.writeText(out, hit.id());
    Values.write(out, hit.nested());
    out.writeInt(Float.floatToRawIntBits(hit.score()));
    Wire.writeBytes(out, hit.source());
    Wire.writeText(out, hit.routing());
    Wire.writeList(out, Wire.STRING, hit.ignored());
    out.writeZLong(hit.version());
    out.writeZLong(hit.seqNo());
    out.writeZLong(hit.primaryTerm());
    writeFields(out, hit.fields());
    writeFields(out, hit.ignoredValues());
    writeAll(out, hit.sort());
    out.writeVInt(hit.highlight().size());
    for (Map.Entry<String, List<String>> field : hit.highlight().entrySet()) {
      out.writeString(field.getKey());
      Wire.writeList(out, Wire.STRING, field.getValue());
    }
    out.writeVInt(hit.matchedQueries().size());
    for (Map.Entry<String, @Nullable Float> matched : hit.matchedQueries().entrySet()) {
      out.writeString(matched.getKey());
      Values.write(out, matched.getValue());
    }
    writeExplained(out, hit.explanation());
    out.writeVInt(hit.innerHits().size());
    for (Map.Entry<String, InnerHits> inner : hit.innerHits().entrySet()) {
      out.writeString(inner.getKey());
      out.writeZLong(inner.getValue().total());
      Wire.writeFlag(out, inner.getValue().isTotalExact());
      out.writeInt(Float.floatToRawIntBits(inner.getValue().maxScore()));
      Wire.writeList(out, INSTANCE, inner.getValue().hits());
    }
    Values.write(out, hit.group());
  }

  private static Hit read(WireInput in) throws IOException {
    return new Hit(
        in.readString(),
        Wire.readText(in),
        (@Nullable JsonNode) Values.read(in),
        Float.intBitsToFloat(in.readInt()),
        Wire.readBytes(in),
        Wire.readText(in),
        Wire.readList(in, Wire.STRING),
        in.readZLong(),
        in.readZLong(),
        in.readZLong(),
        readFields(in),
        readFields(in),
        readAll(in),
        readHighlight(in),
        readMatched(in),
        readExplained(in),
        readInner(in),
        Values.read(in));
  }

  private static void writeExplained(WireOutput out, @Nullable ExplainedScore explained)
      throws IOException {
    Wire.writeFlag(out, explained != null);
    if (explained != null) {
      out.writeVInt(explained.shard());
      out.writeString(explained.node());
      Values.write(out, explained.explanation());
    }
  }

  private static @Nullable ExplainedScore readExplained(WireInput in) throws IOException {
    return Wire.readFlag(in)
        ? new ExplainedScore(
            in.readVInt(), in.readString(), (JsonNode) Objects.requireNonNull(Values.read(in)))
        : null;
  }

  private static Map<String, List<String>> readHighlight(WireInput in) throws IOException {
    int size = in.readLength();
    Map<String, List<String>> highlight = new LinkedHashMap<>();
    for (int i = 0; i < size; i++) {
      highlight.put(in.readString(), Wire.readList(in, Wire.STRING));
    }
    return highlight;
  }

  private static Map<String, @Nullable Float> readMatched(WireInput in) throws IOException {
    int size = in.readLength();
    Map<String, @Nullable Float> matched = new LinkedHashMap<>();
    for (int i = 0; i < size; i++) {
      String name = in.readString();
      matched.put(name, (@Nullable Float) Values.read(in));
    }
    return matched;
  }

  private static Map<String, InnerHits> readInner(WireInput in) throws IOException {
    int size = in.readLength();
    Map<String, InnerHits> all = new LinkedHashMap<>();
    for (int i = 0; i < size; i++) {
      String name = in.readString();
      long total = in.readZLong();
      boolean isTotalExact = Wire.readFlag(in);
      float maxScore = Float.intBitsToFloat(in.readInt());
      all.put(name, new InnerHits(total, isTotalExact, maxScore, Wire.readList(in, INSTANCE)));
    }
    return all;
  }

  private static void writeFields(WireOutput out, Map<String, List<Object>> fields)
      throws IOException {
    out.writeVInt(fields.size());
    for (Map.Entry<String, List<Object>> field : fields.entrySet()) {
      out.writeString(field.getKey());
      writeAll(out, field.getValue());
    }
  }

  private static Map<String, List<Object>> readFields(WireInput in) throws IOException {
    int size = in.readLength();
    Map<String, List<Object>> fields = new LinkedHashMap<>();
    for (int i = 0; i < size; i++) {
      String name = in.readString();
      List<Object> values = new ArrayList<>();
      readAll(in).forEach(value -> values.add(Objects.requireNonNull(value)));
      fields.put(name, values);
    }
    return fields;
  }

  private static void writeAll(WireOutput out, List<? extends @Nullable Object> values)
      throws IOException {
    out.writeVInt(values.size());
    for (Object value : values) {
      Values.write(out, value);
    }
  }

  private static List<@Nullable Object> readAll(WireInput in) throws IOException {
    int size = in.readLength();
    List<@Nullable Object> values = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      values.add(Values.read(in));
    }
    return values;
  }
}
