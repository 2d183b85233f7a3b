package dev.holdfast.script.compile;

import dev.holdfast.script.parse.Tree;
import dev.holdfast.script.type.Allowlist;
import dev.holdfast.script.type.Shape;
import dev.holdfast.script.type.Type;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// A script while it is compiled: what it may use, and the methods it has so far.
final class Unit {
  /// The name of every compiled script, by which errors find its frames.
  static final String CLASS_NAME = "dev.holdfast.script.compiled.Script";

  /// A method that is complete but for its bytes.
  record Finished(String name, MethodTypeDesc type, Frame frame, Code code) {}

  /// A function of the script.
  record Signature(Tree.Function tree, Type returns, List<Type> parameters, String method) {
    MethodTypeDesc desc() {
      return MethodTypeDesc.of(returns.desc(), parameters.stream().map(Type::desc).toList());
    }
  }

  final Allowlist allowlist;
  final Shape shape;
  final ClassDesc self = ClassDesc.of(CLASS_NAME);
  final Map<String, Signature> functions = new HashMap<>();
  final List<Finished> methods = new ArrayList<>();

  /// Patterns of the script, each compiled once: text and flags.
  final List<Tree.Regex> patterns = new ArrayList<>();

  /// Where statements begin: errors show the one that they happened in.
  final BitSet statements = new BitSet();

  /// Fields and parameters that are asked for by names in the text, in the order of their slots.
  final List<String> columns = new ArrayList<>();

  final List<String> parameters = new ArrayList<>();

  /// Whether the map of parameters is used otherwise than read by names in the text.
  boolean passesParameters;

  /// Whether it has anything that could go on or grow without end.
  boolean isLimited;

  private int lambdas;

  Unit(Allowlist allowlist, Shape shape) {
    this.allowlist = allowlist;
    this.shape = shape;
  }

  String nextLambda() {
    return "lambda$" + lambdas++;
  }
}
