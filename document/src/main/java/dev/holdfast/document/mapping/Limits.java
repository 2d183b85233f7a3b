package dev.holdfast.document.mapping;

import dev.holdfast.document.DocumentLimits;
import dev.holdfast.world.Refusal;

/// Checks a mapping tree against the index's limits.
final class Limits {
  private final DocumentLimits limits;
  private long fields;

  private Limits(DocumentLimits limits) {
    this.limits = limits;
  }

  /// @throws Refusal `illegal_argument_exception` when there are too many fields, they lie too
  ///   deep, or have too long names
  static void check(ObjectMapping root, DocumentLimits limits) {
    Limits check = new Limits(limits);
    check.object(root, 1);
    if (check.fields > limits.totalFieldsMax()) {
      throw Refusal.badArgument(
          "Limit of total fields [" + limits.totalFieldsMax() + "] has been exceeded");
    }
  }

  private void object(ObjectMapping object, int depth) {
    if (depth > limits.depthMax()) {
      throw Refusal.badArgument(
          "Limit of mapping depth ["
              + limits.depthMax()
              + "] has been exceeded due to object field ["
              + object.path()
              + "]");
    }
    object
        .members()
        .forEach((name, member) -> {
          checkName(name);
          fields++;
          switch (member) {
            case ObjectMapping inner -> object(inner, depth + 1);
            case LeafMapping leaf -> {
              leaf.fields().keySet().forEach(this::checkName);
              fields += leaf.fields().size();
            }
          }
        });
  }

  private void checkName(String name) {
    if (name.length() > limits.fieldNameLengthMax()) {
      throw Refusal.badArgument(
          "Field name ["
              + name
              + "] is longer than the limit of ["
              + limits.fieldNameLengthMax()
              + "] characters");
    }
  }
}
