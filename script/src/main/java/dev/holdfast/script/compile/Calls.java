package dev.holdfast.script.compile;

import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_void;

import dev.holdfast.script.parse.SyntaxFault;
import dev.holdfast.script.parse.Tree;
import dev.holdfast.script.parse.Tree.Expression;
import dev.holdfast.script.runtime.DefSites;
import dev.holdfast.script.runtime.Lists;
import dev.holdfast.script.runtime.Made;
import dev.holdfast.script.type.ListedMethod;
import dev.holdfast.script.type.Type;
import java.lang.classfile.CodeBuilder;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Calls of methods and functions, and what is made with `new`.
final class Calls {
  private final Expressions expressions;

  Calls(Expressions expressions) {
    this.expressions = expressions;
  }

  Value call(Tree.Call tree) {
    Expression target = tree.target();
    if (target == null) {
      return function(tree.at(), tree.name(), tree.arguments());
    }
    if (target instanceof Tree.TypeName name) {
      return statically(tree, expressions.type(name.at(), name.name()));
    }
    expressions.unit.isLimited = true;
    expressions.requireKnown(target, tree.at());
    Value on = expressions.value(target);
    if (on.type().isVoid()) {
      throw new SyntaxFault(tree.at(), "method [void, " + tree.name() + "] not found");
    }
    Variable held = expressions.frame.temporary(on.type());
    if (on.type().isDef()) {
      return onDef(tree, on, held);
    }
    Type owner = on.type();
    Type boxed = Type.of(owner.boxed());
    ListedMethod member =
        expressions.unit.allowlist.method(boxed.java(), tree.name(), tree.arguments().size());
    if (member == null) {
      throw missing(tree.at(), boxed, tree.name(), tree.arguments().size());
    }
    Code arguments = arguments(member.parameters(), tree.arguments());
    Code call =
        to -> {
          Operators.line(to, tree.at());
          arguments.write(to);
          invoke(to, member, boxed);
        };
    Value receiver = Casts.to(boxed, on, true);
    if (!tree.isSafe()) {
      return new Value(tree.at(), member.returns(), receiver.code().then(call));
    }
    if (owner.isPrimitive()) {
      throw new SyntaxFault(
          tree.at(), "Result of null safe operator must be nullable: the target is primitive");
    }
    Code inner = held.load().then(call).then(Casts.box(member.returns()));
    if (member.returns().isVoid()) {
      inner = inner.then(CodeBuilder::aconst_null);
    }
    return new Value(tree.at(), Type.DEF, Places.ifPresent(on, held, inner));
  }

  static SyntaxFault missing(int at, Type owner, String name, int arity) {
    return new SyntaxFault(
        at, "member method [" + owner.name() + ", " + name + "/" + arity + "] not found");
  }

  private Value onDef(Tree.Call tree, Value on, Variable held) {
    Code arguments = to -> Operators.line(to, tree.at());
    List<ClassDesc> types = new ArrayList<>(List.of(CD_Object));
    for (Expression argument : tree.arguments()) {
      Value value =
          argument instanceof Tree.Lambda || argument instanceof Tree.Reference
              ? expressions.lambdas.open(argument)
              : Casts.to(Type.DEF, expressions.value(argument), false);
      arguments = arguments.then(value.code());
      types.add(CD_Object);
    }
    MethodTypeDesc type = MethodTypeDesc.of(CD_Object, types);
    Code call = arguments.then(to -> DefCalls.site(to, DefSites.Kind.CALL, tree.name(), type));
    return new Value(
        tree.at(),
        Type.DEF,
        tree.isSafe() ? Places.ifPresent(on, held, held.load().then(call)) : on.code().then(call));
  }

  private Value statically(Tree.Call tree, Type owner) {
    int arity = tree.arguments().size();
    ListedMethod member = expressions.unit.allowlist.staticMethod(owner.java(), tree.name(), arity);
    if (member == null) {
      throw new SyntaxFault(
          tree.at(),
          "static method [" + owner.name() + ", " + tree.name() + "/" + arity + "] not found");
    }
    expressions.unit.isLimited |= owner.java() != Math.class;
    Code arguments =
        member.readsText()
            ? counted(member, tree.arguments())
            : arguments(member.parameters(), tree.arguments());
    return new Value(
        tree.at(),
        member.returns(),
        to -> {
          Operators.line(to, tree.at());
          arguments.write(to);
          invoke(to, member, owner);
        });
  }

