package dev.holdfast.script.compile;

import dev.holdfast.script.type.Type;

/// A local variable, whose place is known when its method is complete.
final class Variable {
  final String name;
  final Type type;
  final boolean isReadOnly;
  int slot = -1;

  Variable(String name, Type type, boolean isReadOnly) {
    this.name = name;
    this.type = type;
    this.isReadOnly = isReadOnly;
  }

  /// Its place is looked up when the code is written.
  Code load() {
    return to -> to.loadLocal(type.kind(), slot);
  }

  Code store() {
    return to -> to.storeLocal(type.kind(), slot);
  }
}
