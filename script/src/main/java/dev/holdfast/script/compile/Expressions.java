package dev.holdfast.script.compile;

import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_boolean;
import static java.lang.constant.ConstantDescs.CD_void;

import dev.holdfast.script.parse.SyntaxFault;
import dev.holdfast.script.parse.Tree;
import dev.holdfast.script.parse.Tree.Expression;
import dev.holdfast.script.runtime.Lists;
import dev.holdfast.script.runtime.RegexRule;
import dev.holdfast.script.type.Type;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Set;

/// Finds types of expressions of one method, and their code.
final class Expressions {
  private static final ClassDesc CD_ArrayList = Type.desc(ArrayList.class);
  private static final ClassDesc CD_HashMap = Type.desc(HashMap.class);
  private static final ClassDesc CD_Map = Type.desc(java.util.Map.class);

  /// Texts of the source up to which comparing them is not counted.
  private static final int CHARACTERS_FREE = 1000;

  final Unit unit;
  final Frame frame;
  final Places places;
  final Calls calls;
  final Lambdas lambdas;

  Expressions(Unit unit, Frame frame) {
    this.unit = unit;
    this.frame = frame;
    this.places = new Places(this);
    this.calls = new Calls(this);
    this.lambdas = new Lambdas(this);
  }

  /// An expression where a type is wanted: lambdas become what is wanted, anything else is cast.
  Value as(Type wanted, Expression expression) {
    if (expression instanceof Tree.Lambda || expression instanceof Tree.Reference) {
      return lambdas.as(wanted, expression);
    }
    if (expression instanceof Tree.Conditional conditional) {
      return conditional(conditional, wanted);
    }
    return Casts.to(wanted, value(expression), false);
  }

  Value value(Expression expression) {
    return switch (expression) {
      case Tree.Literal literal -> literal(literal);
      case Tree.Name name -> places.read(name);
      case Tree.Member member -> places.read(member);
      case Tree.Index index -> places.read(index);
      case Tree.TypeName type ->
          throw new SyntaxFault(
              type.at(), "not a statement: type [" + type.name() + "] cannot be used as a value");
      case Tree.ListOf list -> list(list);
      case Tree.MapOf map -> map(map);
      case Tree.Regex regex -> regex(regex);
      case Tree.Unary unary ->
          Operators.unary(unary.at(), unary.operator(), value(unary.operand()));
      case Tree.Binary binary -> binary(binary);
      case Tree.Conditional conditional -> conditional(conditional, null);
      case Tree.Elvis elvis -> elvis(elvis);
      case Tree.InstanceOf instance -> instanceOf(instance);
      case Tree.Cast cast ->
          Casts.to(type(cast.at(), cast.type()), valueFor(cast), true).at(cast.at());
      case Tree.Assign assign -> places.assign(assign);
      case Tree.Increment increment -> places.increment(increment);
      case Tree.Call call -> calls.call(call);
      case Tree.New creation -> calls.creation(creation);
      case Tree.NewArray array -> calls.array(array);
      case Tree.Lambda lambda ->
          throw new SyntaxFault(
              lambda.at(), "Cannot resolve lambda without a functional interface");
      case Tree.Reference reference ->
          throw new SyntaxFault(
              reference.at(), "Cannot resolve function reference without a functional interface");
    };
  }

  private Value valueFor(Tree.Cast cast) {
    return cast.value() instanceof Tree.Lambda || cast.value() instanceof Tree.Reference
        ? lambdas.as(type(cast.at(), cast.type()), cast.value())
        : value(cast.value());
  }

  /// Whether an expression may stand as a statement.
  static boolean doesSomething(Expression expression) {
    return expression instanceof Tree.Assign
        || expression instanceof Tree.Increment
        || expression instanceof Tree.Call
        || expression instanceof Tree.New;
  }

  /// What is no variable may be a package: only what is taken out of it cannot be found.
  ///
  /// @param at of the dot behind it
  void requireKnown(Expression target, int at) {
    if (isUnknown(target)) {
      throw new SyntaxFault(at, "cannot resolve symbol [" + chain(target) + "]");
    }
  }

