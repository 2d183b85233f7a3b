package dev.holdfast.script.compile;

import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_void;

import dev.holdfast.script.runtime.Lists;
import dev.holdfast.script.type.Type;
import java.lang.classfile.CodeBuilder;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.List;
import java.util.Map;

/// Elements of maps, lists and arrays whose types are known, as places.

final class Elements {
  private static final ClassDesc CD_List = Type.desc(List.class);
  static final ClassDesc CD_Map = Type.desc(Map.class);
  private static final ClassDesc LISTS = Type.desc(Lists.class);

  private Elements() {}

  static Places.Place entry(int at, Variable held, Code key) {
    return new Places.Place(
        Type.DEF,
        _ -> {},
        to -> {
          held.load().write(to);
          key.write(to);
          readEntry(to, at);
        },
        (to, value) -> {
          held.load().write(to);
          key.write(to);
          value.write(to);
          Places.lined(to, at)
              .invokestatic(
                  LISTS, "put", MethodTypeDesc.of(CD_Object, CD_Map, CD_Object, CD_Object))
              .pop();
        });
  }

  /// The value of a key in a map, both on the stack.
  static void readEntry(CodeBuilder to, int at) {
    Places.lined(to, at)
        .invokestatic(LISTS, "entry", MethodTypeDesc.of(CD_Object, CD_Object, CD_Object));
  }

  static Places.Place element(int at, Variable held, Code index) {
    return new Places.Place(
        Type.DEF,
        _ -> {},
        to -> {
          held.load().write(to);
          index.write(to);
          Places.lined(to, at)
              .invokestatic(LISTS, "get", MethodTypeDesc.of(CD_Object, CD_List, CD_int));
        },
        (to, value) -> {
          held.load().write(to);
          index.write(to);
          value.write(to);
          Places.lined(to, at)
              .invokestatic(LISTS, "set", MethodTypeDesc.of(CD_void, CD_List, CD_int, CD_Object));
        });
  }

  static Places.Place arrayElement(int at, Variable held, Variable index) {
    Type type = held.type.element();
    Code both =
        to -> {
          held.load().write(to);
          held.load().write(to);
          index.load().write(to);
          Places.lined(to, at)
              .invokestatic(
                  LISTS,
                  "index",
                  MethodTypeDesc.of(ConstantDescs.CD_int, CD_Object, ConstantDescs.CD_int));
        };
    return new Places.Place(
        type,
        _ -> {},
        both.then(to -> Places.lined(to, at).arrayLoad(type.kind())),
        (to, value) -> {
          both.write(to);
          value.write(to);
          Places.lined(to, at).arrayStore(type.kind());
        });
  }
}
