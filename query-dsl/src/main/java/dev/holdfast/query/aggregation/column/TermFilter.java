package dev.holdfast.query.aggregation.column;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.holdfast.document.ValueFormat;
import dev.holdfast.document.ValuesKind;
import dev.holdfast.query.RegexpAutomata;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.Reservation;
import java.util.HashSet;
import java.util.Set;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.StringHelper;
import org.apache.lucene.util.automaton.Automaton;
import org.apache.lucene.util.automaton.ByteRunAutomaton;
import org.jspecify.annotations.Nullable;

/// Which values of a field may be buckets: `include` and `exclude` as expressions or lists, or one
/// partition of all.
///
/// @param partitions 0 for no partitioning
public record TermFilter(
    @Nullable JsonNode include, @Nullable JsonNode exclude, int partition, int partitions) {
  public static final TermFilter ALL = new TermFilter(null, null, 0, 0);
  private static final int STATES_MAX = 10_000;
  private static final int SEED = 31;

  /// @param include a regular expression, a list, or `{"partition": p, "num_partitions": n}`
  public static TermFilter parse(@Nullable JsonNode include, @Nullable JsonNode exclude) {
    if (include != null && include.isObject()) {
      if (exclude != null) {
        throw Refusal.badArgument(
            "Cannot specify any excludes when using a partition-based include");
      }
      JsonObject part = JsonObject.ofValues("include", include);
      int partition = part.integer("partition", -1);
      int partitions = part.integer("num_partitions", -1);
      part.done();
      if (partition < 0) {
        throw Refusal.badArgument("Missing [partition] parameter for partition-based include");
      }
      if (partitions < 1) {
        throw Refusal.badArgument("Missing [num_partitions] parameter for partition-based include");
      }
      if (partition >= partitions) {
        throw Refusal.badArgument("Partition must be less than [num_partitions]");
      }
      return new TermFilter(null, null, partition, partitions);
    }
    check(include, "include");
    check(exclude, "exclude");
    return include == null && exclude == null ? ALL : new TermFilter(include, exclude, 0, 0);
  }

  private static void check(@Nullable JsonNode node, String name) {
    if (node != null && !node.isArray() && !node.isTextual()) {
      throw new Refusal(ErrorType.PARSING, "Unrecognized token in " + name + " [" + node + "]");
    }
    if (node != null && node.isArray()) {
      for (JsonNode value : node) {
        if (value.isNull() || value.isContainerNode()) {
          throw new Refusal(
              ErrorType.PARSE, "Array elements in include/exclude clauses should be string values");
        }
      }
    }
  }

  /// Decides over terms.
  @FunctionalInterface
  public interface Terms {
    boolean accepts(BytesRef term);
  }

  /// Decides over doc values.
  @FunctionalInterface
  public interface Values {
    boolean accepts(long docValue);
  }

  /// Refuses regular expressions where terms are no text.
  ///
  /// @param name of the aggregation, for messages
  public void checkExpressions(BoundField field, String name) {
    boolean isExpression =
        (include != null && include.isTextual()) || (exclude != null && exclude.isTextual());
    if (isExpression && field.kind() == ValuesKind.IP) {
      throw Refusal.badArgument(
          "Aggregation ["
              + name
              + "] cannot support regular expression style include/exclude settings as they can"
              + " only be applied to string fields. Use an array of values for include/exclude"
              + " clauses");
    }
  }

  /// @return null when every term is accepted
  public @Nullable Terms terms(ValueFormat format, Reservation memory) {
    if (partitions > 0) {
      return term ->
          Math.floorMod(StringHelper.murmurhash3_x86_32(term, SEED), partitions) == partition;
    }
    Terms included = include == null ? null : matching(include, format, memory);
    Terms excluded = exclude == null ? null : matching(exclude, format, memory);
    if (included == null && excluded == null) {
      return null;
    }
    return term ->
        (included == null || included.accepts(term))
            && (excluded == null || !excluded.accepts(term));
  }

  /// @param name of the aggregation, for messages
  /// @return null when every value is accepted
  public @Nullable Values values(BoundField field, String name, long nowMillis) {
    if (partitions > 0) {
      return value -> Math.floorMod(DistinctHashes.hash(value), (long) partitions) == partition;
    }
    Set<Long> included =
        include == null || (include.isArray() && include.isEmpty())
            ? null
            : list(include, field, name, nowMillis);
    Set<Long> excluded = exclude == null ? null : list(exclude, field, name, nowMillis);
    if (included == null && excluded == null) {
      return null;
    }
    return value ->
        (included == null || included.contains(value))
            && (excluded == null || !excluded.contains(value));
  }

  private static Set<Long> list(JsonNode values, BoundField field, String name, long nowMillis) {
    if (!values.isArray()) {
      throw Refusal.badArgument(
          "Aggregation ["
              + name
              + "] cannot support regular expression style include/exclude settings as they can"
              + " only be applied to string fields. Use an array of numeric values for"
              + " include/exclude clauses used to filter numeric fields");
    }
    Set<Long> set = new HashSet<>();
    for (JsonNode value : values) {
      // Numbers are milliseconds, as keys show them.
      boolean isMillis = value.isNumber() && field.kind() == ValuesKind.DATE_NANOS;
      JsonNode read = isMillis ? TextNode.valueOf(value.asText()) : value;
      set.add(field.shown().format().toDocValue(read, false, nowMillis));
    }
    return set;
  }

  private static Terms matching(JsonNode node, ValueFormat format, Reservation memory) {
    if (node.isArray()) {
      Set<BytesRef> set = new HashSet<>();
      node.forEach(value -> set.add(format.toTerm(value)));
      return set::contains;
    }
    Automaton automaton = RegexpAutomata.determinized(memory, node.asText(), STATES_MAX);
    ByteRunAutomaton run = new ByteRunAutomaton(automaton);
    return term -> run.run(term.bytes, term.offset, term.length);
  }
}
