package dev.holdfast.script.compile;

import dev.holdfast.script.parse.Parser;
import dev.holdfast.script.parse.SyntaxFault;
import dev.holdfast.script.parse.Tree;
import dev.holdfast.script.runtime.ScriptErrors;
import dev.holdfast.script.runtime.ScriptLoader;
import dev.holdfast.script.type.Allowlist;
import dev.holdfast.script.type.Shape;
import dev.holdfast.script.type.Type;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.text.RegularExpressions;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.Constructor;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/// Compiles Painless: source and context become a class that extends the context's.
public final class Compiler {
  private static final ClassDesc CD_Pattern = Type.desc(Pattern.class);
  private static final ClassDesc CD_Throwable = ConstantDescs.CD_Throwable;

  private final Unit unit;
  private final String source;

  private Compiler(String source, Shape shape, Allowlist allowlist) {
    this.source = source;
    this.unit = new Unit(allowlist, shape);
  }

  /// @return the constructor of the class, which takes what the context's takes
  /// @throws Refusal `script_exception`, 400, when the source is no script of that context
  public static Constructor<?> compile(String source, Shape shape, Allowlist allowlist) {
    try {
      return new Compiler(source, shape, allowlist).compiled();
    } catch (SyntaxFault e) {
      ErrorType kind =
          e.kind() == SyntaxFault.Kind.CLASS_CAST
              ? ErrorType.CLASS_CAST
              : ErrorType.ILLEGAL_ARGUMENT;
      throw ScriptErrors.compile(source, e.offset(), kind, e.reason());
    } catch (StackOverflowError e) {
      throw ScriptErrors.compile(
          source, 0, ErrorType.ILLEGAL_ARGUMENT, "the script is too complex to be compiled");
    } catch (IllegalArgumentException | LinkageError e) {
      // A method of more than 64 KiB, or more constants than a class holds.
      throw ScriptErrors.compile(
          source,
          0,
          ErrorType.ILLEGAL_ARGUMENT,
          "the script is too large to be compiled: " + e.getMessage());
    }
  }

  private Constructor<?> compiled() {
    Tree.Script script = Parser.parse(source, unit.allowlist::isType);
    for (Tree.Function function : script.functions()) {
      if (function.body().statements().isEmpty()) {
        throw Extraneous.function(function.at(), function.name(), function.parameters().size());
      }
      declare(function);
    }
    if (script.statements().isEmpty()) {
      throw Extraneous.function(
          source.length(), "execute", unit.shape.execute().getParameterCount());
    }
    List<Unit.Signature> signatures = List.copyOf(unit.functions.values());
    for (Unit.Signature signature : signatures) {
      function(signature);
    }
    Frame main = new Frame(Type.of(unit.shape.execute().getReturnType()), null);
    Class<?>[] parameters = unit.shape.execute().getParameterTypes();
    List<ClassDesc> types = new ArrayList<>();
    for (int i = 0; i < parameters.length; i++) {
      main.parameter(unit.shape.parameters().get(i), Type.of(parameters[i]));
      types.add(Type.desc(parameters[i]));
    }
    Code body = Statements.body(unit, main, script.statements(), true);
    unit.methods.add(
        new Unit.Finished(
            "execute", MethodTypeDesc.of(main.returns.desc(), types), main, guarded(body)));
    return load();
  }

  private void declare(Tree.Function tree) {
    Type returns = type(tree.at(), tree.returns());
    List<Type> parameters = new ArrayList<>();
    for (Tree.Parameter parameter : tree.parameters()) {
      parameters.add(type(parameter.at(), String.valueOf(parameter.type())));
    }
    String key = tree.name() + "/" + parameters.size();
    Unit.Signature signature =
        new Unit.Signature(tree, returns, parameters, "function$" + unit.functions.size());
    if (unit.functions.putIfAbsent(key, signature) != null) {
      throw new SyntaxFault(tree.at(), "found duplicate function [" + key + "].");
    }
  }

  private Type type(int at, String name) {
    Type type = unit.allowlist.type(name);
    if (type == null) {
      throw new SyntaxFault(at, "cannot resolve type [" + name + "]");
    }
    return type;
  }

  private void function(Unit.Signature signature) {
    Frame frame = new Frame(signature.returns(), null);
    List<Tree.Parameter> parameters = signature.tree().parameters();
    for (int i = 0; i < parameters.size(); i++) {
      String name = parameters.get(i).name();
      if (frame.find(name) != null) {
        throw new SyntaxFault(parameters.get(i).at(), "variable [" + name + "] is already defined");
      }
      frame.parameter(name, signature.parameters().get(i));
    }
    Code body = Statements.body(unit, frame, signature.tree().body().statements(), false);
    unit.methods.add(new Unit.Finished(signature.method(), signature.desc(), frame, body));
  }

