package dev.holdfast.query.aggregation.hits;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.holdfast.compoundcommit.call.WireInput;
import dev.holdfast.compoundcommit.call.WireOutput;
import dev.holdfast.query.aggregation.kernel.Bucket;
import dev.holdfast.query.aggregation.kernel.Partial;
import dev.holdfast.query.aggregation.kernel.PartialInput;
import dev.holdfast.query.aggregation.kernel.Reduction;
import dev.holdfast.query.result.IntegerTotals;
import dev.holdfast.query.result.ShardHit;
import dev.holdfast.world.RawJson;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The best hits of a bucket so far, fetched already.
///
/// @param total documents of the bucket
/// @param maxScore NaN for none
record TopHitsPartial(TopHitsAggregation request, long total, float maxScore, List<Shown> hits)
    implements Partial {

  /// @param sortValues as [ShardHit] has them
  /// @param json the hit as the client sees it
  @SuppressWarnings("ArrayRecordComponent") // a carrier, never compared
  record Shown(float score, List<@Nullable Object> sortValues, byte[] json) {
    private ShardHit sortable() {
      return new ShardHit(0, score, sortValues);
    }
  }

  TopHitsPartial {
    hits = List.copyOf(hits);
  }

  @Override
  public Partial merge(Partial other) {
    TopHitsPartial right = (TopHitsPartial) other;
    List<Shown> all = new ArrayList<>(hits);
    all.addAll(right.hits);
    all.sort(Comparator.comparing(Shown::sortable, BucketHits.order(request.source())));
    int most = request.source().from() + request.source().size();
    float best =
        Float.isNaN(maxScore)
            ? right.maxScore
            : Float.isNaN(right.maxScore) ? maxScore : Math.max(maxScore, right.maxScore);
    return new TopHitsPartial(
        request, total + right.total, best, all.subList(0, Math.min(most, all.size())));
  }

  @Override
  public Partial reduce(Reduction reduction) {
    int from = Math.min(request.source().from(), hits.size());
    int to = Math.min(hits.size(), from + request.source().size());
    return new TopHitsPartial(request, total, maxScore, hits.subList(from, to));
  }

  @Override
  public String typeName() {
    return "top_hits";
  }

  @Override
  public void render(JsonGenerator out, boolean isTyped) throws IOException {
    out.writeObjectFieldStart("hits");
    IntegerTotals.write(out, total, true);
    if (Float.isNaN(maxScore)) {
      out.writeNullField("max_score");
    } else {
      out.writeNumberField("max_score", maxScore);
    }
    out.writeArrayFieldStart("hits");
    for (Shown hit : hits) {
      RawJson.write(out, hit.json);
    }
    out.writeEndArray();
    out.writeEndObject();
  }

  @Override
  public void write(WireOutput out) throws IOException {
    out.writeVLong(total);
    out.writeInt(Float.floatToIntBits(maxScore));
    out.writeVInt(hits.size());
    for (Shown hit : hits) {
      out.writeInt(Float.floatToIntBits(hit.score));
      out.writeVInt(hit.sortValues.size());
      for (Object value : hit.sortValues) {
        out.writeByte((byte) (value == null ? 0 : 1));
        if (value != null) {
          Bucket.writeKey(
              out, value instanceof Float number ? (Object) number.doubleValue() : value);
        }
      }
      out.writeVInt(hit.json.length);
      out.writeBytes(hit.json, hit.json.length);
    }
  }

  static TopHitsPartial read(PartialInput in, TopHitsAggregation request) throws IOException {
    WireInput data = in.data();
    long total = data.readVLong();
    float maxScore = Float.intBitsToFloat(data.readInt());
    int count = data.readLength();
    List<Shown> hits = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      float score = Float.intBitsToFloat(data.readInt());
      int keys = data.readLength();
      List<@Nullable Object> sortValues = new ArrayList<>(keys);
      for (int key = 0; key < keys; key++) {
        sortValues.add(data.readByte() == 0 ? null : Bucket.readKey(data));
      }
      byte[] json = new byte[data.readLength()];
      data.readBytes(json, 0, json.length);
      hits.add(new Shown(score, Collections.unmodifiableList(sortValues), json));
    }
    return new TopHitsPartial(request, total, maxScore, hits);
  }
}