  private boolean isUnknown(Expression tree) {
    return switch (tree) {
      case Tree.Name name ->
          frame.find(name.name()) == null && !unit.shape.variables().containsKey(name.name());
      case Tree.Member member -> isUnknown(member.target());
      default -> false;
    };
  }

  private static String chain(Expression tree) {
    return switch (tree) {
      case Tree.Member member -> chain(member.target()) + "." + member.name();
      case Tree.Name name -> name.name();
      default -> "";
    };
  }

  Type type(int at, String name) {
    Type type = unit.allowlist.type(name);
    if (type == null) {
      throw new SyntaxFault(at, "cannot resolve type [" + name + "]");
    }
    return type;
  }

  private Value literal(Tree.Literal literal) {
    Object value = literal.value();
    return switch (value) {
      case null -> new Value(literal.at(), Type.DEF, to -> to.aconst_null(), Casts.Nothing.NULL);
      case Boolean is ->
          new Value(literal.at(), Type.BOOLEAN, to -> to.loadConstant(is ? 1 : 0), is);
      case Integer n -> new Value(literal.at(), Type.INT, to -> to.loadConstant((int) n), n);
      case Long n -> new Value(literal.at(), Type.LONG, to -> to.loadConstant((long) n), n);
      case Float n -> new Value(literal.at(), Type.FLOAT, to -> to.loadConstant((float) n), n);
      case Double n -> new Value(literal.at(), Type.DOUBLE, to -> to.loadConstant((double) n), n);
      default -> text(literal.at(), value.toString());
    };
  }

  private static Value text(int at, String text) {
    if (text.length() > 16_000) {
      throw new SyntaxFault(at, "a string of more than [16000] characters: use [params]");
    }
    return new Value(at, Type.STRING, to -> to.ldc(text), text);
  }

  private Value list(Tree.ListOf list) {
    unit.isLimited = true;
    List<Code> values = new ArrayList<>();
    list.values().forEach(value -> values.add(as(Type.DEF, value).code()));
    return new Value(
        list.at(),
        Type.of(ArrayList.class),
        to -> {
          Calls.askFor(to, Calls.OBJECT_ELEMENTS + values.size());
          to.new_(CD_ArrayList)
              .dup()
              .invokespecial(CD_ArrayList, "<init>", MethodTypeDesc.of(CD_void));
          for (Code value : values) {
            to.dup();
            value.write(to);
            to.invokevirtual(CD_ArrayList, "add", MethodTypeDesc.of(CD_boolean, CD_Object)).pop();
          }
        });
  }

  private Value map(Tree.MapOf map) {
    unit.isLimited = true;
    List<Code> keys = new ArrayList<>();
    List<Code> values = new ArrayList<>();
    map.keys().forEach(key -> keys.add(as(Type.DEF, key).code()));
    map.values().forEach(value -> values.add(as(Type.DEF, value).code()));
    return new Value(
        map.at(),
        Type.of(HashMap.class),
        to -> {
          Calls.askFor(to, Calls.OBJECT_ELEMENTS);
          to.new_(CD_HashMap).dup().invokespecial(CD_HashMap, "<init>", MethodTypeDesc.of(CD_void));
          for (int i = 0; i < keys.size(); i++) {
            to.dup();
            keys.get(i).write(to);
            values.get(i).write(to);
            to.invokestatic(
                    Type.desc(Lists.class),
                    "put",
                    MethodTypeDesc.of(CD_Object, CD_Map, CD_Object, CD_Object))
                .pop();
          }
        });
  }

  private Value regex(Tree.Regex regex) {
    if (!RegexRule.current().isAllowed()) {
      throw new SyntaxFault(
          regex.at(),
          "Regexes are disabled. Set [script.painless.regex.enabled] to [true] to allow them. Be"
              + " careful though, regexes break out of Painless's protection against deep recursion"
              + " and long loops.");
    }
    int number = unit.patterns.size();
    unit.patterns.add(regex);
    Type type = Type.of(java.util.regex.Pattern.class);
    return new Value(
        regex.at(), type, to -> to.getstatic(unit.self, "pattern$" + number, type.desc()));
  }

