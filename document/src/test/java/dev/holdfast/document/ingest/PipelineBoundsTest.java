package dev.holdfast.document.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.document.ingest.processor.Processors;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.Reservation;
import dev.holdfast.world.StopSignal;
import dev.holdfast.world.WorkMemory;
import dev.holdfast.world.real.RealWorld;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What a document may cost on its way through pipelines.
final class PipelineBoundsTest {
  private static final long LITTLE = 4 << 20;
  private static final long MUCH = 1L << 30;

  private final PipelineParser parser =
      new PipelineParser(Processors.all(), _ -> null, RealWorld.create().clock());

  private void run(String processor, ObjectNode source, long bytesMax) {
    IngestPipeline pipeline =
        parser.pipeline("p", Json.parseObject("{\"processors\":[" + processor + "]}"));
    ObjectNode metadata = Json.object().put("_index", "i").put("_version", 1);
    IngestDocument document = new IngestDocument(source, metadata, "2020-01-01T00:00:00.000Z");
    boolean _ =
        WorkMemory.<Boolean, RuntimeException>during(
            Reservation.of(bytesMax),
            () -> {
              pipeline.run(document);
              return true;
            });
  }

  private Refusal refusal(String processor, ObjectNode source, long bytesMax) {
    return catchThrowableOfType(Refusal.class, () -> run(processor, source, bytesMax));
  }

  @Test
  void whatRedactPutsInPlaceOfAFewLettersIsBounded() {
    String processor =
        "{\"redact\":{\"field\":\"a\",\"patterns\":[\"%{X:"
            + "n".repeat(9_000)
            + "}\"],"
            + "\"pattern_definitions\":{\"X\":\"x\"}}}";

    Refusal tooLong = refusal(processor, Json.object().put("a", "x ".repeat(2_000)), MUCH);
    Refusal tooMuch = refusal(processor, Json.object().put("a", "x ".repeat(900)), LITTLE);

    assertThat(tooLong.reason()).contains("the text becomes more than");
    assertThat(tooMuch.type()).isEqualTo(ErrorType.CIRCUIT_BREAKING);
    run(processor, Json.object().put("a", "x x"), LITTLE);
  }

  @Test
  void thePartsThatRedactFindsAreAskedFor() {
    String processor = "{\"redact\":{\"field\":\"a\",\"patterns\":[\"(?<n>x)\"]}}";
    String text = "x".repeat(200_000);

    Refusal tooMuch = refusal(processor, Json.object().put("a", text), LITTLE);

    assertThat(tooMuch.type()).isEqualTo(ErrorType.CIRCUIT_BREAKING);
    run(processor, Json.object().put("a", text), MUCH);
  }

  private static ObjectNode numbers(int count) {
    ObjectNode source = Json.object();
    ArrayNode list = source.putArray("n");
    for (int i = 0; i < count; i++) {
      list.add(i);
    }
    return source;
  }

  /// A text of a template is a new one for each value that is filled in.
  @Test
  void theTextOfATemplateCountsEachTime() {
    String processor =
        "{\"foreach\":{\"field\":\"n\",\"processor\":{\"set\":{\"field\":\"_ingest._value\","
            + "\"value\":\""
            + "t".repeat(10_000)
            + "{{_ingest._value}}\"}}}}";

    Refusal tooMuch = refusal(processor, numbers(1_000), LITTLE);

    assertThat(tooMuch.type()).isEqualTo(ErrorType.CIRCUIT_BREAKING);
    run(processor, numbers(20), LITTLE);
  }

  @Test
  void aTextOfManyEmptyObjectsCountsAsItsTree() {
    String processor = "{\"json\":{\"field\":\"a\"}}";
    String text = "[" + "{},".repeat(100_000) + "{}]";

    Refusal tooMuch = refusal(processor, Json.object().put("a", text), 2 * LITTLE);

    assertThat(tooMuch.type()).isEqualTo(ErrorType.CIRCUIT_BREAKING);
    run(processor, Json.object().put("a", text), MUCH);
  }

