package dev.holdfast.document.synthetic;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.document.mapping.tree.LeafMapping;
import dev.holdfast.document.mapping.tree.MappingNode;
import dev.holdfast.document.mapping.tree.ObjectMapping;
import dev.holdfast.world.Json;
import dev.holdfast.world.text.JsonTree;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/// What is stored of a document whose `_source` is synthetic: what doc values lack. Objects in
/// arrays have become one object; nested objects know their rows; the member "" of an object, a
/// name that no field has, holds what [SyntheticSource] must know.
public final class SourceResidue {
  /// The member that is no field.
  static final String NOTES = "";

  /// In the notes: paths of fields and objects that are kept as they came.
  static final String KEPT = "kept";

  /// In the notes of a nested object: its row, counted from the document's first.
  static final String ROW = "row";

  /// In the notes of a document: how many nested objects it has.
  static final String NESTED = "nested";

  /// Of a document of which doc values say all.
  public static final byte[] NOTHING = {};

  private final SourcePlan plan;
  private final StreamedResidue streamed;
  private final IgnoredValues ignoredValues = new IgnoredValues();
  private Predicate<String> isIgnored = _ -> false;
  private int rows;

  SourceResidue(SourcePlan plan) {
    this.plan = plan;
    this.streamed = new StreamedResidue(plan.residue());
  }

  /// Whether a value of a field that is no array, and not ignored, leaves nothing to be stored, or
  /// an object nothing but what is in it.
  public boolean isPlain(String path) {
    return plan.isPlain(path);
  }

  /// What is stored of a document of which no value was ignored; empty when doc values say it all.
  public byte[] of(byte[] bytes, int offset, int length) {
    byte[] found = streamed.of(bytes, offset, length);
    return found == null ? of(bytes, offset, length, _ -> false) : found;
  }

  /// The same of a document of which values were ignored.
  ///
  /// @param isIgnored whether any value of a field, by its path, was ignored
  public byte[] of(byte[] bytes, int offset, int length, Predicate<String> isIgnored) {
    this.isIgnored = isIgnored;
    rows = 0;
    try (JsonTree tree = JsonTree.of(bytes, offset, length)) {
      return residue((ObjectNode) tree.root());
    }
  }

  private byte[] residue(ObjectNode document) {
    Scope scope = new Scope();
    members(document, plan.root(), "", scope, scope.residue);
    ObjectNode notes = scope.notes();
    if (rows > 0) {
      notes.put(NESTED, rows);
    }
    ObjectNode residue = scope.finish(notes);
    return residue.isEmpty() ? NOTHING : Json.bytes(residue);
  }

  /// The document, or a nested object.
  private static final class Scope {
    /// How many arrays lie around what is read, up to the nested object.
    int arrays;

    final ObjectNode residue = Json.object();
    final List<String> kept = new ArrayList<>();

    ObjectNode notes() {
      ObjectNode notes = Json.object();
      if (!kept.isEmpty()) {
        ArrayNode paths = notes.putArray(KEPT);
        kept.forEach(paths::add);
      }
      return notes;
    }

    ObjectNode finish(ObjectNode notes) {
      if (!notes.isEmpty()) {
        residue.set(NOTES, notes);
      }
      return residue;
    }
  }

  /// @param prefix of names, in an object without subobjects
  private void members(
      ObjectNode from, ObjectMapping mapping, String prefix, Scope scope, ObjectNode to) {
    from.properties()
        .forEach(member -> member(mapping, prefix + member.getKey(), member.getValue(), scope, to));
  }

  private void member(
      ObjectMapping mapping, String name, JsonNode value, Scope scope, ObjectNode to) {
    int dot = mapping.isFlat() ? -1 : name.indexOf('.');
    MappingNode member = mapping.members().get(dot < 0 ? name : name.substring(0, dot));
    if (value.isNull() && !(member instanceof LeafMapping)) {
      return;
    }
    if (dot < 0) {
      switch (member) {
        case ObjectMapping inner -> object(inner, name, value, scope, to);
        case LeafMapping leaf -> leaf(leaf, name, value, scope, to);
        case null -> unmapped(mapping, name, value, scope, to);
      }
      return;
    }
    String first = name.substring(0, dot);
    ObjectNode rest = Json.object();
    rest.set(name.substring(dot + 1), value);
    switch (member) {
      case ObjectMapping inner -> object(inner, first, rest, scope, to);
      case LeafMapping _ -> append(to, first, rest);
      case null -> expanded(to, name, value);
    }
  }

