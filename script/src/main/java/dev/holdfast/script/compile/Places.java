package dev.holdfast.script.compile;

import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_void;

import dev.holdfast.script.parse.SyntaxFault;
import dev.holdfast.script.parse.Tree;
import dev.holdfast.script.parse.Tree.Expression;
import dev.holdfast.script.runtime.DefSites.Kind;
import dev.holdfast.script.type.ListedMethod;
import dev.holdfast.script.type.Type;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Opcode;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What has a place: variables, members, elements. They are read, assigned, and counted up.

final class Places {

  /// Where a value lies: what finds it is done once, then it is loaded and stored.
  ///
  /// @param find puts what it lies in into variables
  /// @param store takes the value from a variable; null for what is only read
  record Place(Type type, Code find, Code load, @Nullable Storing store) {}

  @FunctionalInterface
  interface Storing {
    void write(CodeBuilder to, Code value);
  }

  private final Expressions expressions;

  Places(Expressions expressions) {
    this.expressions = expressions;
  }

  private Frame frame() {
    return expressions.frame;
  }

  Value read(Expression tree) {
    if (tree instanceof Tree.Member member && member.isSafe()) {
      return safe(member);
    }
    if (tree instanceof Tree.Name name) {
      Place place = variable(name);
      return new Value(tree.at(), place.type(), place.load());
    }
    Code named = NamedReads.of(tree, expressions);
    if (named != null) {
      return new Value(tree.at(), Type.DEF, named);
    }
    Place place = place(tree, true);
    return new Value(tree.at(), place.type(), place.find().then(place.load()));
  }

  private Value safe(Tree.Member member) {
    expressions.requireKnown(member.target(), member.at());
    Value target = expressions.value(member.target());
    Variable held = frame().temporary(target.type());
    if (target.type().isPrimitive()) {
      throw new SyntaxFault(
          member.at(), "Result of null safe operator must be nullable: the target is primitive");
    }
    Place place = member(member.at(), held, member.name());
    Code load = Casts.to(Type.DEF, new Value(member.at(), place.type(), place.load()), true).code();
    return new Value(member.at(), Type.DEF, ifPresent(target, held, place.find().then(load)));
  }

  /// The value of some code on an object, or null where the object is.
  static Code ifPresent(Value target, Variable held, Code code) {
    return to -> {
      target.code().write(to);
      held.store().write(to);
      held.load().write(to);
      to.ifThenElse(Opcode.IFNONNULL, code::write, CodeBuilder::aconst_null);
    };
  }

  private Place place(Expression tree, boolean isRead) {
    return switch (tree) {
      case Tree.Name name -> variable(name);
      case Tree.Member member -> {
        if (member.target() instanceof Tree.TypeName type) {
          yield staticField(member, type);
        }
        expressions.requireKnown(member.target(), member.at());
        Value target = expressions.value(member.target());
        if (!isRead && member.isSafe()) {
          throw new SyntaxFault(member.at(), "Can't write to a null safe reference");
        }
        Variable held = hold(target);
        Place inner = member(member.at(), held, member.name());
        yield new Place(
            inner.type(), keep(target, held).then(inner.find()), inner.load(), inner.store());
      }
      case Tree.Index index -> index(index);
      default ->
          throw new SyntaxFault(
              tree.at(), "invalid assignment: cannot assign a value to this expression");
    };
  }

  private Variable hold(Value value) {
    if (value.type().isVoid()) {
      throw new SyntaxFault(value.at(), "cannot read a member of [void]");
    }
    return frame().temporary(value.type());
  }

  private static Code keep(Value value, Variable in) {
    return value.code().then(in.store());
  }

  private Place variable(Tree.Name tree) {
    Variable variable = frame().find(tree.name());
    if (variable != null) {
      Code load = to -> variable.load().write(to);
      Storing store =
          variable.isReadOnly
              ? null
              : (to, value) -> {
                value.write(to);
                variable.store().write(to);
              };
      return new Place(variable.type, _ -> {}, load, store);
    }
    Method getter = expressions.unit.shape.variables().get(tree.name());
    if (getter == null) {
      throw new SyntaxFault(tree.at(), "cannot resolve symbol [" + tree.name() + "]");
    }
    if (tree.name().equals("params")) {
      expressions.unit.passesParameters = true;
    }
    Type type = Type.of(getter.getReturnType());
    Code load =
        to -> {
          Operators.line(to, tree.at());
          to.aload(0)
              .invokevirtual(
                  expressions.unit.self, getter.getName(), MethodTypeDesc.of(type.desc()));
        };
    return new Place(type, _ -> {}, load, null);
  }

