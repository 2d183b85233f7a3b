package dev.holdfast.script.compile;

import static java.lang.constant.ConstantDescs.CD_boolean;
import static java.lang.constant.ConstantDescs.CD_void;

import dev.holdfast.script.parse.SyntaxFault;
import dev.holdfast.script.parse.Tree;
import dev.holdfast.script.parse.Tree.Statement;
import dev.holdfast.script.runtime.Script;
import dev.holdfast.script.type.Type;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Statements of one method, and their code.

final class Statements {
  private static final ClassDesc CD_Iterator = Type.desc(Iterator.class);

  private final Unit unit;
  private final Frame frame;
  private final Expressions expressions;
  private final Deque<Loop> loops = new ArrayDeque<>();

  private Statements(Unit unit, Frame frame) {
    this.unit = unit;
    this.frame = frame;
    this.expressions = new Expressions(unit, frame);
  }

  /// The body of a method; what its last statement is worth is what it returns.
  ///
  /// @param defaults whether a body that returns nothing returns nothing, zero or false
  static Code body(Unit unit, Frame frame, List<Statement> body, boolean defaults) {
    Statements statements = new Statements(unit, frame);
    Done done = statements.sequence(body, true, 0);
    if (!done.endsMethod() && !frame.returns.isVoid() && !defaults) {
      throw new SyntaxFault(
          body.isEmpty() ? 0 : body.getLast().at(), "not all paths provide a return value");
    }
    return to -> {
      Variable counter = frame.loops;
      if (counter != null) {
        to.loadConstant(Script.LOOPS_MAX);
        counter.store().write(to);
      }
      if (frame.outer != null || !defaults) {
        to.aload(0).invokevirtual(unit.self, "step", Expressions.NO_ARGUMENTS);
      }
      done.code().write(to);
      if (!done.endsMethod()) {
        Defaults.giveNothing(to, frame.returns);
      }
    };
  }

  /// @param at of what they are in
  private Done sequence(List<Statement> statements, boolean isLast, int at) {
    Code code = _ -> {};
    boolean endsMethod = false;
    boolean endsFlow = false;
    for (int i = 0; i < statements.size(); i++) {
      if (endsFlow) {
        throw new SyntaxFault(at, "unreachable statement");
      }
      Done done = statement(statements.get(i), isLast && i == statements.size() - 1);
      code = code.then(done.code());
      endsMethod = done.endsMethod();
      endsFlow = done.endsFlow();
    }
    return new Done(code, endsMethod, endsFlow);
  }

  private Done block(List<Statement> statements, boolean isLast, int at) {
    frame.open();
    try {
      return sequence(statements, isLast, at);
    } finally {
      frame.close();
    }
  }

  private Done inBlock(@Nullable Statement statement, boolean isLast) {
    return statement == null
        ? Done.going(_ -> {})
        : block(List.of(statement), isLast, statement.at());
  }

  private Done statement(Statement statement, boolean isLast) {
    switch (statement) {
      case Tree.Block _ -> {}
      case Tree.Declare declare -> declare.variables().forEach(v -> unit.statements.set(v.at()));
      default -> unit.statements.set(statement.at());
    }
    return switch (statement) {
      case Tree.Block block -> block(block.statements(), isLast, block.at());
      case Tree.Run run -> run(run, isLast);
      case Tree.Declare declare -> declare(declare);
      case Tree.Return back -> back(back);
      case Tree.Throw thrown -> {
        Code value = expressions.as(Type.of(Exception.class), thrown.value()).code();
        yield new Done(
            value.then(to -> {
              Operators.line(to, thrown.at());
              to.athrow();
            }),
            true,
            true);
      }
      case Tree.If choice -> choice(choice, isLast);
      case Tree.While loop -> loop(loop.at(), "while", loop.condition(), null, loop.body());
      case Tree.DoWhile loop -> loop(loop.at(), "do-while", loop.condition(), null, loop.body());
      case Tree.For loop -> forLoop(loop);
      case Tree.Each each -> each(each);
      case Tree.Break leave -> {
        Loop loop = around(leave.at(), "break");
        loop.breaks = true;
        yield new Done(to -> to.goto_(loop.end()), false, true);
      }
      case Tree.Continue again -> {
        Loop loop = around(again.at(), "continue");
        loop.continues = true;
        yield new Done(to -> to.goto_(loop.next()), false, true);
      }
      case Tree.Try attempt -> attempt(attempt, isLast);
    };
  }

  private Loop around(int at, String word) {
    Loop loop = loops.peek();
    if (loop == null) {
      throw new SyntaxFault(
          at,
          word.equals("break")
              ? "Break statement outside of a loop."
              : "Continue statement outside of a loop.");
    }
    return loop;
  }

