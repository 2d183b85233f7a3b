package dev.holdfast.script.compile;

import dev.holdfast.script.type.Type;
import java.lang.classfile.CodeBuilder;

/// What is there where nothing is given: zero, false, null.

final class Defaults {
  private Defaults() {}

  static void giveNothing(CodeBuilder to, Type type) {
    switch (type.kind().asLoadable()) {
      case INT -> to.loadConstant(0);
      case LONG -> to.loadConstant(0L);
      case FLOAT -> to.loadConstant(0f);
      case DOUBLE -> to.loadConstant(0d);
      case REFERENCE -> to.aconst_null();
      default -> {}
    }
    to.return_(type.kind());
  }

  static void nothing(CodeBuilder to, Type type) {
    switch (type.kind().asLoadable()) {
      case LONG -> to.loadConstant(0L);
      case FLOAT -> to.loadConstant(0f);
      case DOUBLE -> to.loadConstant(0d);
      case REFERENCE -> to.aconst_null();
      default -> to.loadConstant(0);
    }
  }
}
