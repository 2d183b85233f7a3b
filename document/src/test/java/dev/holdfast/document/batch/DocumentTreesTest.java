package dev.holdfast.document.batch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.document.BatchBuilder.Outcome;
import dev.holdfast.document.MappedTestIndex;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Reservation;
import dev.holdfast.world.WorkMemory;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Documents that must be trees for a moment before they are written.
final class DocumentTreesTest {
  private static final long LITTLE = 2 << 20;
  private static final long MUCH = 64 << 20;

  private static Outcome add(String mapping, String document, long bytesMax) throws IOException {
    try (MappedTestIndex index = new MappedTestIndex(mapping)) {
      return WorkMemory.<Outcome, IOException>during(
          Reservation.of(bytesMax), () -> index.add(document));
    }
  }

  /// A new field; sources that are kept in part; shapes.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\'',
      value = {
        "{\"properties\":{\"o\":{\"type\":\"object\"}}} | {\"new\":1,\"o\":%s} | {},",
        "{\"dynamic\":false,\"_source\":{\"excludes\":[\"x\"]}} | {\"o\":%s} | {},",
        "{\"properties\":{\"p\":{\"type\":\"geo_shape\"}}} |"
            + " {\"p\":{\"type\":\"multipoint\",\"coordinates\":%s}} | '[1,2],'",
      })
  void askForTheTree(String mapping, String form, String element) throws IOException {
    String list = element.repeat(50_000);
    String document = form.formatted("[" + list.substring(0, list.length() - 1) + "]");

    Outcome refused = add(mapping, document, LITTLE);

    assertThat(refused)
        .isInstanceOfSatisfying(
            Outcome.Refused.class,
            one -> assertThat(one.refusal().type()).isEqualTo(ErrorType.CIRCUIT_BREAKING));
    assertThat(add(mapping, document, MUCH)).isInstanceOf(Outcome.Added.class);
  }

  /// Whatever is done about malformed values: there was no memory, and the value is a shape.
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shapesAskForTheirTriangles(boolean ignoresMalformed) throws IOException {
    String mapping =
        "{\"properties\":{\"p\":{\"type\":\"geo_shape\",\"ignore_malformed\":"
            + ignoresMalformed
            + "}}}";
    StringBuilder line = new StringBuilder("LINESTRING (0 0");
    for (int i = 0; i < 20_000; i++) {
      line.append(", ").append(i % 90).append(' ').append(i % 45);
    }
    String document = "{\"p\":\"" + line + ")\"}";

    assertThat(add(mapping, document, LITTLE))
        .isInstanceOfSatisfying(
            Outcome.Refused.class,
            one -> assertThat(one.refusal().type()).isEqualTo(ErrorType.CIRCUIT_BREAKING));
    assertThat(add(mapping, document, MUCH)).isInstanceOf(Outcome.Added.class);
  }

  @Test
  void largeValuesThatAreRefusedAreNotCopiedForTheirPreview() throws IOException {
    String list = "[" + "{},".repeat(50_000) + "{}]";
    String mapping = "{\"properties\":{\"p\":{\"type\":\"dense_vector\",\"dims\":2}}}";

    Outcome outcome = add(mapping, "{\"p\":" + list + "}", MUCH);

    assertThat(outcome)
        .isInstanceOfSatisfying(
            Outcome.Refused.class,
            one -> assertThat(one.refusal().reason()).endsWith("field's value: '[…]'"));
  }
}