  private Done run(Tree.Run run, boolean isLast) {
    boolean gives = isLast && !frame.returns.isVoid();
    Value value = expressions.value(run.expression());
    if (gives && !value.type().isVoid()) {
      Code code = Casts.to(frame.returns, value, isInternal(value)).code();
      return new Done(code.then(to -> to.return_(frame.returns.kind())), true, true);
    }
    if (!Expressions.doesSomething(run.expression())) {
      throw new SyntaxFault(run.expression().at(), Unused.reason(run.expression()));
    }
    return Done.going(value.code().then(Expressions.pop(value.type())));
  }

  /// What a script gives may be narrowed to what its context wants, where it is a number.
  private boolean isInternal(Value value) {
    return frame.outer == null && frame.returns.rank() > 0 && value.type().unboxed() != null;
  }

  private Done back(Tree.Return back) {
    if (frame.returns.isVoid()) {
      if (back.value() != null) {
        Value given = expressions.value(back.value());
        throw cannotCast(given.at(), given.type().name(), "void");
      }
      return new Done(CodeBuilder::return_, true, true);
    }
    if (back.value() == null) {
      throw cannotCast(back.at(), frame.returns.name(), "void");
    }
    Value value = expressions.value(back.value());
    Code code = Casts.to(frame.returns, value, isInternal(value)).code();
    return new Done(code.then(to -> to.return_(frame.returns.kind())), true, true);
  }

  private static SyntaxFault cannotCast(int at, String from, String to) {
    return new SyntaxFault(
        at, SyntaxFault.Kind.CLASS_CAST, "Cannot cast from [" + from + "] to [" + to + "].");
  }

  private Done declare(Tree.Declare declare) {
    Type type = expressions.type(declare.at(), declare.type());
    Code code = _ -> {};
    for (Tree.Variable tree : declare.variables()) {
      Code value =
          tree.value() == null
              ? to -> Defaults.nothing(to, type)
              : expressions.as(type, tree.value()).code();
      Variable variable = declared(tree.at(), tree.name(), type);
      code = code.then(value).then(variable.store());
    }
    return Done.going(code);
  }

  private Variable declared(int at, String name, Type type) {
    Variable variable = unit.shape.variables().containsKey(name) ? null : frame.declare(name, type);
    if (variable == null) {
      throw new SyntaxFault(at, "variable [" + name + "] is already defined");
    }
    return variable;
  }

  private Done choice(Tree.If choice, boolean isLast) {
    Extraneous.refuse(choice);
    Code condition = expressions.as(Type.BOOLEAN, choice.condition()).code();
    Done then = inBlock(choice.then(), isLast);
    Done otherwise = inBlock(choice.otherwise(), isLast);
    return new Done(
        to -> {
          Label no = to.newLabel();
          Label end = to.newLabel();
          condition.write(to);
          to.ifeq(no);
          then.code().write(to);
          if (!then.endsFlow()) {
            to.goto_(end);
          }
          to.labelBinding(no);
          otherwise.code().write(to);
          to.labelBinding(end);
        },
        then.endsMethod() && otherwise.endsMethod(),
        then.endsFlow() && otherwise.endsFlow());
  }

  private Done forLoop(Tree.For loop) {
    frame.open();
    try {
      Code first = loop.first() == null ? _ -> {} : statement(loop.first(), false).code();
      Done rest = loop(loop.at(), "for", loop.condition(), loop.after(), loop.body());
      return new Done(first.then(rest.code()), rest.endsMethod(), rest.endsFlow());
    } finally {
      frame.close();
    }
  }

  private Done loop(
      int at,
      String kind,
      Tree.@Nullable Expression condition,
      Tree.@Nullable Expression after,
      @Nullable Statement body) {
    Extraneous.refuse(at, kind, condition, body);
    Variable counter = counter();
    boolean isBodyFirst = kind.equals("do-while");
    // A test that always holds would leave the code after an endless loop without an end.
    boolean isEndless = condition == null || Extraneous.isConstant(condition, true);
    Code test =
        condition == null || isEndless ? null : expressions.as(Type.BOOLEAN, condition).code();
    Loop loop = new Loop();
    loops.push(loop);
    Done inner = inBlock(body, false);
    loops.pop();
    Extraneous.refuse(at, kind, loop, inner);
    Value step = after == null ? null : expressions.value(after);
    Code code =
        to -> {
          Label begin = to.newLabel();
          loop.next = to.newLabel();
          loop.end = to.newLabel();
          to.labelBinding(begin);
          if (!isBodyFirst && test != null) {
            test.write(to);
            to.ifeq(loop.end());
          }
          count(to, counter, at);
          inner.code().write(to);
          to.labelBinding(loop.next());
          if (step != null) {
            step.code().write(to);
            Expressions.pop(step.type()).write(to);
          }
          if (isBodyFirst && test != null) {
            test.write(to);
            to.ifne(begin);
          } else {
            to.goto_(begin);
          }
          to.labelBinding(loop.end());
        };
    boolean ends = isEndless && !loop.breaks;
    return new Done(code, ends, ends);
  }

