package dev.holdfast.script.compile;

import static java.lang.constant.ConstantDescs.CD_MethodHandle;
import static java.lang.constant.ConstantDescs.CD_Object;

import dev.holdfast.script.parse.SyntaxFault;
import dev.holdfast.script.parse.Tree;
import dev.holdfast.script.parse.Tree.Expression;
import dev.holdfast.script.parse.Tree.Parameter;
import dev.holdfast.script.runtime.ScriptLambda;
import dev.holdfast.script.type.Allowlist;
import dev.holdfast.script.type.ListedMethod;
import dev.holdfast.script.type.Type;
import java.lang.classfile.CodeBuilder;
import java.lang.constant.ClassDesc;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.MethodHandleDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;

/// Lambdas and references to methods: each is a method of the script, bound to the script and to
/// what it takes from around it, and becomes an object of the interface that is wanted.
final class Lambdas {
  private static final ClassDesc LAMBDA = Type.desc(ScriptLambda.class);

  private final Expressions expressions;

  Lambdas(Expressions expressions) {
    this.expressions = expressions;
  }

  /// A lambda as an object of an interface.
  Value as(Type wanted, Expression tree) {
    Method method =
        expressions.unit.allowlist.isFunctional(wanted.java())
            ? Allowlist.functional(wanted.java())
            : null;
    if (method == null) {
      throw new SyntaxFault(
          tree.at(),
          "Cannot pass "
              + (tree instanceof Tree.Lambda ? "lambda" : "function reference")
              + " to ["
              + wanted.name()
              + "], not a functional interface");
    }
    int arity = method.getParameterCount();
    List<Tree.Lambda> candidates = candidates(tree, arity);
    candidates.removeIf(lambda -> lambda.parameters().size() != arity);
    if (candidates.isEmpty()) {
      throw new SyntaxFault(
          tree.at(),
          "Incorrect number of parameters for ["
              + method.getName()
              + "] in ["
              + wanted.name()
              + "]");
    }
    Code open = bind(candidates);
    return new Value(
        tree.at(),
        wanted,
        to -> {
          open.write(to);
          to.ldc(wanted.desc());
          to.invokestatic(
              LAMBDA,
              "as",
              MethodTypeDesc.of(CD_Object, CD_Object, java.lang.constant.ConstantDescs.CD_Class));
          to.checkcast(wanted.desc());
        });
  }

  /// A lambda whose interface shows when the call it is an argument of is linked.
  Value open(Expression tree) {
    return new Value(tree.at(), Type.DEF, bind(candidates(tree, -1)));
  }

  private static final int ARITY_MAX = 4;

  /// The lambdas that a tree may stand for, by number of parameters.
  ///
  /// @param arity -1 where it is not known
  private List<Tree.Lambda> candidates(Expression tree, int arity) {
    List<Tree.Lambda> found = new ArrayList<>();
    if (tree instanceof Tree.Lambda lambda) {
      found.add(lambda);
    } else if (tree instanceof Tree.Reference reference) {
      for (int n = 0; n <= ARITY_MAX; n++) {
        if (arity < 0 || arity == n) {
          referred(reference, n, found);
        }
      }
      if (found.isEmpty()) {
        throw new SyntaxFault(
            tree.at(), "Unknown reference [" + reference.method() + "] in its context");
      }
    }
    return found;
  }

  private void referred(Tree.Reference tree, int arity, List<Tree.Lambda> found) {
    List<Parameter> parameters = new ArrayList<>();
    List<Expression> names = new ArrayList<>();
    for (int i = 0; i < arity; i++) {
      parameters.add(new Parameter(tree.at(), null, "#" + i));
      names.add(new Tree.Name(tree.at(), "#" + i));
    }
    Expression call = null;
    String method = tree.method();
    if (tree.target() == null) {
      if (expressions.unit.functions.containsKey(method + "/" + arity)
          || expressions.unit.shape.function(method, arity) != null) {
        call = new Tree.Call(tree.at(), null, method, names, false);
      }
    } else if (tree.target() instanceof Tree.TypeName name) {
      Type type = expressions.type(tree.at(), name.name());
      call = ofType(tree.at(), name, type, method, names);
    } else {
      call = new Tree.Call(tree.at(), tree.target(), method, names, false);
    }
    if (call != null) {
      found.add(
          new Tree.Lambda(
              tree.at(),
              parameters,
              new Tree.Block(tree.at(), List.of(new Tree.Run(tree.at(), call)))));
    }
  }

