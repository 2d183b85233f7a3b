package dev.holdfast.node.training;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFile.StackMapsOption;
import java.lang.classfile.ClassFileVersion;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeTransform;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;

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
    Path made = jar.resolveSibling(jar.getFileName() + ".upgrade");
    int old = 0;
    try {
      try (InputStream file = Files.newInputStream(jar);
          ZipInputStream in = new ZipInputStream(file);
          OutputStream to = Files.newOutputStream(made);
          ZipOutputStream out = new ZipOutputStream(to)) {
        for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
          byte[] bytes = in.readAllBytes();
          boolean isOld = entry.getName().endsWith(".class") && isOld(bytes);
          old += isOld ? 1 : 0;
          ZipEntry same = new ZipEntry(entry.getName());
          same.setTime(entry.getTime());
          out.putNextEntry(same);
          out.write(isOld ? upgraded(bytes) : bytes);
          out.closeEntry();
        }
      }
      Files.move(made, jar, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(made);
    }
    return old;
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