  private Variable counter() {
    unit.isLimited = true;
    return frame.loops();
  }

  private void count(CodeBuilder to, Variable counter, int at) {
    Operators.line(to, at);
    to.iinc(counter.slot, -1).aload(0).iload(counter.slot);
    to.invokevirtual(
        unit.self, "loop", MethodTypeDesc.of(CD_void, java.lang.constant.ConstantDescs.CD_int));
  }

  private Done each(Tree.Each each) {
    Value values = expressions.value(each.values());
    Variable counter = counter();
    frame.open();
    try {
      Type type = each.type() == null ? Type.DEF : expressions.type(each.at(), each.type());
      Variable variable = declared(each.at(), each.name(), type);
      boolean isArray = values.type().java().isArray();
      Variable held = frame.temporary(isArray ? values.type() : Type.of(Iterator.class));
      Variable position = frame.temporary(Type.INT);
      Type element = isArray ? values.type().element() : Type.DEF;
      Value got = new Value(each.at(), element, Loop.element(held, position, isArray, element));
      Code next = Casts.to(type, got, true).code();
      Code begin = values.code().then(isArray ? _ -> {} : Loop.iterator(each.at(), values.type()));
      Loop loop = new Loop();
      loops.push(loop);
      Extraneous.refuse(each.at(), "foreach", null, each.body());
      Done body = block(List.of(each.body()), false, each.at());
      loops.pop();
      Extraneous.refuse(each.at(), "foreach", loop, body);
      return Done.going(to -> {
        begin.write(to);
        held.store().write(to);
        to.loadConstant(0);
        position.store().write(to);
        loop.next = to.newLabel();
        loop.end = to.newLabel();
        to.labelBinding(loop.next());
        held.load().write(to);
        if (isArray) {
          to.arraylength();
          position.load().write(to);
          to.if_icmple(loop.end());
        } else {
          Operators.line(to, each.at());
          to.invokeinterface(CD_Iterator, "hasNext", MethodTypeDesc.of(CD_boolean));
          to.ifeq(loop.end());
        }
        count(to, counter, each.at());
        next.write(to);
        variable.store().write(to);
        body.code().write(to);
        to.goto_(loop.next());
        to.labelBinding(loop.end());
      });
    } finally {
      frame.close();
    }
  }

  private Done attempt(Tree.Try tree, boolean isLast) {
    Extraneous.refuse(tree);
    Done body = block(tree.body().statements(), isLast, tree.body().at());
    boolean endsMethod = body.endsMethod();
    boolean endsFlow = body.endsFlow();
    List<Type> types = new java.util.ArrayList<>();
    List<Variable> variables = new java.util.ArrayList<>();
    List<Done> handlers = new java.util.ArrayList<>();
    for (Tree.Catch handler : tree.catches()) {
      Type type = expressions.type(handler.at(), handler.type());
      if (!Exception.class.isAssignableFrom(type.java())) {
        throw cannotCast(handler.at(), type.name(), "java.lang.Exception");
      }
      frame.open();
      types.add(type);
      variables.add(declared(handler.at(), handler.name(), type));
      Done done = block(handler.body().statements(), isLast, handler.body().at());
      frame.close();
      handlers.add(done);
      endsMethod &= done.endsMethod();
      endsFlow &= done.endsFlow();
    }
    return new Done(
        to -> {
          Label begin = to.newBoundLabel();
          to.nop();
          body.code().write(to);
          Label after = to.newBoundLabel();
          Label end = to.newLabel();
          if (!body.endsFlow()) {
            to.goto_(end);
          }
          for (int i = 0; i < handlers.size(); i++) {
            Label handler = to.newBoundLabel();
            to.exceptionCatch(begin, after, handler, types.get(i).desc());
            to.storeLocal(TypeKind.REFERENCE, variables.get(i).slot);
            handlers.get(i).code().write(to);
            if (!handlers.get(i).endsFlow()) {
              to.goto_(end);
            }
          }
          to.labelBinding(end);
        },
        endsMethod,
        endsFlow);
  }
}
