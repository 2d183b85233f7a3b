package dev.holdfast.node.training;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFile.StackMapsOption;
import java.lang.classfile.ClassFileVersion;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeTransform;
import java.nio.file.Path;
import java.util.Optional;

/// Gives classes of a library that were compiled for Java 5 the format of Java 8, with stack maps:
/// the start-up cache of the Java machine takes no older ones, and to load them from the jar and to
/// verify them as of old takes a tenth of a start. Their code stays as it is.
public final class ClassFileUpgrade {
  private static final ClassFile CLASS_FILE = ClassFile.of(StackMapsOption.GENERATE_STACK_MAPS);

  private ClassFileUpgrade() {}

  /// @param jars rewritten in place; all that they extend must be on the class path
  public static void main(String[] jars) throws IOException {
    for (String jar : jars) {
      upgrade(Path.of(jar));
    }
  }

  /// @return how many classes were old
  static int upgrade(Path jar) throws IOException {
    return JarRewrite.apply(
        jar,
        (name, bytes) ->
            Optional.of(name.endsWith(".class") && isOld(bytes) ? upgraded(bytes) : bytes));
  }

  /// Whether it is older than stack maps are.
  static boolean isOld(byte[] classFile) {
    return CLASS_FILE.parse(classFile).majorVersion() < ClassFile.JAVA_7_VERSION;
  }

  static byte[] upgraded(byte[] classFile) {
    ClassModel old = CLASS_FILE.parse(classFile);
    ClassTransform version =
        (builder, element) -> {
          if (element instanceof ClassFileVersion) {
            builder.withVersion(ClassFile.JAVA_8_VERSION, 0);
          } else {
            builder.with(element);
          }
        };
    return CLASS_FILE.transformClass(
        old, version.andThen(ClassTransform.transformingMethodBodies(CodeTransform.ACCEPT_ALL)));
  }
}
