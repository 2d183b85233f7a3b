package dev.holdfast.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DocumentsTest {
  /// A class, after its package or not: `translog.NodeLog`, `TiersTest`.
  private static final Pattern CLASS =
      Pattern.compile("`((?:[a-z][a-z0-9]*\\.)*)([A-Z][a-z]\\w*)(?:[.#]\\w+)?`");

  /// A package below `dev.holdfast`, with a dot in it: `compoundcommit.notice`.
  private static final Pattern PACKAGE = Pattern.compile("`([a-z]+(?:\\.[a-z]+)+)`");

  /// What a measurement says of itself.
  private static final Pattern BENCHMARK = Pattern.compile("`\\./holdfast benchmark ([a-z0-9-]+)`");

  @ParameterizedTest
  @ValueSource(
      strings = {"docs/guarantees.md", "docs/paper.md", "docs/paths.md", "CONTRIBUTING.md"})
  void documentsNameOnlyWhatExists(String document) throws IOException {
    // given the classes and packages that there are
    SourceTree tree = SourceTree.read(SourceTree.rootOf(Path.of("")));
    SortedSet<String> names = new TreeSet<>();
    for (SourceFile file : tree.files()) {
      names.add(file.name());
      for (String at = file.packageName();
          at.contains(".");
          at = at.substring(at.indexOf('.') + 1)) {
        names.add(at);
        names.add(at + "." + file.name());
      }
      names.add(
          file.packageName().substring(file.packageName().lastIndexOf('.') + 1)
              + "."
              + file.name());
    }

    // when a document is read
    String text = Files.readString(tree.root().resolve(document));
    SortedSet<String> unknown = new TreeSet<>();
    Matcher named = CLASS.matcher(text);
    while (named.find()) {
      String name = named.group(1) + named.group(2);
      if (!names.contains(name) && !isOfTheJdk(name)) {
        unknown.add(name);
      }
    }
    Matcher packages = PACKAGE.matcher(text);
    while (packages.find()) {
      if (!names.contains(packages.group(1))
          && !Files.exists(tree.root().resolve(packages.group(1)))
          && !packages.group(1).endsWith(".grammar")) {
        unknown.add(packages.group(1));
      }
    }

    // then everything it names exists
    assertThat(unknown).isEmpty();
  }

  /// Who asks `./holdfast` what it can do finds every measurement, and no other.
  @Test
  void theHelpNamesTheBenchmarksThatThereAre() throws IOException {
    // given what the sources say that they are
    SourceTree tree = SourceTree.read(SourceTree.rootOf(Path.of("")));
    SortedSet<String> names = new TreeSet<>();
    try (Stream<Path> files = Files.walk(tree.root().resolve("benchmark/src/main"))) {
      for (Path file : files.filter(one -> one.toString().endsWith(".java")).toList()) {
        Matcher named = BENCHMARK.matcher(Files.readString(file));
        while (named.find()) {
          names.add(named.group(1));
        }
      }
    }

    // when the help is read
    String help = Files.readString(tree.root().resolve("holdfast"));
    int from = help.indexOf("measure: ") + "measure: ".length();
    String listed = help.substring(from, help.indexOf("./holdfast simulate", from));

    // then it lists them
    assertThat(listed.strip().split("[,\\s]+")).containsExactlyInAnyOrderElementsOf(names);
  }

  /// A write reaches Lucene and the log in 20 files, a search its answer in 25.
  @Test
  void pathsStayShort() throws IOException {
    String text =
        Files.readString(
            SourceTree.read(SourceTree.rootOf(Path.of(""))).root().resolve("docs/paths.md"));
    String[] parts = text.split("\n## Search");
    assertThat(parts).hasSize(2);
    assertThat(rows(parts[0])).isBetween(15L, 20L);
    assertThat(rows(parts[1])).isBetween(15L, 25L);
  }

  private static long rows(String table) {
    return table.lines().filter(line -> line.matches("\\| \\d+ \\|.*")).count();
  }

  private static boolean isOfTheJdk(String name) {
    try {
      return Class.forName("java.lang." + name) != null;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }
}
