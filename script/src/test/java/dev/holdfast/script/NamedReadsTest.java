package dev.holdfast.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.script.context.FieldScript;
import dev.holdfast.script.context.ScoreScript;
import dev.holdfast.script.value.DocumentValues;
import dev.holdfast.script.value.Longs;
import dev.holdfast.script.value.Numbers;
import dev.holdfast.world.Refusal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Fields and parameters that scripts on documents read by names in their text, document after
/// document.
final class NamedReadsTest {
  private final List<String> opened = new ArrayList<>();

  /// Fields `n`, the number of the document, and `two`, which has two values but in document 0.
  private DocumentValues documents() {
    return new DocumentValues(
        "",
        field -> {
          opened.add(field);
          return switch (field) {
            case "n" -> new Longs(numbers(1));
            case "two" -> new Longs(numbers(2));
            default -> null;
          };
        },
        doc -> Map.of("at", doc));
  }

  private static Numbers numbers(int count) {
    return new Numbers() {
      private int doc;

      @Override
      public int count(int at) {
        doc = at;
        return count == 2 && at == 0 ? 0 : count;
      }

      @Override
      public long next() {
        return doc++;
      }
    };
  }

  private List<@Nullable Object> run(String source, Map<String, Object> params) {
    DocumentValues values = documents();
    FieldScript script =
        Scripts.instance(
            FieldScript.class,
            Scripts.compiled(
                new ScriptSource(ScriptSource.PAINLESS, source, params), FieldScript.SHAPE),
            params,
            values);
    List<@Nullable Object> made = new ArrayList<>();
    for (int doc = 0; doc < 3; doc++) {
      script.moveTo(doc);
      made.add(script.execute());
    }
    return made;
  }

  @Test
  void aFieldIsOpenedOnceAndFollowsTheDocument() {
    assertThat(run("doc['n'].value + doc.n.value + doc['n'][0]", Map.of()))
        .containsExactly(0L, 3L, 6L);
    assertThat(opened).containsExactly("n");
  }

  @Test
  void valuesOfADocumentDoNotStayForTheNext() {
    assertThat(run("doc['two'].size() == 0 ? -1 : doc['two'].value + 10 * doc.two[1]", Map.of()))
        .containsExactly(-1, 21L, 32L);
  }

  @Test
  void aLambdaReadsThemToo() {
    assertThat(
            run(
                "[1, 2].stream().map(x -> x * doc['n'].value +"
                    + " params.a).collect(Collectors.toList())",
                Map.of("a", 5)))
        .containsExactly(List.of(5L, 5L), List.of(6L, 7L), List.of(7L, 9L));
  }

  @Test
  void aFieldThatThereIsNotIsToldEachTime() {
    assertThatThrownBy(() -> run("doc['none'].value", Map.of()))
        .isInstanceOfSatisfying(
            Refusal.class,
            e -> assertThat(e.toString() + e.getCause()).contains("No field found for [none]"));
    assertThat(run("try { return doc['none'].value } catch (Exception e) { return 1 }", Map.of()))
        .containsExactly(1, 1, 1);
  }

  @Test
  void aVariableOfThatNameIsAVariable() {
    assertThat(run("def f(Map doc) { return doc['n'] } return f(['n': 7])", Map.of()))
        .containsExactly(7, 7, 7);
  }

  @Test
  void parametersThatAScriptChangesAreReadAnew() {
    assertThat(run("params.a += 1; return params.a", new HashMap<>(Map.of("a", 1))))
        .containsExactly(2, 3, 4);
    assertThat(
            run(
                "Map p = params; p['a'] = doc['n'].value; return params['a']",
                new HashMap<>(Map.of("a", 1))))
        .containsExactly(0L, 1L, 2L);
    assertThat(run("params.put('a', doc['n'].value); params.a", new HashMap<>(Map.of("a", 1))))
        .containsExactly(0L, 1L, 2L);
  }

  @Test
  void aParameterThatIsNotThereIsNull() {
    assertThat(
            run("params.none == null && params.a == 4 && params['b'] == 5", Map.of("a", 4, "b", 5)))
        .containsExactly(true, true, true);
  }

  @Test
  void whatDependsOnTheDocumentIsNotKept() {
    assertThat(run("params.size() + (params.empty ? 10 : 20)", Map.of("size", 100)))
        .containsExactly(21, 21, 21);
    Map<String, Object> live =
        new HashMap<>() {
          private static final long serialVersionUID = 1L;
          private int asked;

          @Override
          public Object get(Object key) {
            return Map.of("at", asked++);
          }
        };
    assertThat(run("params._source.at", live)).containsExactly(0, 1, 2);
  }

  @Test
  void decaysOfSeveralKindsAndScalesKeepTheirOwn() {
    ScoreScript script =
        Scripts.instance(
            ScoreScript.class,
            Scripts.compiled(
                new ScriptSource(
                    ScriptSource.PAINLESS,
                    "double sum = 0; for (int scale = 1; scale < 7; scale++) { sum +="
                        + " decayNumericExp(0, scale, 0, 0.5, doc['n'].value) * 100 +"
                        + " decayNumericLinear(0, scale, 0, 0.5, doc['n'].value) * 10 +"
                        + " decayNumericGauss(0, scale, 0, 0.5, doc['n'].value) } return sum",
                    Map.of()),
                ScoreScript.SHAPE),
            Map.of(),
            documents());
    for (int doc = 0; doc < 20; doc++) {
      double wanted = 0;
      for (int scale = 1; scale < 7; scale++) {
        double times = doc / (double) scale;
        wanted +=
            100 * Math.pow(0.5, times)
                + 10 * Math.max(0, 1 - times / 2)
                + Math.pow(0.5, times * times);
      }
      script.moveTo(doc);
      assertThat(script.execute()).isCloseTo(wanted, org.assertj.core.data.Offset.offset(1e-9));
    }
  }
}
