package dev.holdfast.script.compile;

import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_String;
import static java.lang.constant.ConstantDescs.CD_int;

import dev.holdfast.script.parse.Tree;
import dev.holdfast.script.parse.Tree.Expression;
import dev.holdfast.script.type.Allowlist;
import java.lang.constant.MethodTypeDesc;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Fields and parameters that a script on documents reads by names that stand in its text,
/// `doc['a']` and `params.b`: each has a slot in the script, so that nothing is looked up by name
/// for each document.
final class NamedReads {
  private static final MethodTypeDesc READ = MethodTypeDesc.of(CD_Object, CD_int, CD_String);

  /// Contexts with this variable are classes with the methods `column` and `parameter`.
  private static final String DOCUMENT = "doc";

  /// Parameters that are others for each document.
  private static final Set<String> LIVE = Set.of("_source", "doc", "_doc");

  private NamedReads() {}

  /// @return null for whatever else is read
  static @Nullable Code of(Expression tree, Expressions expressions) {
    return switch (tree) {
      case Tree.Member member when !isMemberOfMap(member.name(), expressions.unit.allowlist) ->
          of(member.at(), member.target(), member.name(), expressions);
      case Tree.Index index
          when index.index() instanceof Tree.Literal literal
              && literal.value() instanceof String name ->
          of(literal.at(), index.target(), name, expressions);
      default -> null;
    };
  }

  private static boolean isMemberOfMap(String name, Allowlist allowlist) {
    return allowlist.field(Map.class, name, false) != null
        || allowlist.getter(Map.class, name) != null
        || allowlist.setter(Map.class, name) != null;
  }

  private static @Nullable Code of(int at, Expression target, String name, Expressions in) {
    if (!(target instanceof Tree.Name map)
        || in.frame.find(map.name()) != null
        || !in.unit.shape.variables().containsKey(map.name())
        || !in.unit.shape.variables().containsKey(DOCUMENT)) {
      return null;
    }
    return switch (map.name()) {
      case DOCUMENT -> read(at, "column", in.unit.columns, name, in.unit);
      case "params" -> LIVE.contains(name) ? null : parameter(at, name, in.unit);
      default -> null;
    };
  }

  private static Code parameter(int at, String name, Unit unit) {
    Code slotted = read(at, "parameter", unit.parameters, name, unit);
    return to -> {
      if (!unit.passesParameters) {
        slotted.write(to);
        return;
      }
      to.aload(0)
          .invokevirtual(unit.self, "getParams", MethodTypeDesc.of(Elements.CD_Map))
          .ldc(name);
      Elements.readEntry(to, at);
    };
  }

  private static Code read(int at, String method, List<String> slots, String name, Unit unit) {
    if (!slots.contains(name)) {
      slots.add(name);
    }
    int slot = slots.indexOf(name);
    return to ->
        Places.lined(to.aload(0).loadConstant(slot).ldc(name), at)
            .invokevirtual(unit.self, method, READ);
  }
}
