package dev.holdfast.api.search.caps;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.http.Answer;
import dev.holdfast.http.RequestMemory;
import dev.holdfast.world.Json;
import dev.holdfast.world.StopSignal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/// The answer: fields by name, what they can do by type, and which indices do not agree.
final class FieldCapsAnswer {
  /// Memory for each name of an index in the lists of the answer.
  private static final int NAME_BYTES = 64;

  private final List<String> indices = new ArrayList<>();

  /// Indices by what their fields can do.
  private final Map<SortedMap<String, FieldCap>, List<String>> groups = new LinkedHashMap<>();

  /// The group of what was added last: most indices come after one of the same mapping, whose
  /// fields need not be compared.
  private SortedMap<String, FieldCap> last = new TreeMap<>();

  private List<String> lastGroup = new ArrayList<>();

  /// @param caps of its fields by path
  @SuppressWarnings("ReferenceEquality") // equal ones are found below, at a price
  void add(String index, SortedMap<String, FieldCap> caps) {
    RequestMemory.add(NAME_BYTES);
    indices.add(index);
    if (caps != last || lastGroup.isEmpty()) {
      last = caps;
      lastGroup = groups.computeIfAbsent(caps, _ -> new ArrayList<>());
    }
    lastGroup.add(index);
  }

  /// @param withUnmapped names the indices that do not have a field that others have
  Answer answer(boolean withUnmapped) {
    ObjectNode answer = Json.object();
    write(answer, "indices", indices);
    ObjectNode fields = answer.putObject("fields");
    byField()
        .forEach((field, caps) -> {
          StopSignal.pollForCancelling();
          SortedMap<String, List<FieldCap.Of>> byType = new TreeMap<>();
          caps.forEach(
              one -> byType.computeIfAbsent(one.cap().type(), _ -> new ArrayList<>()).add(one));
          List<String> without = withUnmapped ? without(field, caps) : List.of();
          if (!without.isEmpty()) {
            byType.put("unmapped", List.of(new FieldCap.Of(FieldCap.UNMAPPED, without)));
          }
          ObjectNode shown = fields.putObject(field);
          byType.forEach((type, of) -> write(shown.putObject(type), type, of, byType.size() > 1));
        });
    return Answer.of(200, answer);
  }

  private SortedMap<String, List<FieldCap.Of>> byField() {
    SortedMap<String, List<FieldCap.Of>> byField = new TreeMap<>();
    groups.forEach((caps, of) ->
        caps.forEach((field, cap) ->
            byField.computeIfAbsent(field, _ -> new ArrayList<>()).add(new FieldCap.Of(cap, of))));
    return byField;
  }

  private List<String> without(String field, List<FieldCap.Of> caps) {
    if (caps.stream().mapToInt(one -> one.indices().size()).sum() == indices.size()) {
      return List.of();
    }
    List<String> without = new ArrayList<>();
    groups.forEach((has, of) -> {
      if (!has.containsKey(field)) {
        without.addAll(of);
      }
    });
    return without;
  }

  private static void write(
      ObjectNode one, String type, List<FieldCap.Of> caps, boolean isConflict) {
    one.put("type", type);
    one.put("metadata_field", caps.stream().anyMatch(of -> of.cap().isMetadata()));
    one.put("searchable", caps.stream().allMatch(of -> of.cap().isSearchable()));
    one.put("aggregatable", caps.stream().allMatch(of -> of.cap().isAggregatable()));
    one.put("inference", false);
    SeriesCaps.write(one, caps);
    if (isConflict) {
      write(one, "indices", named(caps));
    }
    writeSome(one, "non_searchable_indices", caps, cap -> !cap.isSearchable());
    writeSome(one, "non_aggregatable_indices", caps, cap -> !cap.isAggregatable());
    writeSome(one, "non_dimension_indices", caps, cap -> !cap.series().isDimension());
    if (SeriesCaps.isConflict(caps)) {
      write(one, "metric_conflicts_indices", named(caps));
    }
  }

  /// Names the indices in which the field is as that says, where it is not so in all.
  private static void writeSome(
      ObjectNode to, String name, List<FieldCap.Of> caps, Predicate<FieldCap> wanted) {
    List<FieldCap.Of> some = caps.stream().filter(of -> wanted.test(of.cap())).toList();
    if (!some.isEmpty() && some.size() < caps.size()) {
      write(to, name, named(some));
    }
  }

  /// All indices by name.
  private static List<String> named(List<FieldCap.Of> caps) {
    return caps.stream().flatMap(of -> of.indices().stream()).sorted().toList();
  }

  private static void write(ObjectNode to, String name, List<String> indices) {
    RequestMemory.add((long) NAME_BYTES * indices.size());
    ArrayNode names = to.putArray(name);
    indices.forEach(names::add);
  }
}