  private Place staticField(Tree.Member member, Tree.TypeName name) {
    Type owner = expressions.type(name.at(), name.name());
    Field field = expressions.unit.allowlist.field(owner.java(), member.name(), true);
    if (field == null) {
      throw missingField(member.at(), owner, member.name());
    }
    Type type = Type.of(field.getType());
    return new Place(
        type,
        _ -> {},
        to -> to.getstatic(Type.desc(field.getDeclaringClass()), field.getName(), type.desc()),
        null);
  }

  private static SyntaxFault missingField(int at, Type owner, String name) {
    return new SyntaxFault(at, "field [" + owner.name() + ", " + name + "] not found");
  }

  private Place member(int at, Variable held, String name) {
    Type owner = held.type;
    expressions.unit.isLimited |= expressions.unit.allowlist.isMade(name);
    if (owner.isDef()) {
      return new Place(
          Type.DEF,
          _ -> {},
          to -> {
            held.load().write(to);
            DefCalls.site(to, at, Kind.LOAD, name, MethodTypeDesc.of(CD_Object, CD_Object));
          },
          (to, value) -> {
            held.load().write(to);
            value.write(to);
            DefCalls.site(
                to, at, Kind.STORE, name, MethodTypeDesc.of(CD_void, CD_Object, CD_Object));
          });
    }
    if (owner.java().isArray()) {
      if (!name.equals("length")) {
        throw missingField(at, owner, name);
      }
      return new Place(
          Type.INT, _ -> {}, held.load().then(to -> lined(to, at).arraylength()), null);
    }
    Field field = expressions.unit.allowlist.field(owner.java(), name, false);
    if (field != null) {
      Type type = Type.of(field.getType());
      ClassDesc in = Type.desc(field.getDeclaringClass());
      Storing store =
          Modifier.isFinal(field.getModifiers())
              ? null
              : (to, value) -> {
                held.load().write(to);
                value.write(to);
                lined(to, at).putfield(in, name, type.desc());
              };
      return new Place(
          type,
          _ -> {},
          held.load().then(to -> lined(to, at).getfield(in, name, type.desc())),
          store);
    }
    ListedMethod getter = expressions.unit.allowlist.getter(owner.java(), name);
    ListedMethod setter = expressions.unit.allowlist.setter(owner.java(), name);
    if (getter != null || setter != null) {
      Type type =
          getter != null
              ? getter.returns()
              : setter == null ? Type.DEF : setter.parameters().getFirst();
      Code load =
          to -> {
            if (getter == null) {
              throw missingField(at, owner, name);
            }
            held.load().write(to);
            Operators.line(to, at);
            Calls.invoke(to, getter, owner);
          };
      Storing store =
          setter == null
              ? null
              : (to, value) -> {
                held.load().write(to);
                value.write(to);
                Operators.line(to, at);
                Calls.invoke(to, setter, owner);
                Expressions.pop(setter.returns()).write(to);
              };
      return new Place(type, _ -> {}, load, store);
    }
    if (Map.class.isAssignableFrom(owner.java())) {
      return Elements.entry(at, held, to -> to.ldc(name));
    }
    if (List.class.isAssignableFrom(owner.java()) && isIndex(name)) {
      return Elements.element(at, held, to -> to.loadConstant(Integer.parseInt(name)));
    }
    throw missingField(at, owner, name);
  }

  static boolean isIndex(String name) {
    return !name.isEmpty()
        && name.length() < 10
        && name.chars().allMatch(c -> c >= '0' && c <= '9');
  }

  static CodeBuilder lined(CodeBuilder to, int at) {
    Operators.line(to, at);
    return to;
  }

