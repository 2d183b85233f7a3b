package dev.holdfast.script.type;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// What a script is in one context: the class it extends, the method it is the body of, and the
/// variables and functions that it has there.
///
/// @param parameters of that method, as scripts name them
/// @param variables methods of the class that give a variable, by its name
/// @param functions methods of the class that scripts call, by `name/arguments`
public record Shape(
    String name,
    Class<?> base,
    Method execute,
    List<String> parameters,
    Map<String, Method> variables,
    Map<String, Method> functions) {
  /// @param base with one abstract method, `execute`
  /// @param variables each `name` or `name=method`
  /// @param functions names of public methods of the class
  public static Shape of(
      String name,
      Class<?> base,
      List<String> parameters,
      List<String> variables,
      List<String> functions) {
    Method execute = null;
    Map<String, Method> found = new TreeMap<>();
    Map<String, Method> read = new TreeMap<>();
    for (Method method : base.getMethods()) {
      if (Modifier.isAbstract(method.getModifiers())) {
        execute = method;
      }
      String called = method.getName().equals("dollar") ? "$" : method.getName();
      if (functions.contains(called)) {
        found.put(Allowlist.key(called, method.getParameterCount()), method);
      }
      for (String variable : variables) {
        int equals = variable.indexOf('=');
        String getter =
            equals >= 0
                ? variable.substring(equals + 1)
                : "get" + variable.substring(0, 1).toUpperCase(Locale.ROOT) + variable.substring(1);
        if (method.getName().equals(getter) && method.getParameterCount() == 0) {
          read.put(equals >= 0 ? variable.substring(0, equals) : variable, method);
        }
      }
    }
    if (execute == null || read.size() != variables.size()) {
      throw new IllegalStateException("not a context of scripts [" + base.getName() + "]");
    }
    return new Shape(name, base, execute, parameters, read, found);
  }

  public @Nullable Method function(String called, int arguments) {
    return functions.get(Allowlist.key(called, arguments));
  }
}
