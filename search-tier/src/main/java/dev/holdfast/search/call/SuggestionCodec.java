package dev.holdfast.search.call;

import dev.holdfast.compoundcommit.call.Codec;
import dev.holdfast.compoundcommit.call.WireInput;
import dev.holdfast.compoundcommit.call.WireOutput;
import dev.holdfast.compoundcommit.call.WireValues;
import dev.holdfast.query.result.Hit;
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
            WireValues.writeList(out, OPTION, entry.options());
          },
          in ->
              new Entry(
                  in.readString(), in.readVInt(), in.readVInt(), WireValues.readList(in, OPTION)));

  private SuggestionCodec() {}

  static void write(WireOutput out, Map<String, List<Entry>> suggestions) throws IOException {
    out.writeVInt(suggestions.size());
    for (Map.Entry<String, List<Entry>> each : suggestions.entrySet()) {
      out.writeString(each.getKey());
      WireValues.writeList(out, ENTRY, each.getValue());
    }
  }

  static Map<String, List<Entry>> read(WireInput in) throws IOException {
    int size = in.readLength();
    Map<String, List<Entry>> suggestions = new LinkedHashMap<>();
    for (int i = 0; i < size; i++) {
      suggestions.put(in.readString(), WireValues.readList(in, ENTRY));
    }
    return suggestions;
  }

  private static void write(WireOutput out, Option option) throws IOException {
    out.writeString(option.text());
    out.writeLong(Double.doubleToRawLongBits(option.score()));
    out.writeZLong(option.frequency());
    WireValues.writeText(out, option.highlighted());
    ValueCodec.write(out, option.collateMatch());
    Hit hit = option.hit();
    WireValues.writeFlag(out, hit != null);
    if (hit != null) {
      HitCodec.INSTANCE.write(out, hit);
    }
  }

  private static Option option(WireInput in) throws IOException {
    return new Option(
        in.readString(),
        Double.longBitsToDouble(in.readLong()),
        in.readZLong(),
        WireValues.readText(in),
        (@Nullable Boolean) ValueCodec.read(in),
        WireValues.readFlag(in) ? HitCodec.INSTANCE.read(in) : null);
  }
}
