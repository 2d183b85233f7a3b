package dev.holdfast.query.parse;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// A query or an aggregation that no test of this room names is one that nobody tests.
final class EveryKindIsTestedTest {
  @Test
  void everyQueryIsNamedByATest() throws IOException {
    assertThat(untested(Queries.reader().kinds().names())).isEmpty();
  }

  @Test
  void everyAggregationIsNamedByATest() throws IOException {
    assertThat(untested(Aggregations.names())).isEmpty();
  }

  private static List<String> untested(List<String> kinds) throws IOException {
    String tests;
    try (Stream<Path> files = Files.walk(Path.of("src/test/java"))) {
      tests =
          files
              .filter(file -> file.toString().endsWith(".java"))
              .map(EveryKindIsTestedTest::read)
              .collect(Collectors.joining());
    }
    return kinds.stream()
        .filter(kind ->
            Stream.of("'" + kind + "'", "\"" + kind + "\"", "\"" + kind + "\\\"")
                .noneMatch(tests::contains))
        .toList();
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
