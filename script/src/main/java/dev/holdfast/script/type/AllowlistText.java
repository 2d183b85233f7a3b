package dev.holdfast.script.type;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Reads the tables of what scripts reach. A line `class NAME [as NAME] [hidden]` begins a class;
/// lines below name its members: `new(TYPES)`, `name(TYPES)`, `field`. `extend NAME` adds the
/// public static methods of a class of ours to the classes of their first parameters; `replace
/// NAME` puts those named `Class_method` and `Class_new` in the place of static methods and
/// constructors. A hidden class has no short name.
final class AllowlistText {
  private static final Pattern CLASS = Pattern.compile("class (\\S+)(?: as (\\S+))?( hidden)?");

  private final Allowlist list = new Allowlist();
  private final List<String[]> members = new ArrayList<>();
  private final List<Class<?>> owners = new ArrayList<>();
  private final List<Class<?>> replacements = new ArrayList<>();

  static Allowlist read(String... tables) {
    AllowlistText reader = new AllowlistText();
    List<Class<?>> extensions = new ArrayList<>();
    for (String table : tables) {
      reader.classes(text(table), extensions);
    }
    for (int i = 0; i < reader.members.size(); i++) {
      for (String member : reader.members.get(i)) {
        reader.member(reader.owners.get(i), member);
      }
    }
    extensions.forEach(reader::extend);
    reader.replacements.forEach(reader::replace);
    reader.list.noteMade();
    return reader.list;
  }

  private static String text(String table) {
    try (InputStream in = AllowlistText.class.getResourceAsStream(table)) {
      if (in == null) {
        throw new IllegalStateException("table of scripts missing [" + table + "]");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void classes(String text, List<Class<?>> extensions) {
    Class<?> owner = Object.class;
    for (String line : text.split("\n")) {
      if (line.isBlank() || line.startsWith("#")) {
        continue;
      }
      if (line.startsWith("extend ")) {
        extensions.add(java(line.substring(7).strip()));
      } else if (line.startsWith("replace ")) {
        replacements.add(java(line.substring(8).strip()));
      } else if (line.startsWith(" ")) {
        members.add(line.strip().split("\\s+"));
        owners.add(owner);
      } else {
        owner = declared(line);
      }
    }
  }

  private Class<?> declared(String line) {
    Matcher matcher = CLASS.matcher(line.strip());
    if (!matcher.matches()) {
      throw new IllegalStateException("not a line of a table of scripts [" + line + "]");
    }
    Class<?> java = java(matcher.group(1));
    String name = matcher.group(2) == null ? java.getName() : matcher.group(2);
    list.name(name.replace('$', '.'), java);
    if (matcher.group(2) != null) {
      list.show(java, name.replace('$', '.'));
    }
    if (matcher.group(3) == null) {
      list.name(name.substring(name.lastIndexOf('.') + 1).replace('$', '.'), java);
    }
    list.entry(java);
    return java;
  }

  private static Class<?> java(String name) {
    try {
      return Class.forName(name, false, AllowlistText.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException("class of a table of scripts missing [" + name + "]", e);
    }
  }

  private void member(Class<?> owner, String text) {
    Allowlist.Entry entry = list.entry(owner);
    int open = text.indexOf('(');
    try {
      if (open < 0) {
        entry.fields.put(text, owner.getField(text));
        return;
      }
      String name = text.substring(0, open);
      Class<?>[] types = types(text.substring(open + 1, text.length() - 1));
      String key = Allowlist.key(name, types.length);
      if (name.equals("new")) {
        entry.constructors.put(key, ListedMethod.of(owner.getConstructor(types), false));
        return;
      }
      Method method = owner.getMethod(name, types);
      boolean isStatic = Modifier.isStatic(method.getModifiers());
      (isStatic ? entry.statics : entry.methods).put(key, ListedMethod.of(method, false));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(
          "member of a table of scripts missing [" + owner.getName() + "#" + text + "]", e);
    }
  }

  private Class<?>[] types(String list) {
    if (list.isEmpty()) {
      return new Class<?>[0];
    }
    String[] names = list.split(",");
    Class<?>[] types = new Class<?>[names.length];
    for (int i = 0; i < names.length; i++) {
      types[i] = type(names[i]);
    }
    return types;
  }

  private Class<?> type(String name) {
    Type type = list.type(name);
    if (type == null) {
      throw new IllegalStateException("type of a table of scripts missing [" + name + "]");
    }
    return type.java();
  }

  private void extend(Class<?> with) {
    for (Method method : with.getMethods()) {
      if (Modifier.isStatic(method.getModifiers()) && method.getDeclaringClass() == with) {
        Class<?> owner = method.getParameterTypes()[0];
        ListedMethod member = ListedMethod.of(method, true);
        list.entry(owner)
            .methods
            .put(Allowlist.key(method.getName(), member.parameters().size()), member);
      }
    }
  }

  private void replace(Class<?> with) {
    for (Method method : with.getMethods()) {
      int bar = method.getName().indexOf('_');
      if (bar > 0) {
        Allowlist.Entry entry =
            list.entry(type(method.getName().substring(0, bar).replace('$', '.')));
        String name = method.getName().substring(bar + 1);
        String key = Allowlist.key(name, method.getParameterCount());
        (name.equals("new") ? entry.constructors : entry.statics)
            .put(key, ListedMethod.of(method, false));
      }
    }
  }
}
