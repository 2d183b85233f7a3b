package dev.holdfast.script.type;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The classes, methods and fields that scripts reach. What is not listed does not exist for them:
/// neither by name, nor on an object whose class they do not know.
public final class Allowlist {
  /// What is listed of one class.
  static final class Entry {
    final Map<String, ListedMethod> constructors = new HashMap<>();
    final Map<String, ListedMethod> statics = new HashMap<>();
    final Map<String, ListedMethod> methods = new HashMap<>();
    final Map<String, Field> fields = new HashMap<>();
  }

  private final Map<String, Class<?>> byName = new TreeMap<>();
  private final Map<Class<?>, Entry> entries = new HashMap<>();
  private final Map<Class<?>, String> shown = new HashMap<>();
  private final Set<String> made = new HashSet<>();

  Allowlist() {}

  /// The list of everything, read from the tables beside this class.
  public static Allowlist standard() {
    return Holder.STANDARD;
  }

  private static final class Holder {
    static final Allowlist STANDARD = AllowlistText.read("jdk.txt", "search.txt");
  }

  Entry entry(Class<?> type) {
    return entries.computeIfAbsent(type, _ -> new Entry());
  }

  void name(String name, Class<?> type) {
    byName.putIfAbsent(name, type);
  }

  /// Notes which properties are made when they are read, after all methods are listed.
  void noteMade() {
    for (Entry entry : entries.values()) {
      entry.methods.forEach((key, method) -> {
        if (key.startsWith("get") && key.endsWith("/0") && method.isCounted()) {
          String name = key.substring(3, key.length() - 2);
          made.add(name.substring(0, 1).toLowerCase(Locale.ROOT) + name.substring(1));
        }
      });
    }
  }

  /// Whether a property of that name may be made when it is read ([ListedMethod#isCounted]).
  public boolean isMade(String property) {
    return made.contains(property);
  }

  void show(Class<?> type, String name) {
    shown.put(type, name);
  }

  /// What errors call a class: its name in Elasticsearch, where it is one of ours.
  public String shown(Class<?> type) {
    String name = shown.get(type);
    return name == null ? Type.name(type) : name;
  }

  /// Whether a name, short or with its package, is that of a listed class.
  public boolean isType(String name) {
    return byName.containsKey(name);
  }

  /// The type of that name, with brackets for arrays; null for none.
  public @Nullable Type type(String name) {
    String base = name;
    int depth = 0;
    while (base.endsWith("[]")) {
      base = base.substring(0, base.length() - 2);
      depth++;
    }
    Class<?> java = base.equals("def") ? Object.class : primitive(base);
    if (java == null) {
      java = byName.get(base);
    }
    if (java == null || (java == void.class && depth > 0)) {
      return null;
    }
    for (int i = 0; i < depth; i++) {
      java = java.arrayType();
    }
    return Type.of(java);
  }

  static @Nullable Class<?> primitive(String name) {
    return switch (name) {
      case "void" -> void.class;
      case "boolean" -> boolean.class;
      case "byte" -> byte.class;
      case "short" -> short.class;
      case "char" -> char.class;
      case "int" -> int.class;
      case "long" -> long.class;
      case "float" -> float.class;
      case "double" -> double.class;
      default -> null;
    };
  }

  static String key(String name, int arity) {
    return name + '/' + arity;
  }

  public @Nullable ListedMethod constructor(Class<?> of, int arity) {
    Entry entry = entries.get(of);
    return entry == null ? null : entry.constructors.get(key("new", arity));
  }

  public @Nullable ListedMethod staticMethod(Class<?> of, String name, int arity) {
    for (Class<?> c : lineage(of)) {
      Entry entry = entries.get(c);
      ListedMethod member = entry == null ? null : entry.statics.get(key(name, arity));
      if (member != null) {
        return member;
      }
    }
    return null;
  }

  /// A method called on an object of that class: of the nearest ancestor that lists it.
  public @Nullable ListedMethod method(Class<?> of, String name, int arity) {
    String key = key(name, arity);
    for (Class<?> c : lineage(of)) {
      Entry entry = entries.get(c);
      ListedMethod member = entry == null ? null : entry.methods.get(key);
      if (member != null) {
        return member;
      }
    }
    return null;
  }

  public @Nullable Field field(Class<?> of, String name, boolean isStatic) {
    for (Class<?> c : lineage(of)) {
      Entry entry = entries.get(c);
      Field field = entry == null ? null : entry.fields.get(name);
      if (field != null && Modifier.isStatic(field.getModifiers()) == isStatic) {
        return field;
      }
    }
    return null;
  }

  /// The method that reads a property: `getName()` or `isName()`.
  public @Nullable ListedMethod getter(Class<?> of, String property) {
    String name = property.substring(0, 1).toUpperCase(Locale.ROOT) + property.substring(1);
    ListedMethod getter = method(of, "get" + name, 0);
    return getter != null ? getter : method(of, "is" + name, 0);
  }

  public @Nullable ListedMethod setter(Class<?> of, String property) {
    return method(
        of, "set" + property.substring(0, 1).toUpperCase(Locale.ROOT) + property.substring(1), 1);
  }

  /// A class, its superclasses, then their interfaces, nearest first, and `Object`.
  private static Set<Class<?>> lineage(Class<?> of) {
    Set<Class<?>> lineage = new LinkedHashSet<>();
    Deque<Class<?>> interfaces = new ArrayDeque<>();
    for (Class<?> c = of; c != null && c != Object.class; c = c.getSuperclass()) {
      lineage.add(c);
      Collections.addAll(interfaces, c.getInterfaces());
    }
    while (!interfaces.isEmpty()) {
      Class<?> next = interfaces.removeFirst();
      if (lineage.add(next)) {
        Collections.addAll(interfaces, next.getInterfaces());
      }
    }
    lineage.add(Object.class);
    return lineage;
  }

  /// The one method that an object of that interface has to have, or null for no such interface.
  public static @Nullable Method functional(Class<?> type) {
    if (!type.isInterface()) {
      return null;
    }
    Method only = null;
    for (Method method : type.getMethods()) {
      boolean isOfObject =
          switch (method.getName()) {
            case "equals", "hashCode", "toString" -> true;
            default -> false;
          };
      if (Modifier.isAbstract(method.getModifiers()) && !isOfObject) {
        if (only != null) {
          return null;
        }
        only = method;
      }
    }
    return only;
  }

  /// Whether an object of that interface may be made of a lambda.
  public boolean isFunctional(Class<?> type) {
    return entries.containsKey(type)
        && type != Iterable.class
        && type != Comparable.class
        && functional(type) != null;
  }
}