  /// Arguments of which the first is a text that is read to its end.
  private Code counted(ListedMethod member, List<Expression> given) {
    Code text = expressions.as(Type.STRING, given.getFirst()).code();
    List<Type> others = member.parameters().subList(1, given.size());
    return text.then(to ->
            to.dup()
                .invokestatic(
                    Type.desc(Made.class),
                    "read",
                    MethodTypeDesc.of(CD_void, ConstantDescs.CD_String)))
        .then(arguments(others, given.subList(1, given.size())));
  }

  private Code arguments(List<Type> wanted, List<Expression> given) {
    Code code = _ -> {};
    for (int i = 0; i < given.size(); i++) {
      code = code.then(expressions.as(wanted.get(i), given.get(i)).code());
    }
    return code;
  }

  /// Calls a method; what it is called on and with is on the stack.
  static void invoke(CodeBuilder to, ListedMethod member, Type on) {
    Method method = (Method) member.java();
    ClassDesc declaring = Type.desc(method.getDeclaringClass());
    List<ClassDesc> parameters = new ArrayList<>();
    for (Class<?> parameter : method.getParameterTypes()) {
      parameters.add(Type.desc(parameter));
    }
    MethodTypeDesc type = MethodTypeDesc.of(Type.desc(method.getReturnType()), parameters);
    boolean isInterface = method.getDeclaringClass().isInterface();
    if (member.isAdded() || member.isStatic()) {
      to.invokestatic(declaring, method.getName(), type, isInterface);
    } else if (isInterface) {
      to.invokeinterface(declaring, method.getName(), type);
    } else if (on.java().isInterface()) {
      to.invokevirtual(CD_Object, method.getName(), type);
    } else {
      to.invokevirtual(on.desc(), method.getName(), type);
    }
    count(to, member);
  }

  /// Counts what is on the stack as made by that method or constructor, if such results are.
  private static void count(CodeBuilder to, ListedMethod member) {
    if (member.isCounted()) {
      to.dup().invokestatic(Type.desc(Made.class), "count", MethodTypeDesc.of(CD_void, CD_Object));
    }
  }

  private Value function(int at, String name, List<Expression> given) {
    expressions.unit.isLimited = true;
    int arity = given.size();
    Unit.Signature own = expressions.unit.functions.get(name + "/" + arity);
    if (own != null) {
      Code arguments = arguments(own.parameters(), given);
      return new Value(
          at,
          own.returns(),
          to -> {
            to.aload(0);
            Operators.line(to, at);
            arguments.write(to);
            to.invokevirtual(expressions.unit.self, own.method(), own.desc());
          });
    }
    Method method = expressions.unit.shape.function(name, arity);
    if (method == null) {
      throw new SyntaxFault(at, "Unknown call [" + name + "] with [" + arity + "] arguments.");
    }
    List<Type> wanted = new ArrayList<>();
    List<ClassDesc> parameters = new ArrayList<>();
    for (Class<?> parameter : method.getParameterTypes()) {
      wanted.add(Type.of(parameter));
      parameters.add(Type.desc(parameter));
    }
    Type returns = Type.of(method.getReturnType());
    Code arguments = arguments(wanted, given);
    return new Value(
        at,
        returns,
        to -> {
          to.aload(0);
          Operators.line(to, at);
          arguments.write(to);
          to.invokevirtual(
              expressions.unit.self,
              method.getName(),
              MethodTypeDesc.of(returns.desc(), parameters));
        });
  }

