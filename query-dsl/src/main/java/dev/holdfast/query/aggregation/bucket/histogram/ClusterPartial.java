package dev.holdfast.query.aggregation.bucket.histogram;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.holdfast.compoundcommit.call.WireInput;
import dev.holdfast.compoundcommit.call.WireOutput;
import dev.holdfast.query.aggregation.kernel.Bucket;
import dev.holdfast.query.aggregation.kernel.Bucketed;
import dev.holdfast.query.aggregation.kernel.DisplayFormat;
import dev.holdfast.query.aggregation.kernel.Partial;
import dev.holdfast.query.aggregation.kernel.PartialInput;
import dev.holdfast.query.aggregation.kernel.Reduction;
import dev.holdfast.query.aggregation.kernel.Results;
import dev.holdfast.query.aggregation.metric.NumberRendering;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// Clusters of `variable_width_histogram`, in ascending order of their means.
record ClusterPartial(VariableWidthHistogram request, List<Cluster> clusters, DisplayFormat shown)
    implements Partial, Bucketed {
  private static final Comparator<Cluster> BY_MEAN = Comparator.comparingDouble(Cluster::mean);

  /// @param sum of its values
  record Cluster(double sum, double min, double max, long count, Results children) {
    double mean() {
      return sum / count;
    }

    Cluster merge(Cluster other) {
      return new Cluster(
          sum + other.sum,
          Math.min(min, other.min),
          Math.max(max, other.max),
          count + other.count,
          children.merge(other.children));
    }
  }

  ClusterPartial {
    clusters = List.copyOf(clusters);
  }

  /// At most `size` clusters: the two neighbours that are closest are joined, again and again.
  static List<Cluster> joined(List<Cluster> clusters, int size) {
    List<Cluster> sorted = new ArrayList<>(clusters);
    sorted.sort(BY_MEAN);
    return sorted.size() <= size ? sorted : new ClusterChain(sorted).joined(size);
  }

  @Override
  public Partial merge(Partial other) {
    ClusterPartial right = (ClusterPartial) other;
    List<Cluster> all = new ArrayList<>(clusters);
    all.addAll(right.clusters);
    all.sort(BY_MEAN);
    return new ClusterPartial(request, all, shown.or(right.shown));
  }

  @Override
  public Partial reduce(Reduction reduction) {
    List<Cluster> few = joined(clusters, request.buckets());
    reduction.add(few.size());
    List<Cluster> reduced = new ArrayList<>(few.size());
    for (int i = 0; i < few.size(); i++) {
      Cluster each = few.get(i);
      // Neighbours that overlap meet half way.
      double min = i > 0 ? edge(few.get(i - 1), each, each.min) : each.min;
      double max = i + 1 < few.size() ? edge(each, few.get(i + 1), each.max) : each.max;
      Results children = request.children().reduce(each.children, reduction);
      reduced.add(new Cluster(each.sum, min, max, each.count, children));
    }
    return new ClusterPartial(request, reduced, shown);
  }

  private static double edge(Cluster left, Cluster right, double whenApart) {
    return left.max > right.min ? (left.max + right.min) / 2 : whenApart;
  }

  @Override
  public String typeName() {
    return "variable_width_histogram";
  }

  @Override
  public List<Bucket> buckets() {
    return clusters.stream()
        .map(each -> new Bucket(each.mean(), each.count, each.children))
        .toList();
  }

  @Override
  public String name(Bucket bucket) {
    return shown.format().toText(bucket.number());
  }

  @Override
  public void render(JsonGenerator out, boolean isTyped) throws IOException {
    out.writeArrayFieldStart("buckets");
    for (Cluster each : clusters) {
      out.writeStartObject();
      NumberRendering.write(out, "min", each.min, true, shown);
      NumberRendering.write(out, "key", each.mean(), true, shown);
      NumberRendering.write(out, "max", each.max, true, shown);
      out.writeNumberField("doc_count", each.count);
      each.children.render(out, isTyped);
      out.writeEndObject();
    }
    out.writeEndArray();
  }

  @Override
  public void write(WireOutput out) throws IOException {
    shown.write(out);
    out.writeVInt(clusters.size());
    for (Cluster each : clusters) {
      out.writeLong(Double.doubleToRawLongBits(each.sum));
      out.writeLong(Double.doubleToRawLongBits(each.min));
      out.writeLong(Double.doubleToRawLongBits(each.max));
      out.writeVLong(each.count);
      each.children.write(out);
    }
  }

  static ClusterPartial read(PartialInput in, VariableWidthHistogram request) throws IOException {
    DisplayFormat shown = DisplayFormat.read(in);
    WireInput data = in.data();
    int count = data.readLength();
    List<Cluster> clusters = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      double sum = Double.longBitsToDouble(data.readLong());
      double min = Double.longBitsToDouble(data.readLong());
      double max = Double.longBitsToDouble(data.readLong());
      long docs = data.readVLong();
      clusters.add(new Cluster(sum, min, max, docs, request.children().read(in)));
    }
    return new ClusterPartial(request, clusters, shown);
  }
}
