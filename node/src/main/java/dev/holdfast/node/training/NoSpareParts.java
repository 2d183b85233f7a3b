package dev.holdfast.node.training;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeModel;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.MethodModel;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;

/// Takes out of libraries what they prepare in each start and nobody here uses:
///
/// - The network's puts a second source of keys beside the JDK's own before it makes a context for
///   TLS, and prepares its curves. What that adds are private keys of older formats: nobody gives
///   the library any.
/// - For clients it makes two such contexts, and two more for clients that nobody has asked for.
///   Calls between nodes are not encrypted here.
/// - The client of S3 reads the list of public suffixes, ten thousand lines, to know whose cookies
///   it may keep. Stores set none, and the client asks the list for nothing else.
public final class NoSpareParts {
  private static final ClassDesc SUPPLIER = ClassDesc.of(Supplier.class.getName());

  private static final MethodTypeDesc GIVES = MethodTypeDesc.of(ConstantDescs.CD_Object);

  private static final MethodTypeDesc CALLS = MethodTypeDesc.of(ConstantDescs.CD_Object, SUPPLIER);

  private static final Map<String, List<ClassTransform>> CHANGES =
      Map.of(
          "com/linecorp/armeria/internal/common/util/MinifiedBouncyCastleProvider.class",
          List.of(
              body(
                  method -> isNamed(method, "call") && method.methodTypeSymbol().equals(CALLS),
                  code -> code.aload(0).invokeinterface(SUPPLIER, "get", GIVES).areturn())),
          "com/linecorp/armeria/client/BootstrapSslContexts.class",
          List.of(
              instead("getOrCreate", 2),
              body(method -> isNamed(method, "release"), code -> code.return_())),
          "org/apache/hc/client5/http/impl/CookieSpecSupport.class",
          List.of(instead("getDefault", 0)));

  private NoSpareParts() {}

  /// @param jars rewritten in place
  public static void main(String[] jars) throws IOException {
    for (String jar : jars) {
      int _ = leave(Path.of(jar));
    }
  }

  /// @return how many classes were changed
  static int leave(Path jar) throws IOException {
    return JarRewrite.apply(
        jar, (name, bytes) -> Optional.of(changed(bytes, CHANGES.getOrDefault(name, List.of()))));
  }

  private static byte[] changed(byte[] classFile, List<ClassTransform> changes) {
    ClassFile file = ClassFile.of();
    byte[] changed = classFile;
    for (ClassTransform change : changes) {
      changed = file.transformClass(file.parse(changed), change);
    }
    return changed;
  }

  private static boolean isNamed(MethodModel method, String name) {
    return method.methodName().equalsString(name);
  }

  /// Other code for a method.
  private static ClassTransform body(Predicate<MethodModel> isMeant, Consumer<CodeBuilder> body) {
    return ClassTransform.transformingMethods(
        isMeant,
        (method, element) -> {
          if (element instanceof CodeModel) {
            method.withCode(body);
          } else {
            method.with(element);
          }
        });
  }

  /// Nothing (null) instead of what a method gives, wherever it is called.
  ///
  /// @param values that it takes, with the object that it is called on
  private static ClassTransform instead(String called, int values) {
    CodeTransform nothing =
        (code, element) -> {
          if (element instanceof InvokeInstruction invoke && invoke.name().equalsString(called)) {
            for (int i = 0; i < values; i++) {
              code.pop();
            }
            code.aconst_null();
          } else {
            code.with(element);
          }
        };
    return ClassTransform.transformingMethodBodies(nothing);
  }
}
