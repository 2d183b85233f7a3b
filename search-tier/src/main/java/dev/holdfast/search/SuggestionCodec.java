package dev.holdfast.search;

import dev.holdfast.compoundcommit.call.Codec;
import dev.holdfast.compoundcommit.call.Wire;
import dev.holdfast.compoundcommit.call.WireInput;
import dev.holdfast.compoundcommit.call.WireOutput;
import dev.holdfast.query.Hit;
import dev.holdfast.query.suggest.Suggester.Entry;
import dev.holdfast.query.suggest.Suggester.Option;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// How a shard's suggestions travel.
final class SuggestionCodec {
  private static final Codec<Option> OPTION =
      Codec.record(SuggestionCodec::write, SuggestionCodec::option);

  private static final Codec<Entry> ENTRY =
      Codec.record(
          (out, entry) -> {
            out.writeString(entry.text());
            out.writeVInt(entry.offset());
            out.writeVInt(entry.length());
            Wire.writeList(out, OPTION, entry.options());
          },
          in ->
              new Entry(in.readString(), in.readVInt(), in.readVInt(), Wire.readList(in, OPTION)));

  private SuggestionCodec() {}

  static void write(WireOutput out, Map<String, List<Entry>> suggestions) throws IOException {
    out.writeVInt(suggestions.size());
    for (Map.Entry<String, List<Entry>> each : suggestions.entrySet()) {
      out.writeString(each.getKey());
      Wire.writeList(out, ENTRY, each.getValue());
    }
  }

  static Map<String, List<Entry>> read(WireInput in) throws IOException {
    int size = in.readLength();
    Map<String, List<Entry>> suggestions = new LinkedHashMap<>();
    for (int i = 0; i < size; i++) {
      suggestions.put(in.readString(), Wire.readList(in, ENTRY));
    }
    return suggestions;
  }

  private static void write(WireOutput out, Option option) throws IOException {
    out.writeString(option.text());
    out.writeLong(Double.doubleToRawLongBits(option.score()));
    out.writeZLong(option.frequency());
    Wire.writeText(out, option.highlighted());
    Values.write(out, option.collateMatch());
    Hit hit = option.hit();
    Wire.writeFlag(out, hit != null);
    if (hit != null) {
      HitCodec.INSTANCE.write(out, hit);
    }
  }

  private static Option option(WireInput in) throws IOException {
    return new Option(
        in.readString(),
        Double.longBitsToDouble(in.readLong()),
        in.readZLong(),
        Wire.readText(in),
        (@Nullable Boolean) Values.read(in),
        Wire.readFlag(in) ? HitCodec.INSTANCE.read(in) : null);
  }
}
