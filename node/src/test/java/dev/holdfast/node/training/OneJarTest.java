package dev.holdfast.node.training;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class OneJarTest {
  private static final String MULTI_RELEASE = "Manifest-Version: 1.0\nMulti-Release: true\n";
  private static final String PLAIN = "Manifest-Version: 1.0\n";

  @TempDir private Path folder = Path.of("");

  private Path jar(String name, String manifest, Map<String, String> entries) throws Exception {
    Path path = folder.resolve(name);
    try (OutputStream file = Files.newOutputStream(path);
        ZipOutputStream out = new ZipOutputStream(file)) {
      Map<String, String> all = new TreeMap<>(entries);
      all.put("META-INF/MANIFEST.MF", manifest);
      for (Map.Entry<String, String> entry : all.entrySet()) {
        ZipEntry made = new ZipEntry(entry.getKey());
        made.setTime(1_764_000_000_000L);
        out.putNextEntry(made);
        out.write(entry.getValue().getBytes(UTF_8));
        out.closeEntry();
      }
    }
    return path;
  }

  private static Set<String> names(Path path) throws Exception {
    try (JarFile jar = new JarFile(path.toFile())) {
      return jar.stream().map(ZipEntry::getName).collect(Collectors.toSet());
    }
  }

  private static Map<String, String> read(Path path, Predicate<String> isWanted) throws Exception {
    Map<String, String> entries = new TreeMap<>();
    try (JarFile jar = new JarFile(path.toFile())) {
      for (JarEntry entry : Collections.list(jar.entries())) {
        if (isWanted.test(entry.getName())) {
          byte[] bytes = jar.getInputStream(entry).readAllBytes();
          entries.put(entry.getName(), new String(bytes, ISO_8859_1));
        }
      }
    }
    return entries;
  }

  @Test
  void theFirstOfANameCountsListsArePutTogetherAndVersionsAreChosen() throws Exception {
    Path first =
        jar(
            "a-1.jar",
            PLAIN,
            Map.of(
                "a/", "",
                "a/A.class", "first",
                "META-INF/services/x.Y", "a.A", // without an end of line
                "META-INF/LICENSE", "of a",
                "META-INF/SIGNED.SF", "of a",
                "META-INF/SIGNED.RSA", "of a",
                "META-INF/versions/11/a/A.class", "never read: no jar of releases",
                "module-info.class", "of a"));
    Path second =
        jar(
            "b-2.jar",
            MULTI_RELEASE,
            Map.of(
                "a/A.class", "second",
                "b/License.class", "b",
                "META-INF/services/x.Y", "b.B\n",
                "META-INF/license/LICENSE.c.txt", "of c in b",
                "NOTICE", "of b",
                "b/B.class", "b",
                "META-INF/versions/11/b/B.class", "b of 11",
                "META-INF/versions/99/b/B.class", "b of 99",
                "META-INF/versions/11/b/New.class", "new in 11",
                "META-INF/versions/9/module-info.class", "of b"));

    OneJar.make(List.of(second, first));

    assertThat(first).doesNotExist();
    assertThat(Files.list(folder)).containsExactly(second);
    Map<String, String> entries = read(second, _ -> true);
    assertThat(entries.remove("META-INF/MANIFEST.MF")).doesNotContain("Multi-Release");
    assertThat(entries)
        .isEqualTo(
            Map.of(
                "a/A.class", "second",
                "b/License.class", "b",
                "META-INF/services/x.Y", "b.B\n\na.A\n",
                "META-INF/jars/a-1/LICENSE", "of a",
                "META-INF/jars/b-2/license/LICENSE.c.txt", "of c in b",
                "META-INF/jars/b-2/NOTICE", "of b",
                "b/B.class", "b of 11",
                "b/New.class", "new in 11"));
  }

  @Test
  void ofTheSameJarsTheSameIsMade() throws Exception {
    List<byte[]> made = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      Path first = jar("a.jar", PLAIN, Map.of("a/A.class", "a", "META-INF/services/x.Y", "a.A"));
      Path second = jar("b.jar", PLAIN, Map.of("META-INF/services/x.Y", "b.B"));
      OneJar.make(List.of(first, second));
      made.add(Files.readAllBytes(first));
    }
    assertThat(made.get(0)).isEqualTo(made.get(1));
  }

  /// Libraries that come later may have what nobody has thought of: a list by another name, of
  /// which only the first would be read.
  @Test
  void nothingOfTheClassPathIsLostButWhatIsMeantToBe() throws Exception {
    Map<String, Integer> times = new TreeMap<>();
    List<Path> jars = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      if (entry.endsWith(".jar") && Files.exists(Path.of(entry))) {
        Path copy = folder.resolve(jars.size() + "-" + Path.of(entry).getFileName());
        jars.add(Files.copy(Path.of(entry), copy));
        names(copy).forEach(name -> times.merge(name, 1, Integer::sum));
      }
    }
    Map<String, Set<String>> texts = new TreeMap<>();
    for (Path jar : jars) {
      read(jar, name -> times.getOrDefault(name, 0) > 1)
          .forEach((name, text) -> texts.computeIfAbsent(name, _ -> new TreeSet<>()).add(text));
    }

    OneJar.make(jars);

    Set<String> classes = new TreeSet<>(times.keySet());
    classes.removeIf(name -> !name.endsWith(".class") || name.endsWith("module-info.class"));
    classes.removeIf(name -> name.startsWith("META-INF/versions/")); // the test above
    classes.removeAll(names(jars.getFirst()));
    assertThat(classes).isEmpty();
    Set<String> differing = new TreeSet<>();
    read(jars.getFirst(), texts::containsKey)
        .forEach((name, text) -> {
          if (!texts.getOrDefault(name, Set.of()).stream().allMatch(text::contains)) {
            differing.add(name);
          }
        });
    differing.removeIf(OneJarTest::isReadByNobody);
    assertThat(differing).isEmpty();
  }

  private static boolean isReadByNobody(String name) {
    return name.equals("META-INF/MANIFEST.MF")
        || name.startsWith("META-INF/maven/")
        || name.startsWith("META-INF/proguard/")
        || name.startsWith("META-INF/native/include/")
        || name.startsWith("META-INF/native/lib/") // to be linked by compilers
        || name.endsWith("OSGI-INF/MANIFEST.MF");
  }
}
