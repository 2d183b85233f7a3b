package dev.holdfast.query.aggregation.metric;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.holdfast.compoundcommit.call.WireInput;
import dev.holdfast.compoundcommit.call.WireOutput;
import dev.holdfast.query.aggregation.kernel.Partial;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.WorkMemory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The result of [MatrixStats]: sums over the documents that had all the fields of their index.
///
/// @param fields as the index had them; indices with other fields than the first one's are left out
record MatrixPartial(List<String> fields, MatrixSums sums) implements Partial {
  static final MatrixPartial NONE = new MatrixPartial(List.of(), new MatrixSums(0));

  MatrixPartial {
    fields = List.copyOf(fields);
  }

  @Override
  public Partial merge(Partial other) {
    MatrixPartial right = (MatrixPartial) other;
    if (right.sums.count() == 0) {
      return this;
    }
    if (sums.count() == 0) {
      return right;
    }
    if (!fields.equals(right.fields)) {
      return fields.size() >= right.fields.size() ? this : right;
    }
    WorkMemory.add(sums.bytes());
    return new MatrixPartial(fields, sums.copy().plus(right.sums));
  }

  @Override
  public String typeName() {
    return "matrix_stats";
  }

  /// Fields in the order of a hash of their names, as Elasticsearch shows them.
  private Map<String, Integer> shown() {
    Map<String, Integer> byName = new HashMap<>();
    for (int i = 0; i < fields.size(); i++) {
      byName.put(fields.get(i), i);
    }
    return byName;
  }

  @Override
  public void render(JsonGenerator out, boolean isTyped) throws IOException {
    out.writeNumberField("doc_count", sums.count());
    if (sums.count() == 0) {
      return;
    }
    out.writeArrayFieldStart("fields");
    Map<String, Integer> shown = shown();
    for (Map.Entry<String, Integer> field : shown.entrySet()) {
      int i = field.getValue();
      out.writeStartObject();
      out.writeStringField("name", field.getKey());
      out.writeNumberField("count", sums.count());
      out.writeNumberField("mean", sums.mean(i));
      out.writeNumberField("variance", sums.variance(i));
      out.writeNumberField("skewness", sums.skewness(i));
      out.writeNumberField("kurtosis", sums.kurtosis(i));
      out.writeObjectFieldStart("covariance");
      for (Map.Entry<String, Integer> other : shown.entrySet()) {
        out.writeNumberField(other.getKey(), sums.covariance(i, other.getValue()));
      }
      out.writeEndObject();
      out.writeObjectFieldStart("correlation");
      for (Map.Entry<String, Integer> other : shown.entrySet()) {
        out.writeNumberField(other.getKey(), sums.correlation(i, other.getValue()));
      }
      out.writeEndObject();
      out.writeEndObject();
    }
    out.writeEndArray();
  }

  /// `field.mean`, `field.variance` and so on.
  @Override
  public double metric(String property) {
    if (property.equals("doc_count") || property.isEmpty()) {
      return sums.count();
    }
    int dot = property.lastIndexOf('.');
    int i = dot < 0 ? -1 : fields.indexOf(property.substring(0, dot));
    if (i < 0) {
      throw Refusal.badArgument("Found unknown path element [" + property + "] in [matrix_stats]");
    }
    return switch (property.substring(dot + 1)) {
      case "count" -> sums.count();
      case "mean" -> sums.mean(i);
      case "variance" -> sums.variance(i);
      case "skewness" -> sums.skewness(i);
      case "kurtosis" -> sums.kurtosis(i);
      default ->
          throw Refusal.badArgument(
              "Found unknown path element [" + property + "] in [matrix_stats]");
    };
  }

  @Override
  public void write(WireOutput out) throws IOException {
    out.writeVInt(fields.size());
    for (String field : fields) {
      out.writeString(field);
    }
    sums.write(out);
  }

  static MatrixPartial read(WireInput in) throws IOException {
    int size = in.readLength();
    List<String> fields = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      fields.add(in.readString());
    }
    return new MatrixPartial(fields, MatrixSums.read(in));
  }
}
