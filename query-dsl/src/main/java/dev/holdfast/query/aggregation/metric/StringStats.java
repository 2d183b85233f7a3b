package dev.holdfast.query.aggregation.metric;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.holdfast.compoundcommit.call.WireOutput;
import dev.holdfast.document.ValuesKind;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.aggregation.column.BoundField;
import dev.holdfast.query.aggregation.column.FieldRequest;
import dev.holdfast.query.aggregation.column.TermFilter;
import dev.holdfast.query.aggregation.column.TermKeys;
import dev.holdfast.query.aggregation.column.TermNumbers;
import dev.holdfast.query.aggregation.kernel.Aggregation;
import dev.holdfast.query.aggregation.kernel.AggregationTree;
import dev.holdfast.query.aggregation.kernel.Collecting;
import dev.holdfast.query.aggregation.kernel.Definition;
import dev.holdfast.query.aggregation.kernel.KeyCollecting;
import dev.holdfast.query.aggregation.kernel.Label;
import dev.holdfast.query.aggregation.kernel.Partial;
import dev.holdfast.query.aggregation.kernel.PartialInput;
import dev.holdfast.query.aggregation.kernel.Unmapped;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Lengths and entropy of the terms of a keyword field.
///
/// @param showsDistribution whether the share of each character is shown
public record StringStats(Label label, FieldRequest field, boolean showsDistribution)
    implements Aggregation {

  public static Aggregation parse(Definition definition) {
    JsonObject body = definition.body();
    return new StringStats(
        definition.label(), FieldRequest.parse(body), body.bool("show_distribution", false));
  }

  @Override
  public boolean takesChildren() {
    return false;
  }

  @Override
  public Collecting bind(QueryContext context) throws IOException {
    BoundField bound = field.bind(context, ValuesKind.KEYWORD);
    if (bound == null) {
      return new Unmapped(empty());
    }
    if (bound.kind() != ValuesKind.KEYWORD) {
      throw field.unsupported(bound);
    }
    TermNumbers numbers = new TermNumbers(bound, TermFilter.ALL, name(), context);
    return new KeyCollecting(
        numbers::open,
        AggregationTree.NONE.group(context),
        (found, _, _) -> {
          Result result = new Result(this, 0, 0, Integer.MAX_VALUE, 0, Map.of());
          List<Partial> all = new ArrayList<>();
          for (KeyCollecting.Found each : found) {
            String term = TermKeys.text(numbers.key(each.key()), bound.shown());
            all.add(Result.of(this, term, each.count()));
          }
          Partial merged = result;
          for (Partial each : all) {
            merged = merged.merge(each);
          }
          return merged;
        });
  }

  @Override
  public Partial empty() {
    return new Result(this, 0, 0, Integer.MAX_VALUE, 0, Map.of());
  }

  @Override
  public Partial read(PartialInput in) throws IOException {
    long count = in.data().readVLong();
    long length = in.data().readVLong();
    int min = in.data().readVInt();
    int max = in.data().readVInt();
    int size = in.data().readLength();
    Map<String, Long> characters = new TreeMap<>();
    for (int i = 0; i < size; i++) {
      String character = in.data().readString();
      characters.put(character, in.data().readVLong());
    }
    return new Result(this, count, length, min, max, characters);
  }

  /// @param length of all terms together, in characters
  /// @param characters how often each occurs
  record Result(
      StringStats request, long count, long length, int min, int max, Map<String, Long> characters)
      implements Partial {

    static Result of(StringStats request, String term, long count) {
      Map<String, Long> characters = new TreeMap<>();
      for (int i = 0; i < term.length(); i++) {
        characters.merge(String.valueOf(term.charAt(i)), count, Long::sum);
      }
      return new Result(
          request, count, count * term.length(), term.length(), term.length(), characters);
    }

    @Override
    public Partial merge(Partial other) {
      Result right = (Result) other;
      Map<String, Long> all = new TreeMap<>(characters);
      right.characters.forEach((character, times) -> all.merge(character, times, Long::sum));
      return new Result(
          request,
          count + right.count,
          length + right.length,
          Math.min(min, right.min),
          Math.max(max, right.max),
          all);
    }

    private double entropy() {
      double entropy = 0;
      for (long times : characters.values()) {
        double share = (double) times / length;
        entropy -= share * Math.log(share) / Math.log(2);
      }
      return entropy;
    }

    @Override
    public String typeName() {
      return "string_stats";
    }

    @Override
    public double metric(String property) {
      return switch (property) {
        case "count" -> count;
        case "min_length" -> min;
        case "max_length" -> max;
        case "avg_length" -> (double) length / count;
        case "entropy" -> entropy();
        default ->
            throw Refusal.badArgument(
                "Unknown value [" + property + "] in string stats aggregation");
      };
    }

    @Override
    public void render(JsonGenerator out, boolean isTyped) throws IOException {
      out.writeNumberField("count", count);
      if (count == 0) {
        out.writeNullField("min_length");
        out.writeNullField("max_length");
        out.writeNullField("avg_length");
        out.writeNumberField("entropy", 0.0);
      } else {
        out.writeNumberField("min_length", min);
        out.writeNumberField("max_length", max);
        out.writeNumberField("avg_length", (double) length / count);
        out.writeNumberField("entropy", entropy());
      }
      if (!request.showsDistribution) {
        return;
      }
      out.writeObjectFieldStart("distribution");
      List<Map.Entry<String, Long>> sorted = new ArrayList<>(characters.entrySet());
      sorted.sort(Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder()));
      for (Map.Entry<String, Long> each : sorted) {
        out.writeNumberField(each.getKey(), (double) each.getValue() / length);
      }
      out.writeEndObject();
    }

    @Override
    public void write(WireOutput out) throws IOException {
      out.writeVLong(count);
      out.writeVLong(length);
      out.writeVInt(min);
      out.writeVInt(max);
      out.writeVInt(characters.size());
      for (Map.Entry<String, Long> each : characters.entrySet()) {
        out.writeString(each.getKey());
        out.writeVLong(each.getValue());
      }
    }
  }
}
