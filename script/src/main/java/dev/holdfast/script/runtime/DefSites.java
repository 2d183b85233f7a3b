package dev.holdfast.script.runtime;

import dev.holdfast.script.type.Allowlist;
import dev.holdfast.script.type.ListedMethod;
import dev.holdfast.script.type.Type;
import java.lang.invoke.CallSite;
import java.lang.invoke.ConstantCallSite;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodType;
import java.lang.invoke.MutableCallSite;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Links calls, reads and writes on objects whose class shows when they are run. Each site
/// remembers the classes it has seen, a few in a row of tests, more of them in a table.
public final class DefSites {
  /// What is done at a site.
  public enum Kind {
    CALL,
    LOAD,
    STORE,
    ELEMENT,
    SET_ELEMENT,
    ITERATE
  }

  private static final int CLASSES_IN_A_ROW_MAX = 5;
  private static final Lookup LOOKUP = MethodHandles.lookup();

  private DefSites() {}

  /// The bootstrap method of such sites.
  ///
  /// @param kind the name of a [Kind]
  public static CallSite link(
      Lookup caller, String called, MethodType type, String name, String kind)
      throws ReflectiveOperationException {
    Kind what = Kind.valueOf(kind);
    return switch (what) {
      case ELEMENT -> fixed("element", type);
      case SET_ELEMENT -> fixed("setElement", type);
      case ITERATE -> fixed("iterator", type);
      case CALL, LOAD, STORE -> {
        ScriptLoader loader = (ScriptLoader) caller.lookupClass().getClassLoader();
        yield new Site(type, what, name, loader.allowlist());
      }
    };
  }

  private static CallSite fixed(String method, MethodType type)
      throws ReflectiveOperationException {
    return new ConstantCallSite(LOOKUP.findStatic(Lists.class, method, type));
  }

  private static final class Site extends MutableCallSite {
    private static final MethodHandle LINK;
    private static final MethodHandle IS;
    private static final MethodHandle FIND;
    private static final MethodHandle COUNTED;

    static {
      try {
        LINK =
            LOOKUP.findVirtual(
                Site.class, "link", MethodType.methodType(MethodHandle.class, Object.class));
        FIND =
            LOOKUP.findVirtual(
                Site.class, "find", MethodType.methodType(MethodHandle.class, Object.class));
        COUNTED =
            LOOKUP.findStatic(
                Made.class, "counted", MethodType.methodType(Object.class, Object.class));
        IS =
            LOOKUP.findStatic(
                Site.class, "is", MethodType.methodType(boolean.class, Class.class, Object.class));
      } catch (ReflectiveOperationException e) {
        throw new ExceptionInInitializerError(e);
      }
    }

    private final Kind kind;
    private final String name;
    private final Allowlist allowlist;
    private final ClassValue<MethodHandle> table =
        new ClassValue<>() {
          @Override
          protected MethodHandle computeValue(Class<?> type) {
            return resolve(type);
          }
        };
    private int classes;

    Site(MethodType type, Kind kind, String name, Allowlist allowlist) {
      super(type);
      this.kind = kind;
      this.name = name;
      this.allowlist = allowlist;
      setTarget(dispatch(LINK));
    }

    private MethodHandle dispatch(MethodHandle by) {
      MethodHandle choose = by.bindTo(this);
      choose = choose.asType(choose.type().changeParameterType(0, type().parameterType(0)));
      return MethodHandles.foldArguments(MethodHandles.exactInvoker(type()), choose);
    }

    @SuppressWarnings("unused") // a method handle calls it
    private static boolean is(Class<?> type, @Nullable Object object) {
      return object != null && object.getClass() == type;
    }

    @SuppressWarnings("unused") // a method handle calls it
    private MethodHandle find(@Nullable Object receiver) {
      return table.get(classOf(receiver));
    }

    private Class<?> classOf(@Nullable Object receiver) {
      if (receiver == null) {
        throw new NullPointerException(
            "cannot access method/field [" + name + "] from a null def reference");
      }
      return receiver.getClass();
    }

    @SuppressWarnings("unused") // a method handle calls it
    private synchronized MethodHandle link(@Nullable Object receiver) {
      Class<?> type = classOf(receiver);
      MethodHandle target = table.get(type);
      if (classes++ >= CLASSES_IN_A_ROW_MAX) {
        setTarget(dispatch(FIND));
        return target;
      }
      MethodHandle test = IS.bindTo(type);
      test = test.asType(test.type().changeParameterType(0, type().parameterType(0)));
      setTarget(MethodHandles.guardWithTest(test, target, getTarget()));
      return target;
    }

