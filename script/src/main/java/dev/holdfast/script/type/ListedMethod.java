package dev.holdfast.script.type;

import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Calendar;
import java.util.Currency;
import java.util.List;
import java.util.Locale;
import java.util.TimeZone;

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

  /// Whether what it answers may be new, and is large enough to count as what a script allocates:
  /// texts, arrays, copies, numbers of any size, dates, formats. Views of collections, and what a
  /// collection holds, are not; methods of ours count for themselves.
  public boolean isCounted() {
    Class<?> owner = java.getDeclaringClass();
    String home = owner.getPackageName();
    if (!home.startsWith("java.") || returns.java().isPrimitive()) {
      return false;
    }
    if (java instanceof Constructor<?>) {
      return java.getParameterCount() > 0 || !isOfCollections(owner);
    }
    Class<?> answer = returns.java();
    if (answer.isArray()
        || answer == String.class
        || answer == CharSequence.class
        || java.getName().equals("clone")) {
      return true;
    }
    return answer != Object.class
        && !answer.isEnum()
        && !Appendable.class.isAssignableFrom(answer)
        && !(home.equals("java.util") && isOfCollections(owner))
        && !home.startsWith("java.util.")
        && !home.equals("java.lang");
  }

  /// Whether it reads a text of any length as a number or its like.
  public boolean readsText() {
    return isStatic()
        && java.getDeclaringClass().getPackageName().equals("java.lang")
        && !parameters.isEmpty()
        && parameters.getFirst().java() == String.class;
  }

  /// What the package of collections has besides: calendars and names of places and times.
  private static boolean isOfCollections(Class<?> type) {
    return type.getPackageName().equals("java.util")
        && !Calendar.class.isAssignableFrom(type)
        && type != Locale.class
        && type != TimeZone.class
        && type != Currency.class;
  }

  /// Whether it is called on a class.
  public boolean isStatic() {
    return !isAdded && Modifier.isStatic(java.getModifiers());
  }
}
