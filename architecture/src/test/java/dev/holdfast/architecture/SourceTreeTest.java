package dev.holdfast.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SourceTreeTest {
  @TempDir private Path root;

  @Test
  void circlesAreFoundThroughOtherPackages() throws IOException {
    // given a checkout in which a uses b, b uses c, c uses a, and d uses a
    Files.writeString(root.resolve("pom.xml"), "<modules><module>room</module></modules>");
    write("a", "dev.holdfast.b.B");
    write("b", "dev.holdfast.c.C");
    write("c", "dev.holdfast.a.A");
    write("d", "dev.holdfast.a.A");

    // when the house is read
    House house = House.of(SourceTree.read(root));

    // then the first three are a cycle, and the drawing says so
    assertThat(house.cycles()).hasSize(1);
    assertThat(house.cycles().getFirst())
        .containsExactly("dev.holdfast.a", "dev.holdfast.b", "dev.holdfast.c");
    assertThat(new Drawing(house).text())
        .contains("4 files in 4 packages", "3 packages in 1 cycles")
        .containsPattern("dev.holdfast.a .*CYCLIC")
        .doesNotContainPattern("dev.holdfast.d .*CYCLIC");
    assertThat(new Drawing(house).svg()).startsWith("<svg").contains("dev.holdfast.d uses");
  }

  private void write(String name, String used) throws IOException {
    Path folder =
        Files.createDirectories(root.resolve("room/src/main/java/dev/holdfast").resolve(name));
    Files.writeString(
        folder.resolve(name + ".java"),
        "package dev.holdfast." + name + ";\nimport " + used + ";\n");
  }
}
