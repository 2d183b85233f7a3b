package dev.holdfast.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.holdfast.world.Sleeper;
import dev.holdfast.world.concurrent.Await;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// Time passes in one place only. The JDK's own timed waits are refused by the build (signatures in
/// the parent's `pom.xml`); these tests look after the world's.
class WaitsTest {
  /// Programs around the product, which have waits of their own.
  private static final String OUTSIDE =
      "dev\\.holdfast\\.(simulation|chaos|benchmark|oracle)(\\..*)?";

  private static JavaClasses classes;

  @BeforeAll
  static void read() {
    classes =
        new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("dev.holdfast");
  }

  @Test
  void nobodySleepsPastAwait() {
    assertThat(callers(Sleeper.class, "sleep")).containsExactly(Await.class.getName());
  }

  @Test
  void whoPausesHasAReason() throws IOException {
    // given the list
    SortedSet<String> listed = new TreeSet<>();
    try (InputStream pauses = WaitsTest.class.getResourceAsStream("pauses.txt")) {
      String text =
          new String(Objects.requireNonNull(pauses).readAllBytes(), StandardCharsets.UTF_8);
      text.lines()
          .filter(line -> !line.isBlank() && !line.startsWith("#"))
          .forEach(line -> {
            String[] parts = line.split(" \\| ", 2);
            assertThat(parts).as(line).hasSize(2);
            assertThat(parts[1]).as(line).isNotBlank();
            listed.add(parts[0]);
          });
    }

    // when the classes are read, then they are the same: none without a reason, no reason too many
    SortedSet<String> callers = callers(Await.class, "pause");
    callers.removeIf(name -> name.startsWith("dev.holdfast.world."));
    assertThat(callers).isEqualTo(listed);
  }

  /// The files of the product that call a method.
  private static SortedSet<String> callers(Class<?> of, String method) {
    SortedSet<String> callers = new TreeSet<>();
    for (JavaClass from : classes) {
      if (!from.getPackageName().matches(OUTSIDE)) {
        from.getAccessesFromSelf().stream()
            .filter(access -> isTo(access, of, method))
            .forEach(_ -> callers.add(outermost(from)));
      }
    }
    return callers;
  }

  private static boolean isTo(JavaAccess<?> access, Class<?> of, String method) {
    return access.getTarget().getName().equals(method)
        && access.getTargetOwner().isAssignableTo(of);
  }

  private static String outermost(JavaClass nested) {
    return nested.getEnclosingClass().map(WaitsTest::outermost).orElse(nested.getName());
  }
}
