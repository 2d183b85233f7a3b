package dev.holdfast.document.synthetic;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.document.SourceReading;
import dev.holdfast.document.mapping.tree.MappingNode;
import dev.holdfast.document.mapping.tree.ObjectMapping;
import dev.holdfast.world.Json;
import dev.holdfast.world.text.JsonTree;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.lucene.index.LeafReader;
import org.jspecify.annotations.Nullable;

/// Synthetic `_source`: a document put together from the doc values of its fields, and from the
/// residue that they lack. Members are in the order of their names, names with dots are objects,
/// and objects in arrays are one object of arrays.
public final class SyntheticSource implements SourceReading {
  private final SourcePlan plan;

  /// @param copyTargets fields that others, which documents may bring, will be copied to
  /// @param keep the index's `synthetic_source_keep`; null for the default
  public SyntheticSource(ObjectMapping root, Set<String> copyTargets, @Nullable String keep) {
    this.plan = new SourcePlan(root, copyTargets, SourceKeep.of(keep, SourceKeep.NONE));
  }

  /// What tells what must be stored of documents; not thread-safe.
  public SourceResidue newResidue() {
    return new SourceResidue(plan);
  }

  @Override
  public byte[] read(LeafReader leaf, int doc, byte @Nullable [] stored) throws IOException {
    if (stored == null) {
      return whole(Json.object(), leaf, doc);
    }
    try (JsonTree tree = JsonTree.of(stored)) {
      return whole((ObjectNode) tree.root(), leaf, doc);
    }
  }

  private byte[] whole(ObjectNode document, LeafReader leaf, int doc) throws IOException {
    int firstRow = doc - document.path(SourceResidue.NOTES).path(SourceResidue.NESTED).asInt();
    return Json.bytes(whole(document, "", plan.root(), leaf, doc, firstRow));
  }

  /// The document, or a nested object in it.
  private ObjectNode whole(
      ObjectNode residue,
      String scope,
      ObjectMapping mapping,
      LeafReader leaf,
      int doc,
      int firstRow)
      throws IOException {
    JsonNode notes = residue.remove(SourceResidue.NOTES);
    List<String> kept = new ArrayList<>();
    if (notes != null) {
      notes.path(SourceResidue.KEPT).forEach(path -> kept.add(path.asText()));
    }
    for (RebuiltField field : plan.fieldsOf(scope)) {
      boolean isWhole = plan.mayBeKept(field.path()) && isIn(residue, field);
      if (!isWhole && !isKept(kept, field.path())) {
        List<JsonNode> values = field.read(leaf, doc);
        if (!values.isEmpty()) {
          place(residue, field, values);
        }
      }
    }
    return sorted(residue, mapping, kept, leaf, firstRow);
  }

  private static boolean isKept(List<String> kept, String path) {
    return kept.stream().anyMatch(each -> path.equals(each) || path.startsWith(each + "."));
  }

  private static boolean isIn(ObjectNode residue, RebuiltField field) {
    JsonNode at = residue;
    for (String step : field.steps()) {
      at = at.path(step);
    }
    return !at.isMissingNode();
  }

  private static void place(ObjectNode root, RebuiltField field, List<JsonNode> values) {
    ObjectNode at = root;
    List<String> steps = field.steps();
    for (String step : steps.subList(0, steps.size() - 1)) {
      at = at.get(step) instanceof ObjectNode inner ? inner : at.putObject(step);
    }
    List<JsonNode> all = new ArrayList<>(values);
    JsonNode ignored = at.get(steps.getLast());
    if (ignored instanceof ArrayNode array) {
      List<JsonNode> more = new ArrayList<>();
      array.forEach(more::add);
      all.removeAll(field.others().isEmpty() ? List.of() : more); // another has what one ignored
      all.addAll(field.showsIgnoredFirst() ? 0 : all.size(), more);
    } else if (ignored != null) {
      all.removeAll(field.others().isEmpty() ? List.of() : List.of(ignored));
      all.add(field.showsIgnoredFirst() ? 0 : all.size(), ignored);
    }
    if (all.size() == 1) {
      at.set(steps.getLast(), all.getFirst());
    } else {
      at.putArray(steps.getLast()).addAll(all);
    }
  }

  /// The members of an object in the order of their names; those that are nested put together.
  private ObjectNode sorted(
      ObjectNode object, ObjectMapping mapping, List<String> kept, LeafReader leaf, int firstRow)
      throws IOException {
    Map<String, JsonNode> members = new TreeMap<>();
    object.properties().forEach(member -> members.put(member.getKey(), member.getValue()));
    ObjectNode sorted = Json.object();
    for (Map.Entry<String, JsonNode> entry : members.entrySet()) {
      MappingNode member = mapping.members().get(entry.getKey());
      JsonNode value = entry.getValue();
      if (member instanceof ObjectMapping inner
          && inner.isEnabled()
          && !isKept(kept, inner.path())) {
        if (inner.isNested()) {
          value = nested(value, inner, leaf, firstRow);
        } else if (value instanceof ObjectNode plain) {
          value = sorted(plain, inner, kept, leaf, firstRow);
        }
      }
      sorted.set(entry.getKey(), value);
    }
    return sorted;
  }

  private JsonNode nested(JsonNode value, ObjectMapping mapping, LeafReader leaf, int firstRow)
      throws IOException {
    ArrayNode objects = Json.MAPPER.createArrayNode();
    for (JsonNode element : value) {
      JsonNode row = element.path(SourceResidue.NOTES).path(SourceResidue.ROW);
      objects.add(
          element instanceof ObjectNode object && row.isInt()
              ? whole(object, mapping.path(), mapping, leaf, firstRow + row.asInt(), firstRow)
              : element);
    }
    return objects.size() == 1 ? objects.get(0) : objects;
  }
}
