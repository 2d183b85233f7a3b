package dev.holdfast.document.synthetic;

import dev.holdfast.document.FieldType;
import dev.holdfast.document.mapping.tree.LeafMapping;
import dev.holdfast.document.mapping.tree.MappingNode;
import dev.holdfast.document.mapping.tree.ObjectMapping;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Which fields of a mapping are told from doc values; all others are kept.
final class SourcePlan {
  private static final Set<String> TEXTS = Set.of("text", "match_only_text");

  private final ObjectMapping root;
  private final SourceKeep keep;
  private final Map<String, RebuiltField> byPath = new TreeMap<>();
  private final Map<String, List<RebuiltField>> byScope = new TreeMap<>();
  private final Set<String> plain = new HashSet<>();

  /// Targets of copies that no field makes yet: their values are kept, but builds before this one
  /// told them from doc values.
  private final Set<String> foreseen;

  private final ResidueRule residue;

  /// Nested objects by the nested object (or document) that holds them.
  private final Map<String, List<List<String>>> nestedByScope = new TreeMap<>();

  /// @param copyTargets fields that others, which documents may bring, will be copied to
  /// @param keep of the index
  SourcePlan(ObjectMapping root, Set<String> copyTargets, SourceKeep keep) {
    this.root = root;
    this.keep = keep;
    Set<String> copies = new HashSet<>();
    collectCopies(root, copies);
    foreseen = new HashSet<>(copyTargets);
    foreseen.removeAll(copies);
    collect(root, "", List.of(), copies);
    collectPlain(root, true);
    residue = ResidueRule.of(this);
  }

  ObjectMapping root() {
    return root;
  }

  /// What the index keeps where no mapping says otherwise.
  SourceKeep keep() {
    return keep;
  }

  /// What a document leaves to be stored.
  ResidueRule residue() {
    return residue;
  }

  /// The field that is told from doc values; null when its values are kept.
  @Nullable RebuiltField rebuilt(String path) {
    return byPath.get(path);
  }

  /// Whether a field is told from doc values only of documents that keep nothing of it.
  boolean mayBeKept(String path) {
    return foreseen.contains(path);
  }

  List<RebuiltField> fieldsOf(String scope) {
    return byScope.getOrDefault(scope, List.of());
  }

  /// Whether a single value of a field, which is not ignored, leaves nothing to be stored, or an
  /// object nothing but what is in it.
  boolean isPlain(String path) {
    return plain.contains(path);
  }

  private void collectPlain(ObjectMapping object, boolean isAround) {
    boolean isPlain =
        isAround
            && object.isEnabled()
            && !object.isNested()
            && !SourceKeep.of(object.sourceKeep(), keep).keeps(false);
    if (isPlain) {
      plain.add(object.path());
    }
    object
        .members()
        .values()
        .forEach(member -> {
          switch (member) {
            case ObjectMapping inner -> collectPlain(inner, isPlain);
            case LeafMapping leaf -> {
              if (isPlain
                  && byPath.containsKey(leaf.path())
                  && !SourceKeep.of(leaf.type().sourceKeep(), keep).keeps(false)) {
                plain.add(leaf.path());
              }
            }
          }
        });
  }

  boolean hasNested() {
    return !nestedByScope.isEmpty();
  }

  /// The steps that lead from a nested object (or the document, "") to those in it.
  List<List<String>> nestedIn(String scope) {
    return nestedByScope.getOrDefault(scope, List.of());
  }

  /// Fields that get values of others: their doc values say more than the document did.
  private static void collectCopies(ObjectMapping object, Set<String> copies) {
    for (MappingNode member : object.members().values()) {
      switch (member) {
        case ObjectMapping inner -> collectCopies(inner, copies);
        case LeafMapping leaf -> copies.addAll(leaf.copyTo());
      }
    }
  }

  private void collect(ObjectMapping object, String scope, List<String> steps, Set<String> copies) {
    if (!object.isEnabled()) {
      return;
    }
    object
        .members()
        .forEach((name, member) -> {
          List<String> at = new ArrayList<>(steps);
          at.add(name);
          switch (member) {
            case ObjectMapping inner -> {
              if (inner.isNested()) {
                nestedByScope.computeIfAbsent(scope, _ -> new ArrayList<>()).add(at);
                collect(inner, inner.path(), List.of(), copies);
              } else {
                collect(inner, scope, at, copies);
              }
            }
            case LeafMapping leaf -> {
              RebuiltField field = copies.contains(leaf.path()) ? null : rebuilt(leaf, at);
              if (field != null) {
                if (!foreseen.contains(leaf.path())) {
                  byPath.put(leaf.path(), field);
                }
                byScope.computeIfAbsent(scope, _ -> new ArrayList<>()).add(field);
              }
            }
          }
        });
  }

  private static @Nullable RebuiltField rebuilt(LeafMapping leaf, List<String> steps) {
    return leaf.copyTo().isEmpty() ? alone(leaf, steps) : null;
  }

  /// A field as it is told where nothing is copied from it, or to it; null when its values are
  /// kept.
  static @Nullable RebuiltField alone(LeafMapping leaf, List<String> steps) {
    List<String> at = List.copyOf(steps);
    if (RebuiltField.isPossible(leaf.type())) {
      return new RebuiltField(leaf.path(), at, leaf.path(), leaf.type(), List.of());
    }
    if (!TEXTS.contains(leaf.type().typeName()) || leaf.type().isStored()) {
      return null;
    }
    List<LeafMapping> fields = new ArrayList<>(leaf.fields().values());
    fields.removeIf(
        field -> !hasWholeTexts(field.type()) || !RebuiltField.isPossible(field.type()));
    if (fields.isEmpty()) {
      return null;
    }
    LeafMapping first = fields.removeFirst();
    List<String> others = fields.stream().map(LeafMapping::path).toList();
    return new RebuiltField(leaf.path(), at, first.path(), first.type(), others);
  }

  private static boolean hasWholeTexts(FieldType type) {
    return type.typeName().equals("keyword") && !type.toJson().has("normalizer");
  }

  /// Whether a field's values are kept one by one, without nulls and arrays of one, rather than as
  /// they came.
  static boolean keepsValues(FieldType type) {
    return TEXTS.contains(type.typeName()) || type.isStored();
  }
}
