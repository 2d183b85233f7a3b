package dev.holdfast.script.compile;

import java.lang.classfile.CodeBuilder;

/// A piece of bytecode, written when everything about its method is known.
@FunctionalInterface
interface Code {
  void write(CodeBuilder to);

  default Code then(Code next) {
    return to -> {
      write(to);
      next.write(to);
    };
  }
}
