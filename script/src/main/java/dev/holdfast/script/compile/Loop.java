package dev.holdfast.script.compile;

import static java.lang.constant.ConstantDescs.CD_Object;

import dev.holdfast.script.parse.SyntaxFault;
import dev.holdfast.script.runtime.DefSites;
import dev.holdfast.script.type.Type;
import java.lang.classfile.Label;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.Iterator;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Where `continue` and `break` of a loop go; labels are made when its code is written.

final class Loop {
  private static final ClassDesc CD_Iterator = Type.desc(Iterator.class);
  private static final ClassDesc CD_Iterable = Type.desc(Iterable.class);

  @Nullable Label next;
  @Nullable Label end;
  boolean breaks;
  boolean continues;

  Label next() {
    return Objects.requireNonNull(next);
  }

  Label end() {
    return Objects.requireNonNull(end);
  }

  static Code element(Variable held, Variable position, boolean isArray, Type element) {
    return to -> {
      held.load().write(to);
      if (isArray) {
        position.load().write(to);
        to.iinc(position.slot, 1).arrayLoad(element.kind());
      } else {
        to.invokeinterface(CD_Iterator, "next", MethodTypeDesc.of(CD_Object));
      }
    };
  }

  static Code iterator(int at, Type type) {
    if (Iterable.class.isAssignableFrom(type.java())) {
      return to -> {
        Operators.line(to, at);
        to.invokeinterface(CD_Iterable, "iterator", MethodTypeDesc.of(CD_Iterator));
      };
    }
    if (!type.isDef()) {
      throw new SyntaxFault(at, "Illegal for each type [" + type.name() + "].");
    }
    return to ->
        DefCalls.site(
            to, at, DefSites.Kind.ITERATE, "iterator", MethodTypeDesc.of(CD_Iterator, CD_Object));
  }
}
