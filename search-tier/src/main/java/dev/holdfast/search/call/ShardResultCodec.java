package dev.holdfast.search.call;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.compoundcommit.call.Codec;
import dev.holdfast.compoundcommit.call.WireInput;
import dev.holdfast.compoundcommit.call.WireOutput;
import dev.holdfast.compoundcommit.call.WireValues;
import dev.holdfast.document.MappingFactory;
import dev.holdfast.query.aggregation.kernel.PartialInput;
import dev.holdfast.query.hits.ShardResult;
import dev.holdfast.query.request.SearchSource;
import dev.holdfast.query.result.ShardHit;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// How what a shard's query phase found travels: its hits, totals and partial aggregations.
public final class ShardResultCodec {
  public static final Codec<ShardHit> HIT =
      Codec.record(
          (out, hit) -> {
            out.writeVInt(hit.doc());
            out.writeInt(Float.floatToRawIntBits(hit.score()));
            writeValues(out, hit.sortValues());
            ValueCodec.write(out, hit.group());
          },
          in ->
              new ShardHit(
                  in.readVInt(),
                  Float.intBitsToFloat(in.readInt()),
                  readValues(in),
                  ValueCodec.read(in)));

  private ShardResultCodec() {}

  /// @param source of the search: says which aggregations come
  /// @param mappings makes the field types again that say how values are shown
  public static Codec<ShardResult> of(SearchSource source, MappingFactory mappings) {
    return Codec.record(ShardResultCodec::write, in -> read(in, source, mappings));
  }

  private static void write(WireOutput out, ShardResult result) throws IOException {
    WireValues.writeList(out, HIT, result.hits());
    out.writeZLong(result.total());
    WireValues.writeFlag(out, result.isTotalExact());
    out.writeInt(Float.floatToRawIntBits(result.maxScore()));
    WireValues.writeFlag(out, result.isTimedOut());
    WireValues.writeFlag(out, result.isTerminatedEarly());
    result.aggregations().write(out);
    SuggestionCodec.write(out, result.suggestions());
    ValueCodec.write(out, result.profile());
  }

  private static ShardResult read(WireInput in, SearchSource source, MappingFactory mappings)
      throws IOException {
    List<ShardHit> hits = WireValues.readList(in, HIT);
    long total = in.readZLong();
    boolean isTotalExact = WireValues.readFlag(in);
    float maxScore = Float.intBitsToFloat(in.readInt());
    boolean isTimedOut = WireValues.readFlag(in);
    boolean isTerminatedEarly = WireValues.readFlag(in);
    return new ShardResult(
        hits,
        total,
        isTotalExact,
        maxScore,
        source.aggregations().read(new PartialInput(in, mappings)),
        isTimedOut,
        isTerminatedEarly,
        SuggestionCodec.read(in),
        (@Nullable ObjectNode) ValueCodec.read(in));
  }

  private static void writeValues(WireOutput out, List<@Nullable Object> values)
      throws IOException {
    out.writeVInt(values.size());
    for (Object value : values) {
      ValueCodec.write(out, value);
    }
  }

  private static List<@Nullable Object> readValues(WireInput in) throws IOException {
    int size = in.readLength();
    List<@Nullable Object> values = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      values.add(ValueCodec.read(in));
    }
    return values;
  }
}
