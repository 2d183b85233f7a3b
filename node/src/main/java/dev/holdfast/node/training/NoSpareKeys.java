package dev.holdfast.node.training;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeModel;
import java.lang.classfile.MethodModel;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Supplier;

/// Takes a second source of keys out of the network library. The library puts it beside the JDK's
/// own before it makes a context for TLS, and it makes two whether anybody uses TLS or not; to
/// prepare its curves takes a tenth of a start. What it adds are private keys of older formats:
/// nobody gives the library any, since calls between nodes and those of clients are not encrypted
/// here.
public final class NoSpareKeys {
  private static final String PROVIDER =
      "com/linecorp/armeria/internal/common/util/MinifiedBouncyCastleProvider.class";

  private static final ClassDesc SUPPLIER = ClassDesc.of(Supplier.class.getName());

  private static final MethodTypeDesc GIVES = MethodTypeDesc.of(ConstantDescs.CD_Object);

  private static final MethodTypeDesc CALLS = MethodTypeDesc.of(ConstantDescs.CD_Object, SUPPLIER);

  private NoSpareKeys() {}

  /// @param jars rewritten in place
  public static void main(String[] jars) throws IOException {
    for (String jar : jars) {
      int _ = leave(Path.of(jar));
    }
  }

  /// @return how many classes were changed
  static int leave(Path jar) throws IOException {
    return JarRewrite.apply(
        jar, (name, bytes) -> Optional.of(name.equals(PROVIDER) ? changed(bytes) : bytes));
  }

  /// What is called with the provider in place is called without it.
  private static byte[] changed(byte[] classFile) {
    ClassFile file = ClassFile.of();
    return file.transformClass(
        file.parse(classFile),
        ClassTransform.transformingMethods(
            NoSpareKeys::isCall,
            (method, element) -> {
              if (element instanceof CodeModel) {
                method.withCode(
                    code -> code.aload(0).invokeinterface(SUPPLIER, "get", GIVES).areturn());
              } else {
                method.with(element);
              }
            }));
  }

  private static boolean isCall(MethodModel method) {
    return method.methodName().equalsString("call") && method.methodTypeSymbol().equals(CALLS);
  }
}