  private @org.jspecify.annotations.Nullable Expression ofType(
      int at, Tree.TypeName name, Type type, String method, List<Expression> names) {
    Allowlist list = expressions.unit.allowlist;
    int arity = names.size();
    if (method.equals("new")) {
      if (type.java().isArray()) {
        return arity == 1
            ? new Tree.NewArray(
                at, name.name().substring(0, name.name().length() - 2), names, 1, null)
            : null;
      }
      return list.constructor(type.java(), arity) == null
          ? null
          : new Tree.New(at, name.name(), names);
    }
    ListedMethod named = list.staticMethod(type.java(), method, arity);
    if (named != null) {
      return new Tree.Call(at, name, method, names, false);
    }
    if (arity > 0 && (type.isDef() || list.method(type.boxed(), method, arity - 1) != null)) {
      Expression on = new Tree.Cast(at, name.name(), names.getFirst());
      return new Tree.Call(at, on, method, names.subList(1, arity), false);
    }
    return null;
  }

  private Code bind(List<Tree.Lambda> candidates) {
    expressions.unit.isLimited = true;
    List<Code> bound = new ArrayList<>();
    for (Tree.Lambda lambda : candidates) {
      bound.add(bound(lambda));
    }
    return to -> {
      to.loadConstant(bound.size()).anewarray(LAMBDA);
      for (int i = 0; i < bound.size(); i++) {
        to.dup().loadConstant(i);
        bound.get(i).write(to);
        to.aastore();
      }
      to.invokestatic(LAMBDA, "oneOf", MethodTypeDesc.of(CD_Object, LAMBDA.arrayType()));
    };
  }

  /// Compiles the lambda as a method, and binds it.
  private Code bound(Tree.Lambda lambda) {
    Frame inner = new Frame(Type.DEF, expressions.frame);
    for (Parameter parameter : lambda.parameters()) {
      Type type =
          parameter.type() == null ? Type.DEF : expressions.type(parameter.at(), parameter.type());
      if (expressions.frame.find(parameter.name()) != null) {
        throw new SyntaxFault(
            parameter.at(), "variable [" + parameter.name() + "] is already defined");
      }
      inner.parameter(parameter.name(), type);
    }
    inner.captured.clear();
    String name = expressions.unit.nextLambda();
    Code body = Statements.body(expressions.unit, inner, lambda.body().statements(), true);
    List<ClassDesc> types = new ArrayList<>();
    inner.captured.values().forEach(variable -> types.add(variable.type.desc()));
    inner.parameters.forEach(variable -> types.add(variable.type.desc()));
    MethodTypeDesc type = MethodTypeDesc.of(CD_Object, types);
    expressions.unit.methods.add(new Unit.Finished(name, type, inner, body));
    DirectMethodHandleDesc handle =
        MethodHandleDesc.ofMethod(
            DirectMethodHandleDesc.Kind.VIRTUAL, expressions.unit.self, name, type);
    List<Variable> around = new ArrayList<>();
    for (String captured : inner.captured.keySet()) {
      Variable variable = expressions.frame.find(captured);
      if (variable != null) {
        around.add(variable);
      }
    }
    return to -> bind(to, handle, around);
  }

  private static void bind(CodeBuilder to, DirectMethodHandleDesc handle, List<Variable> around) {
    to.ldc(handle);
    to.loadConstant(around.size() + 1).anewarray(CD_Object);
    to.dup().loadConstant(0).aload(0).aastore();
    for (int i = 0; i < around.size(); i++) {
      to.dup().loadConstant(i + 1);
      around.get(i).load().write(to);
      Casts.box(to, around.get(i).type);
      to.aastore();
    }
    to.invokestatic(
        LAMBDA, "bind", MethodTypeDesc.of(LAMBDA, CD_MethodHandle, CD_Object.arrayType()));
  }
}