  Value creation(Tree.New tree) {
    expressions.unit.isLimited = true;
    Type type = expressions.type(tree.at(), tree.type());
    int arity = tree.arguments().size();
    ListedMethod member = expressions.unit.allowlist.constructor(type.java(), arity);
    if (member == null) {
      throw new SyntaxFault(
          tree.at(), "constructor [" + type.name() + ", <init>/" + arity + "] not found");
    }
    Code arguments = arguments(member.parameters(), tree.arguments());
    if (member.java() instanceof Method method) {
      List<ClassDesc> parameters = member.parameters().stream().map(Type::desc).toList();
      return new Value(
          tree.at(),
          type,
          to -> {
            Operators.line(to, tree.at());
            arguments.write(to);
            to.invokestatic(
                Type.desc(method.getDeclaringClass()),
                method.getName(),
                MethodTypeDesc.of(type.desc(), parameters));
          });
    }
    Constructor<?> constructor = (Constructor<?>) member.java();
    List<ClassDesc> parameters = new ArrayList<>();
    for (Class<?> parameter : constructor.getParameterTypes()) {
      parameters.add(Type.desc(parameter));
    }
    return new Value(
        tree.at(),
        type,
        to -> {
          Operators.line(to, tree.at());
          askFor(to, OBJECT_ELEMENTS);
          to.new_(type.desc()).dup();
          arguments.write(to);
          to.invokespecial(type.desc(), "<init>", MethodTypeDesc.of(CD_void, parameters));
          count(to, member);
        });
  }

  /// What an object takes besides what is in it, as an array.
  static final int OBJECT_ELEMENTS = 4;

  /// Asks the budget before something is made.
  ///
  /// @param elements how much that is, as an array
  static void askFor(CodeBuilder to, int elements) {
    to.loadConstant((long) elements)
        .invokestatic(
            Type.desc(Lists.class), "charge", MethodTypeDesc.of(CD_void, ConstantDescs.CD_long));
  }

  Value array(Tree.NewArray tree) {
    expressions.unit.isLimited = true;
    Type base = expressions.type(tree.at(), tree.type());
    Class<?> java = base.java();
    for (int i = 0; i < tree.depth(); i++) {
      java = java.arrayType();
    }
    Type type = Type.of(java);
    return tree.values() == null ? sized(tree, type) : filled(tree.at(), type, tree.values());
  }

  private Value sized(Tree.NewArray tree, Type type) {
    List<Code> sizes = new ArrayList<>();
    tree.sizes().forEach(size -> sizes.add(expressions.as(Type.INT, size).code()));
    ClassDesc lists = Type.desc(Lists.class);
    @Nullable Code product = null;
    Variable[] held = new Variable[sizes.size()];
    Code code = _ -> {};
    for (int i = 0; i < held.length; i++) {
      held[i] = expressions.frame.temporary(Type.INT);
      Variable size = held[i];
      code = code.then(sizes.get(i)).then(size.store());
      Code one =
          size.load()
              .then(to ->
                  to.conversion(
                      java.lang.classfile.TypeKind.INT, java.lang.classfile.TypeKind.LONG));
      product =
          product == null
              ? one
              : product
                  .then(one)
                  .then(to ->
                      to.invokestatic(
                          lists,
                          "times",
                          MethodTypeDesc.of(
                              ConstantDescs.CD_long,
                              ConstantDescs.CD_long,
                              ConstantDescs.CD_long)));
    }
    Code total = product == null ? to -> to.loadConstant(0L) : product;
    return new Value(
        tree.at(),
        type,
        code.then(to -> {
          total.write(to);
          Operators.line(to, tree.at());
          to.invokestatic(lists, "charge", MethodTypeDesc.of(CD_void, ConstantDescs.CD_long));
          for (Variable size : held) {
            size.load().write(to);
          }
          to.multianewarray(type.desc(), held.length);
        }));
  }

  private Value filled(int at, Type type, List<Expression> values) {
    Type element = type.element();
    List<Code> codes = new ArrayList<>();
    values.forEach(value -> codes.add(expressions.as(element, value).code()));
    return new Value(
        at,
        type,
        to -> {
          askFor(to, codes.size());
          to.loadConstant(codes.size());
          if (element.isPrimitive()) {
            to.newarray(element.kind());
          } else {
            to.anewarray(element.desc());
          }
          for (int i = 0; i < codes.size(); i++) {
            to.dup().loadConstant(i);
            codes.get(i).write(to);
            to.arrayStore(element.kind());
          }
        });
  }
}