  /// Whatever escapes the script becomes an error of the script.
  private Code guarded(Code body) {
    return to -> {
      if (unit.isLimited) {
        to.aload(0).invokevirtual(unit.self, "begin", Expressions.NO_ARGUMENTS);
      }
      Label begin = to.newBoundLabel();
      to.nop();
      body.write(to);
      Label end = to.newBoundLabel();
      Label handler = to.newBoundLabel();
      to.exceptionCatch(begin, end, handler, CD_Throwable);
      // Loads the script below the error.
      to.aload(0)
          .swap()
          .invokevirtual(
              unit.self,
              "failed",
              MethodTypeDesc.of(Type.desc(RuntimeException.class), CD_Throwable))
          .athrow();
    };
  }

  private Constructor<?> load() {
    List<Pattern> patterns = unit.patterns.stream().map(Compiler::pattern).toList();
    byte[] bytes =
        ClassFile.of(
                ClassFile.ClassHierarchyResolverOption.of(
                    ClassHierarchyResolver.ofClassLoading(Compiler.class.getClassLoader())
                        .orElse(ClassHierarchyResolver.defaultResolver())))
            .build(unit.self, this::write);
    ScriptLoader loader = new ScriptLoader(source, unit.allowlist, unit.statements, patterns);
    return loader.define(Unit.CLASS_NAME, bytes).getConstructors()[0];
  }

  private void write(ClassBuilder to) {
    ClassDesc base = Type.desc(unit.shape.base());
    to.withSuperclass(base).withFlags(ClassFile.ACC_PUBLIC | ClassFile.ACC_FINAL);
    constructor(to, base);
    for (int i = 0; i < unit.patterns.size(); i++) {
      to.withField("pattern$" + i, CD_Pattern, ClassFile.ACC_STATIC);
    }
    if (!unit.patterns.isEmpty()) {
      to.withMethodBody("<clinit>", Expressions.NO_ARGUMENTS, ClassFile.ACC_STATIC, this::patterns);
    }
    for (Unit.Finished method : unit.methods) {
      method.frame().place();
      to.withMethodBody(
          method.name(), method.type(), ClassFile.ACC_PUBLIC, code -> method.code().write(code));
    }
  }

  private void constructor(ClassBuilder to, ClassDesc base) {
    Class<?>[] parameters = unit.shape.base().getDeclaredConstructors()[0].getParameterTypes();
    List<ClassDesc> types = new ArrayList<>();
    for (Class<?> parameter : parameters) {
      types.add(Type.desc(parameter));
    }
    MethodTypeDesc type = MethodTypeDesc.of(ConstantDescs.CD_void, types);
    to.withMethodBody(
        "<init>",
        type,
        ClassFile.ACC_PUBLIC,
        code -> {
          code.aload(0);
          int slot = 1;
          for (Class<?> parameter : parameters) {
            Type of = Type.of(parameter);
            code.loadLocal(of.kind(), slot);
            slot += of.kind().slotSize();
          }
          code.invokespecial(base, "<init>", type).return_();
        });
  }

  private static Pattern pattern(Tree.Regex regex) {
    try {
      return RegularExpressions.compile(regex.pattern(), flags(regex));
    } catch (PatternSyntaxException e) {
      throw new SyntaxFault(
          regex.at() + 1 + Math.max(0, e.getIndex()),
          "invalid regular expression: could not compile regex constant ["
              + regex.pattern()
              + "] with flags ["
              + regex.flags()
              + "]: "
              + e.getDescription());
    }
  }

  private void patterns(CodeBuilder to) {
    for (int i = 0; i < unit.patterns.size(); i++) {
      to.ldc(unit.self)
          .loadConstant(i)
          .invokestatic(
              Type.desc(ScriptLoader.class),
              "pattern",
              MethodTypeDesc.of(CD_Pattern, ConstantDescs.CD_Class, ConstantDescs.CD_int))
          .putstatic(unit.self, "pattern$" + i, CD_Pattern);
    }
    to.return_();
  }

  private static int flags(Tree.Regex regex) {
    int flags = 0;
    for (char c : regex.flags().toCharArray()) {
      flags |=
          switch (c) {
            case 'c' -> Pattern.CANON_EQ;
            case 'i' -> Pattern.CASE_INSENSITIVE;
            case 'l' -> Pattern.LITERAL;
            case 'm' -> Pattern.MULTILINE;
            case 's' -> Pattern.DOTALL;
            case 'U' -> Pattern.UNICODE_CHARACTER_CLASS;
            case 'u' -> Pattern.UNICODE_CASE;
            default -> Pattern.COMMENTS;
          };
    }
    return flags;
  }
}
