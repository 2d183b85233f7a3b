package dev.holdfast.script.runtime;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandleProxies;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A lambda that has not been given an interface yet, or several of which one fits.
public final class ScriptLambda {
  private final List<MethodHandle> variants;

  private ScriptLambda(List<MethodHandle> variants) {
    this.variants = variants;
  }

  /// Binds a method of a script to the script and what is taken from around it.
  public static ScriptLambda bind(MethodHandle method, @Nullable Object[] bound) {
    return new ScriptLambda(List.of(MethodHandles.insertArguments(method, 0, bound)));
  }

  public static Object oneOf(ScriptLambda[] lambdas) {
    if (lambdas.length == 1) {
      return lambdas[0];
    }
    return new ScriptLambda(
        java.util.Arrays.stream(lambdas).flatMap(lambda -> lambda.variants.stream()).toList());
  }

  /// An object of that interface that does what the lambda does; anything but a lambda as it is.
  public static @Nullable Object as(@Nullable Object value, Class<?> type) {
    if (!(value instanceof ScriptLambda lambda)) {
      return value;
    }
    Method method = dev.holdfast.script.type.Allowlist.functional(type);
    if (method == null) {
      throw new IllegalArgumentException(
          "Cannot pass lambda to [" + type.getName() + "], not a functional interface");
    }
    for (MethodHandle variant : lambda.variants) {
      if (variant.type().parameterCount() == method.getParameterCount()) {
        MethodHandle fitted =
            variant.asType(
                MethodType.methodType(method.getReturnType(), method.getParameterTypes()));
        return MethodHandleProxies.asInterfaceInstance(type, fitted);
      }
    }
    throw new IllegalArgumentException(
        "Incorrect number of parameters for ["
            + method.getName()
            + "] in ["
            + type.getName()
            + "]");
  }
}