    private MethodHandle resolve(Class<?> type) {
      try {
        MethodHandle found =
            switch (kind) {
              case CALL -> call(type);
              case LOAD -> load(type);
              default -> store(type);
            };
        return found.asType(type());
      } catch (IllegalAccessException e) {
        throw new IllegalArgumentException(missing(type), e);
      }
    }

    private String missing(Class<?> type) {
      String what = kind == Kind.CALL ? "method" : kind == Kind.LOAD ? "getter" : "setter";
      String arity = kind == Kind.CALL ? "/" + (type().parameterCount() - 1) : "";
      if (kind != Kind.CALL && List.class.isAssignableFrom(type)) {
        return "Illegal list shortcut value [" + name + "].";
      }
      return "dynamic " + what + " [" + allowlist.shown(type) + ", " + name + arity + "] not found";
    }

    private MethodHandle call(Class<?> type) throws IllegalAccessException {
      ListedMethod member = allowlist.method(type, name, type().parameterCount() - 1);
      if (member == null) {
        throw new IllegalArgumentException(missing(type));
      }
      return fitted(member);
    }

    private static MethodHandle fitted(ListedMethod member) throws IllegalAccessException {
      MethodHandle handle = MethodHandles.publicLookup().unreflect((Method) member.java());
      List<Type> parameters = member.parameters();
      for (int i = 0; i < parameters.size(); i++) {
        MethodHandle filter = filter(parameters.get(i));
        if (filter != null) {
          handle = MethodHandles.filterArguments(handle, i + 1, filter);
        }
      }
      return member.isCounted()
          ? MethodHandles.filterReturnValue(
              handle.asType(handle.type().changeReturnType(Object.class)), COUNTED)
          : handle;
    }

    private static @Nullable MethodHandle filter(Type type) {
      try {
        if (type.unboxed() != null) {
          String word = type.unboxed().java().getName();
          String cast =
              "implicit" + word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1);
          if (type.isPrimitive()) {
            return LOOKUP.findStatic(
                DefCasts.class, cast, MethodType.methodType(type.java(), Object.class));
          }
          return LOOKUP
              .findStatic(
                  DefCasts.class,
                  cast + "OrNull",
                  MethodType.methodType(Object.class, Object.class))
              .asType(MethodType.methodType(type.java(), Object.class));
        }
        if (Allowlist.functional(type.java()) != null) {
          MethodHandle as =
              LOOKUP.findStatic(
                  ScriptLambda.class,
                  "as",
                  MethodType.methodType(Object.class, Object.class, Class.class));
          return MethodHandles.insertArguments(as, 1, type.java())
              .asType(MethodType.methodType(type.java(), Object.class));
        }
        return null;
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException(e);
      }
    }

    private MethodHandle load(Class<?> type) throws IllegalAccessException {
      if (type.isArray() && name.equals("length")) {
        return MethodHandles.arrayLength(type);
      }
      Field field = allowlist.field(type, name, false);
      if (field != null) {
        return MethodHandles.publicLookup().unreflectGetter(field);
      }
      ListedMethod getter = allowlist.getter(type, name);
      if (getter != null) {
        return fitted(getter);
      }
      if (Map.class.isAssignableFrom(type)) {
        return MethodHandles.insertArguments(ofLists("entry"), 1, name);
      }
      if (List.class.isAssignableFrom(type) && Lists.isIndex(name)) {
        return MethodHandles.insertArguments(ofLists("element"), 1, Integer.valueOf(name));
      }
      throw new IllegalArgumentException(missing(type));
    }

    private MethodHandle store(Class<?> type) throws IllegalAccessException {
      Field field = allowlist.field(type, name, false);
      if (field != null && !Modifier.isFinal(field.getModifiers())) {
        return MethodHandles.publicLookup().unreflectSetter(field);
      }
      ListedMethod setter = allowlist.setter(type, name);
      if (setter != null) {
        return fitted(setter);
      }
      if (Map.class.isAssignableFrom(type)) {
        return MethodHandles.insertArguments(ofLists("setElement"), 1, name);
      }
      if (List.class.isAssignableFrom(type) && Lists.isIndex(name)) {
        return MethodHandles.insertArguments(ofLists("setElement"), 1, Integer.valueOf(name));
      }
      throw new IllegalArgumentException(missing(type));
    }

    private static MethodHandle ofLists(String method) throws IllegalAccessException {
      MethodType type =
          method.equals("setElement")
              ? MethodType.methodType(void.class, Object.class, Object.class, Object.class)
              : MethodType.methodType(Object.class, Object.class, Object.class);
      try {
        return LOOKUP.findStatic(Lists.class, method, type);
      } catch (NoSuchMethodException e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
