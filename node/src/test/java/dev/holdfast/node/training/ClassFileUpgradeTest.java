package dev.holdfast.node.training;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

final class ClassFileUpgradeTest {
  @TempDir private Path folder = Path.of("");

  private Path copy() throws Exception {
    Path jar =
        Path.of(CommandLine.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    return Files.copy(jar, folder.resolve("picocli.jar"));
  }

  /// Should it fail, the library needs no upgrade any more.
  @Test
  void theCommandLineLibraryIsCompiledForJava5() throws Exception {
    assertThat(ClassFileUpgrade.upgrade(copy())).isGreaterThan(100);
  }

  @Test
  void whatWasUpgradedIsNotOldAnyMore() throws Exception {
    Path jar = copy();
    ClassFileUpgrade.upgrade(jar);
    assertThat(ClassFileUpgrade.upgrade(jar)).isZero();
  }

  @Test
  void everyUpgradedClassPassesTheVerifierAndWorks() throws Exception {
    Path jar = copy();
    ClassFileUpgrade.upgrade(jar);
    try (JarFile entries = new JarFile(jar.toFile());
        URLClassLoader alone =
            new URLClassLoader(
                new URL[] {jar.toUri().toURL()}, ClassLoader.getPlatformClassLoader())) {
      int initialized = 0;
      for (JarEntry entry : entries.stream().toList()) {
        String name = entry.getName();
        if (!name.endsWith(".class") || name.contains("-")) {
          continue; // module-info and its like
        }
        try (InputStream in = entries.getInputStream(entry)) {
          assertThat(ClassFileUpgrade.isOld(in.readAllBytes())).as(name).isFalse();
        }
        String className = name.substring(0, name.length() - ".class".length()).replace('/', '.');
        if (!className.contains("groovy") && !className.contains("Jansi")) {
          Class.forName(className, true, alone);
          initialized++;
        }
      }
      assertThat(initialized).isGreaterThan(100);
      Class<?> model = alone.loadClass("picocli.CommandLine$Model$CommandSpec");
      Object spec = model.getMethod("create").invoke(null);
      Object line =
          alone.loadClass("picocli.CommandLine").getConstructor(Object.class).newInstance(spec);
      Object usage = line.getClass().getMethod("getUsageMessage").invoke(line);
      assertThat(usage).asString().startsWith("Usage:");
    }
  }
}