  private static ObjectNode emptyObjects(int count) {
    ObjectNode source = Json.object();
    ArrayNode list = source.putArray("o");
    for (int i = 0; i < count; i++) {
      list.addObject();
    }
    return source;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"script\":{\"source\":\"ctx.a = 1\"}}",
        "{\"set\":{\"if\":\"ctx.b == null\",\"field\":\"a\",\"value\":1}}"
      })
  void scriptsAskForTheirCopiesOfADocumentAndGiveThemBack(String processor) {
    Refusal tooMuch = refusal(processor, emptyObjects(50_000), LITTLE / 2);

    assertThat(tooMuch.type()).isEqualTo(ErrorType.CIRCUIT_BREAKING);
    run(processor, emptyObjects(50_000), 8 * LITTLE);
    run(processor + (',' + processor).repeat(9), emptyObjects(50_000), 8 * LITTLE);
    run(processor, emptyObjects(10), 1);
  }

  /// Each key was compared with each other one.
  @Test
  void aDissectPatternOfManyKeysIsReadInOnePass() {
    StringBuilder pattern = new StringBuilder();
    for (int i = 0; i < 40_000; i++) {
      pattern.append("%{key").append(i).append('}');
    }
    ObjectNode source = Json.object().put("a", "x");

    run("{\"dissect\":{\"field\":\"a\",\"pattern\":\"" + pattern + "\"}}", source, MUCH);

    assertThat(source).hasSize(40_001);
    assertThat(source.path("key0").asText()).isEqualTo("x");
  }

  @Test
  void keysAndValuesOfDissectBelongTogetherByName() {
    ObjectNode source = Json.object().put("a", "k=v,l=w");
    run("{\"dissect\":{\"field\":\"a\",\"pattern\":\"%{*1}=%{&1},%{*2}=%{&2}\"}}", source, LITTLE);

    assertThat(source.path("k").asText() + source.path("l").asText()).isEqualTo("vw");
    for (String wrong : List.of("%{*1}=%{&2}", "%{*1}=%{&1},%{&1}", "%{*1},%{*1}=%{&1}", "%{&1}")) {
      assertThat(
              refusal(
                      "{\"dissect\":{\"field\":\"a\",\"pattern\":\"" + wrong + "\"}}",
                      Json.object(),
                      LITTLE)
                  .reason())
          .contains("Found invalid key/reference associations: '1'");
    }
  }

  /// A number that no double holds has no decimal value, and was an error of the machine.
  @Test
  void infiniteNumbersAreSorted() {
    ObjectNode source = Json.parseObject("{\"a\":[2,1e999,-1e999,1.5,1e999]}");

    run("{\"sort\":{\"field\":\"a\"}}", source, LITTLE);

    assertThat(source.path("a").valueStream().mapToDouble(JsonNode::doubleValue))
        .containsExactly(
            Double.NEGATIVE_INFINITY, 1.5, 2.0, Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY);
  }

  /// Each of thirty pipelines calls the next one twice.
  @ParameterizedTest
  @ValueSource(strings = {"\"ignore_failure\":true", "\"on_failure\":[{\"drop\":{}}]"})
  void pipelinesThatNeverEndAreCancelled(String handling) {
    Map<String, IngestPipeline> stored = new HashMap<>();
    PipelineParser calling =
        new PipelineParser(Processors.all(), stored::get, RealWorld.create().clock());
    for (int i = 0; i < 30; i++) {
      String call = "{\"pipeline\":{\"name\":\"p" + (i + 1) + "\"," + handling + "}}";
      String id = "p" + i;
      stored.put(
          id,
          calling.pipeline(id, Json.parseObject("{\"processors\":[" + call + "," + call + "]}")));
    }
    stored.put("p30", calling.pipeline("p30", Json.parseObject("{\"processors\":[]}")));
    IngestDocument document = new IngestDocument(Json.object(), Json.object(), "2020-01-01");
    AtomicInteger asked = new AtomicInteger();
    StopSignal signal = new StopSignal(() -> asked.incrementAndGet() > 100, () -> false, () -> 0);

    Refusal refusal =
        catchThrowableOfType(
            Refusal.class,
            () ->
                signal.<Boolean, RuntimeException>during(() -> {
                  stored.get("p0").run(document);
                  return true;
                }));

    assertThat(refusal.type()).isEqualTo(ErrorType.TASK_CANCELLED);
    assertThat(document.isDropped()).isFalse();
  }
}