  private void unmapped(
      ObjectMapping mapping, String name, JsonNode value, Scope scope, ObjectNode to) {
    if (mapping.isFlat() && value instanceof ObjectNode object) {
      members(object, mapping, name + ".", scope, to);
    } else {
      append(to, name, value);
    }
  }

  /// A name with dots that the mapping lacks becomes objects.
  private static void expanded(ObjectNode to, String name, JsonNode value) {
    int dot = name.indexOf('.');
    if (dot < 0) {
      append(to, name, value);
      return;
    }
    JsonNode inner = to.get(name.substring(0, dot));
    if (inner == null) {
      expanded(to.putObject(name.substring(0, dot)), name.substring(dot + 1), value);
    } else if (inner instanceof ObjectNode object) {
      expanded(object, name.substring(dot + 1), value);
    } else {
      append(to, name, value);
    }
  }

  private void object(
      ObjectMapping mapping, String name, JsonNode value, Scope scope, ObjectNode to) {
    if (!mapping.isEnabled()) {
      append(to, name, value);
      return;
    }
    if (SourceKeep.of(mapping.sourceKeep(), plan.keep())
        .keeps(value.isArray() || scope.arrays > 0)) {
      scope.kept.add(mapping.path());
      append(to, name, value);
      if (plan.hasNested()) {
        // Nested objects in it have rows all the same; what is kept must not be put together.
        parts(mapping, value.deepCopy(), new Scope(), Json.object());
      }
      return;
    }
    if (mapping.isNested()) {
      nested(mapping, value, to, name);
    } else {
      ObjectNode inner = to.get(name) instanceof ObjectNode there ? there : Json.object();
      parts(mapping, value, scope, inner);
      if (!inner.isEmpty()) {
        to.set(name, inner);
      }
    }
  }

  private void parts(ObjectMapping mapping, JsonNode value, Scope scope, ObjectNode to) {
    switch (value) {
      case ObjectNode object -> {
        if (mapping.isNested()) {
          nested(mapping, value, Json.object(), "");
        } else {
          members(object, mapping, "", scope, to);
        }
      }
      case ArrayNode array -> {
        scope.arrays++;
        array.forEach(element -> parts(mapping, element, scope, to));
        scope.arrays--;
      }
      default -> {}
    }
  }

  private void nested(ObjectMapping mapping, JsonNode value, ObjectNode to, String name) {
    switch (value) {
      case ObjectNode object -> {
        Scope scope = new Scope();
        members(object, mapping, "", scope, scope.residue);
        ObjectNode notes = scope.notes().put(ROW, rows++);
        to.withArray("/" + name.replace("~", "~0").replace("/", "~1")).add(scope.finish(notes));
      }
      case ArrayNode array -> array.forEach(element -> nested(mapping, element, to, name));
      default -> {}
    }
  }

  private void leaf(LeafMapping leaf, String name, JsonNode value, Scope scope, ObjectNode to) {
    RebuiltField field = plan.rebuilt(leaf.path());
    if (SourceKeep.of(leaf.type().sourceKeep(), plan.keep())
        .keeps(value.isArray() || scope.arrays > 0)) {
      if (field != null) {
        scope.kept.add(leaf.path());
      }
      boolean isListed = field != null && scope.arrays > 0 && value.size() == 1;
      append(to, name, isListed && value.isArray() ? value.get(0) : value);
    } else if (field != null) {
      if (isIgnored.test(field.valuesPath()) || isIgnored.test(leaf.path())) {
        ignoredValues.of(field, value).forEach(ignored -> append(to, name, ignored));
      }
    } else if (SourcePlan.keepsValues(leaf.type()) && !leaf.type().readsArrays()) {
      values(value, name, to);
    } else {
      JsonNode kept = leaf.type().keptSource(to.get(name), value);
      if (kept == null) {
        append(to, name, value);
      } else if (!kept.isEmpty()) {
        to.set(name, kept);
      }
    }
  }

  private static void values(JsonNode value, String name, ObjectNode to) {
    if (value.isArray()) {
      value.forEach(element -> values(element, name, to));
    } else if (!value.isNull()) {
      append(to, name, value);
    }
  }

  /// Sets a member, or adds to the values that it has already from another object of an array.
  private static void append(ObjectNode to, String name, JsonNode value) {
    JsonNode there = to.get(name);
    if (there == null) {
      // A list of its own: the document's may be read once more.
      to.set(
          name,
          value instanceof ArrayNode array ? Json.MAPPER.createArrayNode().addAll(array) : value);
      return;
    }
    ArrayNode all = there instanceof ArrayNode array ? array : to.putArray(name).add(there);
    if (value instanceof ArrayNode more) {
      all.addAll(more);
    } else {
      all.add(value);
    }
  }
}
