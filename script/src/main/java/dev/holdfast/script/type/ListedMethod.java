package dev.holdfast.script.type;

import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;

/// A method or constructor that scripts may call.
///
/// @param isAdded a static method of ours whose first parameter is the object it is called on
/// @param parameters without that first one
public record ListedMethod(Executable java, boolean isAdded, List<Type> parameters, Type returns) {
  static ListedMethod of(Executable java, boolean isAdded) {
    List<Type> parameters = new ArrayList<>();
    for (Class<?> parameter : java.getParameterTypes()) {
      parameters.add(Type.of(parameter));
    }
    if (isAdded) {
      parameters.removeFirst();
    }
    Type returns =
        Type.of(
            java instanceof Method method
                ? method.getReturnType()
                : ((Constructor<?>) java).getDeclaringClass());
    return new ListedMethod(java, isAdded, List.copyOf(parameters), returns);
  }

  /// Whether it is called on a class.
  public boolean isStatic() {
    return !isAdded && Modifier.isStatic(java.getModifiers());
  }
}