  private Place index(Tree.Index tree) {
    Value target = expressions.value(tree.target());
    Variable held = hold(target);
    Type owner = target.type();
    boolean isMap = Map.class.isAssignableFrom(owner.java());
    Value key =
        isMap || owner.isDef()
            ? expressions.as(Type.DEF, tree.index())
            : expressions.as(Type.INT, tree.index());
    expressions.unit.isLimited |= Expressions.mayBeLarge(key);
    Variable at = hold(key);
    Code find = keep(target, held).then(keep(key, at));
    Place inner;
    if (owner.isDef()) {
      inner =
          new Place(
              Type.DEF,
              _ -> {},
              to -> {
                held.load().write(to);
                at.load().write(to);
                DefCalls.site(
                    to,
                    tree.at(),
                    Kind.ELEMENT,
                    "get",
                    MethodTypeDesc.of(CD_Object, CD_Object, CD_Object));
              },
              (to, value) -> {
                held.load().write(to);
                at.load().write(to);
                value.write(to);
                DefCalls.site(
                    to,
                    tree.at(),
                    Kind.SET_ELEMENT,
                    "set",
                    MethodTypeDesc.of(CD_void, CD_Object, CD_Object, CD_Object));
              });
    } else if (owner.java().isArray()) {
      inner = Elements.arrayElement(tree.at(), held, at);
    } else if (isMap) {
      inner = Elements.entry(tree.index().at(), held, at.load());
    } else if (List.class.isAssignableFrom(owner.java())) {
      inner = Elements.element(tree.index().at(), held, at.load());
    } else {
      throw new SyntaxFault(tree.at(), "Illegal array access on type [" + owner.name() + "].");
    }
    return new Place(inner.type(), find, inner.load(), inner.store());
  }

  Value assign(Tree.Assign tree) {
    Place place = writable(tree.target());
    Storing store = storing(tree.target(), place);
    Code code;
    if (tree.operator().isEmpty()) {
      code = expressions.as(place.type(), tree.value()).code();
    } else {
      Variable before = frame().temporary(place.type());
      Value after =
          Operators.binary(
              tree.at(),
              tree.operator(),
              new Value(tree.at(), place.type(), before.load()),
              expressions.value(tree.value()));
      expressions.unit.isLimited = true;
      code = place.load().then(before.store()).then(asBefore(tree.at(), after, before));
    }
    Variable result = frame().temporary(place.type());
    return new Value(
        tree.at(),
        place.type(),
        to -> {
          place.find().write(to);
          code.write(to);
          result.store().write(to);
          store.write(to, result.load());
          result.load().write(to);
        });
  }

  /// What is assigned has the type of what was there: of its class, where that is not known.
  private static Code asBefore(int at, Value after, Variable before) {
    Code code = Casts.to(before.type, after, true).code();
    return !before.type.isDef()
        ? code
        : code.then(to -> {
          before.load().write(to);
          Operators.line(to, at);
          to.invokestatic(
              Operators.DEF_MATH, "asBefore", MethodTypeDesc.of(CD_Object, CD_Object, CD_Object));
        });
  }

  private Place writable(Expression target) {
    return place(target, false);
  }

  private Storing storing(Expression target, Place place) {
    if (place.store() != null) {
      return place.store();
    }
    String name =
        target instanceof Tree.Name variable
            ? variable.name()
            : target instanceof Tree.Member member ? member.name() : "";
    throw new SyntaxFault(
        target.at(), "invalid assignment: cannot assign a value to read-only [" + name + "]");
  }

  Value increment(Tree.Increment tree) {
    Place place = writable(tree.target());
    Storing store = storing(tree.target(), place);
    Variable before = frame().temporary(place.type());
    Variable after = frame().temporary(place.type());
    Value one = new Value(tree.at(), Type.INT, to -> to.loadConstant(1), 1);
    Value now = new Value(tree.at(), place.type(), before.load());
    Value stepped = Operators.binary(tree.at(), tree.isUp() ? "+" : "-", now, one);
    Code next = asBefore(tree.at(), stepped, before);
    return new Value(
        tree.at(),
        place.type(),
        to -> {
          place.find().write(to);
          place.load().write(to);
          before.store().write(to);
          next.write(to);
          after.store().write(to);
          store.write(to, after.load());
          (tree.isBefore() ? after : before).load().write(to);
        });
  }
}
