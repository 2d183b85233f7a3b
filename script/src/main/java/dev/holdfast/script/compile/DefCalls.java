package dev.holdfast.script.compile;

import dev.holdfast.script.runtime.DefSites;
import dev.holdfast.script.type.Type;
import java.lang.classfile.CodeBuilder;
import java.lang.constant.ConstantDescs;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.DynamicCallSiteDesc;
import java.lang.constant.MethodHandleDesc;
import java.lang.constant.MethodTypeDesc;

/// Calls on what has no known type, linked when they are first made.
final class DefCalls {
  private static final DirectMethodHandleDesc BOOTSTRAP =
      MethodHandleDesc.ofMethod(
          DirectMethodHandleDesc.Kind.STATIC,
          Type.desc(DefSites.class),
          "link",
          MethodTypeDesc.of(
              ConstantDescs.CD_CallSite,
              ConstantDescs.CD_MethodHandles_Lookup,
              ConstantDescs.CD_String,
              ConstantDescs.CD_MethodType,
              ConstantDescs.CD_String,
              ConstantDescs.CD_String));

  private DefCalls() {}

  static void site(CodeBuilder to, int at, DefSites.Kind kind, String name, MethodTypeDesc type) {
    Operators.line(to, at);
    site(to, kind, name, type);
  }

  /// A site whose place has been told before its operands.
  static void site(CodeBuilder to, DefSites.Kind kind, String name, MethodTypeDesc type) {
    to.invokedynamic(
        DynamicCallSiteDesc.of(
            BOOTSTRAP, kind.name().toLowerCase(java.util.Locale.ROOT), type, name, kind.name()));
  }
}
