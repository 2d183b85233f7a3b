package dev.holdfast.search.call;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.compoundcommit.call.Codec;
import dev.holdfast.compoundcommit.call.WireInput;
import dev.holdfast.compoundcommit.call.WireOutput;
import dev.holdfast.compoundcommit.call.WireValues;
import dev.holdfast.query.result.ExplainedScore;
import dev.holdfast.query.result.Hit;
import dev.holdfast.query.result.InnerHits;
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
    WireValues.writeText(out, hit.id());
    ValueCodec.write(out, hit.nested());
    out.writeInt(Float.floatToRawIntBits(hit.score()));
    WireValues.writeBytes(out, hit.source());
    WireValues.writeText(out, hit.routing());
    WireValues.writeList(out, WireValues.STRING, hit.ignored());
    out.writeZLong(hit.version());
    out.writeZLong(hit.seqNo());
    out.writeZLong(hit.primaryTerm());
    writeFields(out, hit.fields());
    writeFields(out, hit.ignoredValues());
    writeAll(out, hit.sort());
    out.writeVInt(hit.highlight().size());
    for (Map.Entry<String, List<String>> field : hit.highlight().entrySet()) {
      out.writeString(field.getKey());
      WireValues.writeList(out, WireValues.STRING, field.getValue());
    }
    out.writeVInt(hit.matchedQueries().size());
    for (Map.Entry<String, @Nullable Float> matched : hit.matchedQueries().entrySet()) {
      out.writeString(matched.getKey());
      ValueCodec.write(out, matched.getValue());
    }
    writeExplained(out, hit.explanation());
    out.writeVInt(hit.innerHits().size());
    for (Map.Entry<String, InnerHits> inner : hit.innerHits().entrySet()) {
      out.writeString(inner.getKey());
      out.writeZLong(inner.getValue().total());
      WireValues.writeFlag(out, inner.getValue().isTotalExact());
      out.writeInt(Float.floatToRawIntBits(inner.getValue().maxScore()));
      WireValues.writeList(out, INSTANCE, inner.getValue().hits());
    }
    ValueCodec.write(out, hit.group());
  }

  private static Hit read(WireInput in) throws IOException {
    return new Hit(
        in.readString(),
        WireValues.readText(in),
        (@Nullable JsonNode) ValueCodec.read(in),
        Float.intBitsToFloat(in.readInt()),
        WireValues.readBytes(in),
        WireValues.readText(in),
        WireValues.readList(in, WireValues.STRING),
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
        ValueCodec.read(in));
  }

  private static void writeExplained(WireOutput out, @Nullable ExplainedScore explained)
      throws IOException {
    WireValues.writeFlag(out, explained != null);
    if (explained != null) {
      out.writeVInt(explained.shard());
      out.writeString(explained.node());
      ValueCodec.write(out, explained.explanation());
    }
  }

  private static @Nullable ExplainedScore readExplained(WireInput in) throws IOException {
    return WireValues.readFlag(in)
        ? new ExplainedScore(
            in.readVInt(), in.readString(), (JsonNode) Objects.requireNonNull(ValueCodec.read(in)))
        : null;
  }

  private static Map<String, List<String>> readHighlight(WireInput in) throws IOException {
    int size = in.readLength();
    Map<String, List<String>> highlight = new LinkedHashMap<>();
    for (int i = 0; i < size; i++) {
      highlight.put(in.readString(), WireValues.readList(in, WireValues.STRING));
    }
    return highlight;
  }

  private static Map<String, @Nullable Float> readMatched(WireInput in) throws IOException {
    int size = in.readLength();
    Map<String, @Nullable Float> matched = new LinkedHashMap<>();
    for (int i = 0; i < size; i++) {
      String name = in.readString();
      matched.put(name, (@Nullable Float) ValueCodec.read(in));
    }
    return matched;
  }

  private static Map<String, InnerHits> readInner(WireInput in) throws IOException {
    int size = in.readLength();
    Map<String, InnerHits> all = new LinkedHashMap<>();
    for (int i = 0; i < size; i++) {
      String name = in.readString();
      long total = in.readZLong();
      boolean isTotalExact = WireValues.readFlag(in);
      float maxScore = Float.intBitsToFloat(in.readInt());
      all.put(
          name, new InnerHits(total, isTotalExact, maxScore, WireValues.readList(in, INSTANCE)));
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
      ValueCodec.write(out, value);
    }
  }

  private static List<@Nullable Object> readAll(WireInput in) throws IOException {
    int size = in.readLength();
    List<@Nullable Object> values = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      values.add(ValueCodec.read(in));
    }
    return values;
  }
}