  private Value binary(Tree.Binary binary) {
    // Long chains lean to the left: they are walked, not climbed.
    List<Tree.Binary> chain = new ArrayList<>();
    Expression first = binary;
    while (first instanceof Tree.Binary inner) {
      chain.add(inner);
      first = inner.left();
    }
    Value left = value(first);
    for (int i = chain.size() - 1; i >= 0; i--) {
      Tree.Binary next = chain.get(i);
      Value right = value(next.right());
      boolean isPattern = next.operator().equals("=~") || next.operator().equals("==~");
      boolean isCompared =
          Set.of("==", "!=").contains(next.operator()) && mayBeLarge(left) && mayBeLarge(right);
      left =
          isPattern
              ? Operators.find(next.at(), next.operator().equals("==~"), left, right)
              : Operators.binary(next.at(), next.operator(), left, right);
      unit.isLimited |=
          isPattern
              || isCompared
              || left.type().java() == String.class
              || (left.type().isDef() && next.operator().equals("+"));
    }
    return left;
  }

  /// Whether to compare or to find a value may take so long that it counts.
  static boolean mayBeLarge(Value value) {
    return value.constant() instanceof String text
        ? text.length() > CHARACTERS_FREE
        : !value.type().isPrimitive() && value.constant() == null;
  }

  private Value conditional(Tree.Conditional tree, @org.jspecify.annotations.Nullable Type wanted) {
    Code condition = as(Type.BOOLEAN, tree.condition()).code();
    Value then = wanted == null ? value(tree.then()) : as(wanted, tree.then());
    Value otherwise = wanted == null ? value(tree.otherwise()) : as(wanted, tree.otherwise());
    if (then.type().isVoid() || otherwise.type().isVoid()) {
      throw new SyntaxFault(tree.at(), "Extraneous conditional statement.");
    }
    Type type = wanted == null ? Casts.common(then.type(), otherwise.type()) : wanted;
    Code a = Casts.to(type, then, true).code();
    Code b = Casts.to(type, otherwise, true).code();
    return new Value(
        tree.at(),
        type,
        to -> {
          condition.write(to);
          to.ifThenElse(Opcode.IFNE, a::write, b::write);
          if (!type.isPrimitive() && !type.isDef()) {
            to.checkcast(type.desc());
          }
        });
  }

  private Value elvis(Tree.Elvis tree) {
    Value value = value(tree.value());
    if (value.type().isPrimitive()) {
      throw new SyntaxFault(tree.at(), "Extraneous elvis operator. LHS is a primitive.");
    }
    if (value.constant() != null) {
      throw new SyntaxFault(tree.at(), "Extraneous elvis operator. LHS is a constant.");
    }
    Value otherwise = value(tree.otherwise());
    if (otherwise.constant() instanceof Casts.Nothing) {
      throw new SyntaxFault(tree.at(), "Extraneous elvis operator. RHS is null.");
    }
    Type type = Casts.common(value.type(), otherwise.type());
    Type result = type.isPrimitive() ? Type.DEF : type;
    Code b = Casts.to(result, otherwise, true).code();
    return new Value(
        tree.at(),
        result,
        to -> {
          value.code().write(to);
          to.dup()
              .ifThen(
                  Opcode.IFNULL,
                  inner -> {
                    inner.pop();
                    b.write(inner);
                  });
          if (!result.isDef()) {
            to.checkcast(result.desc());
          }
        });
  }

  private Value instanceOf(Tree.InstanceOf tree) {
    Value value = value(tree.value());
    Type type = type(tree.at(), tree.type());
    if (value.type().isPrimitive()) {
      boolean is = Type.of(type.boxed()).java().isAssignableFrom(value.type().boxed());
      return new Value(
          tree.at(),
          Type.BOOLEAN,
          value
              .code()
              .then(to -> {
                pop(value.type()).write(to);
                to.loadConstant(is ? 1 : 0);
              }));
    }
    ClassDesc desc = Type.desc(type.boxed());
    return new Value(tree.at(), Type.BOOLEAN, value.code().then(to -> to.instanceOf(desc)));
  }

  /// Takes a value off the stack.
  static Code pop(Type type) {
    return to -> {
      if (type.kind().slotSize() == 2) {
        to.pop2();
      } else if (type.kind() != TypeKind.VOID) {
        to.pop();
      }
    };
  }

  static final MethodTypeDesc NO_ARGUMENTS = MethodTypeDesc.of(ConstantDescs.CD_void);
}
