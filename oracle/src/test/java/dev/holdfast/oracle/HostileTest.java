package dev.holdfast.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HostileTest {
  @TempDir Path folder;

  @Test
  void thereAreTwoHundredKindsAndEachIsARequest() {
    Grammar grammar = new Grammar();
    grammar.read("hostile");
    grammar.verify(Set.of());
    assertThat(Hostile.kinds()).hasSizeGreaterThanOrEqualTo(200).doesNotHaveDuplicates();
    for (String kind : Hostile.kinds()) {
      OracleRequest request =
          OracleRequest.steps(grammar.draw(kind, Map.of(), new Random(1))).getFirst();
      assertThat(request.path()).as(kind).startsWith("/").doesNotContain(" ");
      assertThat(request.body()).as(kind).hasSizeLessThan(64 << 20);
    }
  }

  @Test
  void whatIsNestedClosesAsOftenAsItOpens() {
    StringBuilder drawn = new StringBuilder();
    TemplateParser.parse("<~3..3 [~<1..1>~]>").draw(_ -> null, new Random(1), drawn, 0);
    assertThat(drawn).hasToString("[[[1]]]");
  }

  /// A run against a real node.
  @Test
  void aNodeBearsSomeOfEach() throws Exception {
    StringWriter said = new StringWriter();
    try (OracleTestNode node = OracleTestNode.start(folder)) {
      int _ =
          Hostile.run(
              new PrintWriter(said, true),
              "--url=" + node.url(),
              "--requests=40",
              "--documents=500",
              "--alone=1",
              "--clients=2",
              "--only=_deep|_garbage|terms_all");
    }
    assertThat(said.toString())
        .contains("40 hostile requests", "others beside:")
        .doesNotContain("status 5", "the node is dead", "does not answer");
  }
}
