package dev.holdfast.architecture;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class HouseTest {
  private static final Pattern ARROW =
      Pattern.compile("<artifactId>holdfast-([a-z-]+)</artifactId>");

  private static SourceTree tree;
  private static JavaClasses classes;

  @BeforeAll
  static void read() throws IOException {
    tree = SourceTree.read(SourceTree.rootOf(Path.of("")));
    classes =
        new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("dev.holdfast");
  }

  @Test
  void everyModuleIsLookedAt() {
    // given the packages that the sources have
    SortedSet<String> ofSources = new TreeSet<>();
    House.of(tree).shelves().forEach(shelf -> ofSources.add(shelf.packageName()));

    // when the classes that are checked are read
    SortedSet<String> ofClasses =
        classes.stream()
            .map(JavaClass::getPackageName)
            .collect(Collectors.toCollection(TreeSet::new));

    // then none is missing
    assertThat(ofClasses).containsAll(ofSources);
  }

  @Test
  void noPackagesGoInCircles() {
    slices().matching("dev.holdfast.(**)").should().beFreeOfCycles().check(classes);
    assertThat(House.of(tree).cycles()).isEmpty();
  }

  @Test
  void packagesHaveRoom() {
    SortedMap<String, Integer> files = new TreeMap<>();
    for (SourceFile file : tree.files()) {
      files.merge(
          file.module() + (file.isTest() ? " tests " : " ") + file.packageName(), 1, Integer::sum);
    }
    files.values().removeIf(count -> count <= House.FILES_MAX);
    assertThat(files).as("packages above %d files", House.FILES_MAX).isEmpty();
  }

  @Test
  void filesAreShort() {
    assertThat(
            tree.files().stream()
                .filter(file -> file.lines() > House.LINES_MAX)
                .map(file -> file.packageName() + "." + file.name() + ": " + file.lines()))
        .as("files above %d lines", House.LINES_MAX)
        .isEmpty();
  }

  @Test
  void noTwoFilesShareAName() {
    SortedMap<String, List<String>> byName = new TreeMap<>();
    for (SourceFile file : tree.files()) {
      if (!file.name().equals("package-info")) {
        byName.merge(
            file.name(),
            List.of(file.packageName()),
            (one, other) -> java.util.stream.Stream.concat(one.stream(), other.stream()).toList());
      }
    }
    byName.values().removeIf(packages -> packages.size() == 1);
    assertThat(byName).isEmpty();
  }

  @Test
  void everyPackageSaysWhatItIsFor() {
    SortedSet<String> silent = new TreeSet<>();
    tree.files().stream()
        .filter(file -> !file.isTest())
        .forEach(file -> silent.add(file.packageName()));
    tree.files().stream()
        .filter(file -> file.name().equals("package-info"))
        .forEach(file -> silent.remove(file.packageName()));
    assertThat(silent).isEmpty();
  }

  @Test
  void modulesUseWhatWasAgreed() throws IOException {
    // given who may use whom
    SortedSet<String> agreed = new TreeSet<>();
    try (InputStream arrows = HouseTest.class.getResourceAsStream("arrows.txt")) {
      String text =
          new String(Objects.requireNonNull(arrows).readAllBytes(), StandardCharsets.UTF_8);
      text.lines().filter(line -> !line.isBlank() && !line.startsWith("#")).forEach(agreed::add);
    }

    // when the modules' dependencies are read
    SortedSet<String> arrows = new TreeSet<>();
    for (String module : tree.modules()) {
      Matcher arrow =
          ARROW.matcher(Files.readString(tree.root().resolve(module).resolve("pom.xml")));
      while (arrow.find()) {
        if (!arrow.group(1).equals(module)) {
          arrows.add(module + " -> " + arrow.group(1));
        }
      }
    }

    // then there are these, and none goes to a module below
    assertThat(arrows).isEqualTo(agreed);
    assertThat(arrows)
        .allSatisfy(arrow -> {
          String[] ends = arrow.split(" -> ");
          assertThat(tree.modules().indexOf(ends[1]))
              .as(arrow)
              .isLessThan(tree.modules().indexOf(ends[0]));
        });
  }

  @Test
  void theTiersDoNotKnowEachOther() {
    assertThat(Arrays.asList("indexing", "search"))
        .allSatisfy(tier ->
            assertThat(House.of(tree).shelves())
                .filteredOn(shelf -> shelf.packageName().startsWith("dev.holdfast." + tier))
                .flatExtracting(shelf -> List.copyOf(shelf.uses()))
                .noneMatch(used ->
                    used.toString().matches("dev\\.holdfast\\.(indexing|search)(\\..*)?")
                        && !used.toString().startsWith("dev.holdfast." + tier)));
  }
}
