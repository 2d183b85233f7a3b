package dev.holdfast.script.compile;

import dev.holdfast.script.type.Type;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A method while it is compiled: its variables by block, and what it takes from the method around
/// it.
final class Frame {
  final Type returns;
  final @Nullable Frame outer;

  /// What a lambda takes from around it, by name: the variable here and the one there.
  final Map<String, Variable> captured = new LinkedHashMap<>();

  final List<Variable> parameters = new ArrayList<>();
  private final List<Variable> locals = new ArrayList<>();
  private final List<Map<String, Variable>> blocks = new ArrayList<>();
  @Nullable Variable loops;
  int loopDepth;

  Frame(Type returns, @Nullable Frame outer) {
    this.returns = returns;
    this.outer = outer;
    open();
  }

  void open() {
    blocks.add(new HashMap<>());
  }

  void close() {
    blocks.removeLast();
  }

  Variable parameter(String name, Type type) {
    Variable variable = new Variable(name, type, false);
    parameters.add(variable);
    blocks.getFirst().put(name, variable);
    return variable;
  }

  /// @return null when the name is taken
  @Nullable Variable declare(String name, Type type) {
    if (find(name) != null) {
      return null;
    }
    Variable variable = temporary(type);
    blocks.getLast().put(name, variable);
    return variable;
  }

  Variable temporary(Type type) {
    Variable variable = new Variable("", type, false);
    locals.add(variable);
    return variable;
  }

  /// The variable of that name here or around, which is captured then.
  @Nullable Variable find(String name) {
    for (int i = blocks.size() - 1; i >= 0; i--) {
      Variable variable = blocks.get(i).get(name);
      if (variable != null) {
        return variable;
      }
    }
    Variable already = captured.get(name);
    if (already != null || outer == null) {
      return already;
    }
    Variable around = outer.find(name);
    if (around == null) {
      return null;
    }
    Variable here = new Variable(name, around.type, true);
    captured.put(name, here);
    return here;
  }

  /// The number of iterations that are left, counted where the method loops.
  Variable loops() {
    if (loops == null) {
      loops = temporary(Type.INT);
    }
    return loops;
  }

  /// Gives each variable its place: the object, what is captured, parameters, locals.
  void place() {
    int slot = 1;
    for (List<Variable> kind :
        List.of(List.copyOf(captured.values()), List.copyOf(parameters), List.copyOf(locals))) {
      for (Variable variable : kind) {
        variable.slot = slot;
        slot += variable.type.kind().slotSize();
      }
    }
  }
}
