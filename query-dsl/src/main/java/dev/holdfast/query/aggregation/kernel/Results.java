package dev.holdfast.query.aggregation.kernel;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.holdfast.compoundcommit.call.WireOutput;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.StopSignal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The partial results of aggregations side by side, in the order of the request: of a whole shard,
/// or of one bucket.
public record Results(List<Entry> entries) {
  public static final Results NONE = new Results(List.of());

  /// A partial result under its name.
  public record Entry(Label label, Partial partial) {}

  public Results {
    entries = List.copyOf(entries);
  }

  /// These of no documents.
  ///
  /// @param empty of the same request
  public Results emptied(Results empty) {
    if (entries.size() != empty.entries.size()) {
      return empty;
    }
    List<Entry> emptied = new ArrayList<>(entries.size());
    for (int i = 0; i < entries.size(); i++) {
      Entry none = empty.entries.get(i);
      emptied.add(new Entry(none.label(), entries.get(i).partial().emptied(none.partial())));
    }
    return new Results(emptied);
  }

  /// Both together; `other` is of the same request.
  public Results merge(Results other) {
    if (entries.isEmpty()) {
      return other;
    }
    List<Entry> merged = new ArrayList<>(entries.size());
    for (int i = 0; i < entries.size(); i++) {
      StopSignal.pollForCancelling();
      Entry entry = entries.get(i);
      merged.add(new Entry(entry.label(), entry.partial().merge(other.entries.get(i).partial())));
    }
    return new Results(merged);
  }

  /// Writes `"name": {…}` for each aggregation into the open object.
  ///
  /// @param isTyped whether names carry their type (`avg#name`)
  public void render(JsonGenerator out, boolean isTyped) throws IOException {
    for (Entry entry : entries) {
      StopSignal.pollForCancelling();
      String name = entry.label().name();
      out.writeObjectFieldStart(isTyped ? entry.partial().typeName() + "#" + name : name);
      if (entry.label().meta() != null) {
        out.writeObjectField("meta", entry.label().meta());
      }
      entry.partial().render(out, isTyped);
      out.writeEndObject();
    }
  }

  /// Writes each partial result as a record of its own.
  public void write(WireOutput out) throws IOException {
    for (Entry entry : entries) {
      int begin = out.begin();
      entry.partial().write(out);
      out.end(begin);
    }
  }

  /// The result of that name; null for none.
  public @Nullable Partial find(String name) {
    for (Entry entry : entries) {
      if (entry.label().name().equals(name)) {
        return entry.partial();
      }
    }
    return null;
  }

  public Results with(Label label, Partial partial) {
    List<Entry> more = new ArrayList<>(entries);
    more.add(new Entry(label, partial));
    return new Results(more);
  }

  /// The number at a path like `filtered>stats.avg`.
  ///
  /// @throws Refusal `illegal_argument_exception` when the path leads nowhere
  double metric(String path) {
    int step = path.indexOf('>');
    String name = step < 0 ? path : path.substring(0, step);
    String property = "";
    Partial partial = find(name);
    if (partial == null && step < 0 && name.endsWith("]") && name.indexOf('[') > 0) {
      property = name.substring(name.indexOf('[') + 1, name.length() - 1);
      partial = find(name.substring(0, name.indexOf('[')));
    }
    for (int dot = name.indexOf('.');
        partial == null && step < 0 && dot > 0;
        dot = name.indexOf('.', dot + 1)) {
      partial = find(name.substring(0, dot));
      property = name.substring(dot + 1);
    }
    if (partial == null) {
      throw Refusal.badArgument(
          "Invalid aggregator order path ["
              + path
              + "]. The provided aggregation ["
              + name
              + "] either does not exist, or is a pipeline aggregation and cannot be used to sort"
              + " the buckets.");
    }
    if (step < 0) {
      if (partial.isSingleNumber() && !property.isEmpty() && !property.equals("value")) {
        throw Refusal.badArgument("path not supported for [" + name + "]: [" + property + "]");
      }
      return partial.metric(property);
    }
    Results below = partial.children();
    if (below == null && partial instanceof Bucketed) {
      throw noNumber("[Object[]] at aggregation [" + name + "]");
    }
    if (below == null) {
      throw Refusal.badArgument(
          "Invalid aggregation order path ["
              + path
              + "]. Sorting can be applied only to"
              + " single-bucket aggregations; ["
              + name
              + "] is not one");
    }
    String rest = path.substring(step + 1);
    return rest.equals("_count") ? partial.metric("_count") : below.metric(rest);
  }

  static Refusal noNumber(String found) {
    return Refusal.badArgument(
        "buckets_path must reference either a number value or a single value numeric metric"
            + " aggregation, "
            + (found.startsWith("but") ? found : "got: " + found));
  }
}
