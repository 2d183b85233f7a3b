package dev.holdfast.document.synthetic;

import dev.holdfast.document.mapping.tree.LeafMapping;
import dev.holdfast.document.mapping.tree.MappingNode;
import dev.holdfast.document.mapping.tree.ObjectMapping;
import dev.holdfast.world.Json;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What a member of a document leaves to be stored, as far as its mapping tells: not in arrays of
/// objects, and where no value was ignored.
final class ResidueRule {
  /// What becomes of a value.
  enum Left {
    NOTHING,
    /// It is kept as it came.
    COPY,
    /// An object leaves what its members leave.
    MEMBERS,
    /// Only [SourceResidue] tells, of the whole document.
    TREE
  }

  private static final ResidueRule UNMAPPED =
      new ResidueRule(Left.NOTHING, Left.COPY, Left.COPY, null);

  private static final ResidueRule TREE = new ResidueRule(Left.TREE, Left.TREE, Left.TREE, null);

  final Left ofNull;
  final Left ofOne;
  final Left ofArray;

  /// The path that is noted of what is copied, as JSON; null where none is.
  final byte @Nullable [] noted;

  /// Of its members.
  private final Map<String, ResidueRule> members = new HashMap<>();

  private ResidueRule(Left ofNull, Left ofOne, Left ofArray, byte @Nullable [] noted) {
    this.ofNull = ofNull;
    this.ofOne = ofOne;
    this.ofArray = ofArray;
    this.noted = noted;
  }

  /// Of a document.
  static ResidueRule of(SourcePlan plan) {
    return plan.hasNested() ? TREE : of(plan.root(), plan);
  }

  private static ResidueRule of(ObjectMapping object, SourcePlan plan) {
    if (!object.isEnabled()) {
      return UNMAPPED;
    }
    if (object.isFlat()) {
      return TREE;
    }
    SourceKeep keep = SourceKeep.of(object.sourceKeep(), plan.keep());
    ResidueRule rule =
        new ResidueRule(
            Left.NOTHING,
            keep.keeps(false) ? Left.COPY : Left.MEMBERS,
            keep.keeps(true) ? Left.COPY : Left.TREE,
            Json.bytes(Json.MAPPER.getNodeFactory().textNode(object.path())));
    for (Map.Entry<String, MappingNode> member : object.members().entrySet()) {
      rule.members.put(
          member.getKey(),
          switch (member.getValue()) {
            case ObjectMapping inner -> of(inner, plan);
            case LeafMapping leaf -> of(leaf, plan);
          });
    }
    return rule;
  }

  private static ResidueRule of(LeafMapping leaf, SourcePlan plan) {
    boolean isRebuilt = plan.rebuilt(leaf.path()) != null;
    SourceKeep keep = SourceKeep.of(leaf.type().sourceKeep(), plan.keep());
    Left ofNull = Left.COPY;
    Left ofOne = Left.COPY;
    Left ofArray = Left.COPY;
    if (isRebuilt) {
      ofNull = ofOne = ofArray = Left.NOTHING;
    } else if (SourcePlan.keepsValues(leaf.type()) && !leaf.type().readsArrays()) {
      ofNull = Left.NOTHING;
      ofArray = Left.TREE;
    } else if (leaf.type().keptSource(null, Json.object()) != null) {
      ofNull = ofOne = ofArray = Left.TREE; // it has a form of its own
    }
    if (keep.keeps(false)) {
      ofNull = ofOne = Left.COPY;
    }
    if (keep.keeps(true)) {
      ofArray = Left.COPY;
    }
    byte[] path = Json.bytes(Json.MAPPER.getNodeFactory().textNode(leaf.path()));
    return new ResidueRule(ofNull, ofOne, ofArray, isRebuilt ? path : null);
  }

  boolean isTree() {
    return ofNull == Left.TREE;
  }

  /// @param name as it stands in a document
  ResidueRule member(String name) {
    return name.indexOf('.') < 0 ? members.getOrDefault(name, UNMAPPED) : TREE;
  }
}
