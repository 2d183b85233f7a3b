package dev.holdfast.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.script.compile.Compiler;
import dev.holdfast.script.parse.Parser;
import dev.holdfast.script.runtime.Script;
import dev.holdfast.script.type.Allowlist;
import dev.holdfast.script.type.Shape;
import dev.holdfast.script.value.GeoPoint;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PainlessTest {
  /// A context that gives anything.
  public abstract static class Anything extends Script {
    public Anything(Map<String, Object> params) {
      super(params);
    }

    public abstract @Nullable Object execute();
  }

  private static final Shape ANYTHING =
      Shape.of("anything", Anything.class, List.of(), List.of("params"), List.of());

  static @Nullable Object run(String source) {
    return run(source, new HashMap<>(Map.of("a", 5, "list", List.of(1, 2, 3), "text", "abc")));
  }

  static @Nullable Object run(String source, Map<String, Object> params) {
    return compiled(source, params).execute();
  }

  static Anything compiled(String source, Map<String, Object> params) {
    try {
      return (Anything)
          Compiler.compile(source, ANYTHING, Allowlist.standard()).newInstance(params);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void whatTheScriptIsNotToBlameForKeepsItsStatus() {
    // given what a script reads, of which one part is damaged and one too large for now
    Map<String, Object> params =
        new HashMap<>() {
          @Override
          public Object get(Object name) {
            throw new Refusal(
                name.equals("large") ? ErrorType.CIRCUIT_BREAKING : ErrorType.CORRUPT_INDEX, "no");
          }
        };

    // then it is told as it is
    assertThatThrownBy(() -> run("params.large", params))
        .isInstanceOfSatisfying(
            Refusal.class, e -> assertThat(e.type()).isEqualTo(ErrorType.CIRCUIT_BREAKING));
    assertThatThrownBy(() -> run("params.damaged", params))
        .isInstanceOfSatisfying(
            Refusal.class, e -> assertThat(e.type()).isEqualTo(ErrorType.CORRUPT_INDEX));
  }

  /// Thirty lists, each of which holds the one before twice, are a billion leaves.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "return '' + a",
        "return a.toString()",
        "List typed = a; return typed.toString()",
        "return [1].stream().map(x -> a).map(Object::toString).collect(Collectors.toList())",
        "String text = a; return text",
        "return new StringBuilder().append(a)",
        "return String.format('%s', new def[] {a})",
        "return a.hashCode()",
        "return new HashSet().add(a)",
        "return new HashSet([a])",
        "return [a: 1][a]",
        "Map m = new HashMap(); m.put(a, 1); return m",
        "def m = [:]; m[a] = 1; return m",
        "return [a].stream().distinct().count()",
        "return a == b",
        "return a.equals(b)",
        "return [b].contains(a)",
        "return [b].indexOf(a)",
        "return Objects.hash(new def[] {a})",
        "Debug.explain(a)",
      })
  void partsThatAreSharedAreCountedAsOftenAsTheyAreMet(String end) {
    String start =
        "def a = [1]; def b = [1]; for (int i = 0; i < 45; i++) { a = [a, a]; b = [b, b] } ";

    assertThatThrownBy(() -> run(start + end))
        .isInstanceOfSatisfying(
            Refusal.class, e -> assertThat(e.type()).isEqualTo(ErrorType.SCRIPT));
  }

  @Test
  void whatASharedPartMeansAsJsonIsBounded() {
    Object made = run("def a = [1]; for (int i = 0; i < 45; i++) { a = [a, a] } return [a]");

    assertThatThrownBy(() -> ScriptValues.json(made))
        .isInstanceOfSatisfying(
            Refusal.class, e -> assertThat(e.type()).isEqualTo(ErrorType.ILLEGAL_ARGUMENT));
    assertThatThrownBy(() -> ScriptValues.json(run("Map m = new HashMap(); m.put(null, 1); m")))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("field name cannot be null");
    assertThat(ScriptValues.json(run("return new String[2]"))).hasToString("[null,null]");
  }

  @ParameterizedTest
  @ValueSource(strings = {"int%s a = null; return 1", "return new int%s {1}"})
  void anArrayOfMoreDimensionsThanThereAreIsRefused(String script) {
    assertThatThrownBy(() -> run(script.formatted("[]".repeat(256))))
        .isInstanceOf(Refusal.class)
        .hasStackTraceContaining("an array has at most [255] dimensions");
  }

  @Test
  void aLongChainOfNamesIsNotLookedUpPartByPart() {
    AtomicInteger characters = new AtomicInteger();
    var _ =
        Parser.parse(
            "a" + ".a".repeat(2000),
            name -> {
              characters.addAndGet(name.length());
              return false;
            });

    assertThat(characters).hasValueLessThan(10_000);
  }

  @Test
  void aFormatThatRepeatsALongTextIsBounded() {
    assertThatThrownBy(() ->
            run(
                "String t = 'x'.repeat(4000000); String f = '%1$s'.repeat(900);"
                    + " return String.format(f, new def[] {t}).length()"))
        .isInstanceOf(Refusal.class);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "1 + 2 | 3",
        "7 / 2 | 3",
        "7.0 / 2 | 3.5",
        "1L << 40 | 1099511627776",
        "-3 % 2 | -1",
        "1 + 2 * 3 - 4 | 3",
        "'a' + 1 + null | a1null",
        "true ? 1 : 2 | 1",
        "params.a * 2 | 10",
        "params['a'] + 1.5 | 6.5",
        "params.list.get(1) | 2",
        "params.list[-1] | 3",
        "params.list.size() | 3",
        "params.list.length | 3",
        "params.text.length() | 3",
        "def x = [1, 2, 3]; x.add(4); return x | [1, 2, 3, 4]",
        "Map m = ['a': 1]; m.b = 2; m.a += 5; return m.a + m.b | 8",
        "int s = 0; for (int i = 0; i < 10; i++) { s += i } return s | 45",
        "int s = 0; for (def x : params.list) { s += x } return s | 6",
        "int s = 0; for (x in params.list) s += x; s | 6",
        "int s = 0; int i = 0; while (true) { if (i > 5) break; i++; if (i == 3) continue; s += i }"
            + " s | 18",
        "int i = 0; do { i++ } while (i < 7); i | 7",
        "int t = 0; for (int x : [1.5, 2.5]) { t += x } t | 3",
        "int i = 0; while (true) { i++; if (i > 3) { return i } } | 4",
        "int i = 0; do { i++; if (i > 3) { return i } } while (true) | 4",
        "while (true) { try { return 5 } catch (Exception e) { } } | 5",
        "for (int i = 0; true; i++) { if (i > 3) { return i } } | 4",
        "int f(int n) { n <= 1 ? 1 : n * f(n - 1) } f(5) | 120",
        "params.list.stream().map(x -> x * 2).collect(Collectors.toList()) | [2, 4, 6]",
        "params.list.stream().mapToInt(x -> x).sum() | 6",
        "int k = 10; List l = [3, 1, 2]; l.sort((a, b) -> a - b); l.collect(x -> x + k) | [11, 12,"
            + " 13]",
        "List l = ['b', 'a']; l.sort(Comparator.naturalOrder()); l | [a, b]",
        "List l = ['bb', 'a']; l.stream().map(String::length).collect(Collectors.toList()) | [2,"
            + " 1]",
        "Optional.ofNullable(null).orElse(5) | 5",
        "int twice(int n) { n * 2 } [1, 2].collect(this::twice) | [2, 4]",
        "Function f = x -> x + 1; f.apply(4) | 5",
        "try { Integer.parseInt('x') } catch (NumberFormatException e) { return 'no' } | no",
        "if (params.a > 3) { return 'big' } else { return 'small' } | big",
        "params.zzz == null | true",
        "params.zzz?.length() | ",
        "params.zzz?.foo ?: 'none' | none",
        "(int) 3.9 | 3",
        "(long) params.a | 5",
        "(char) 'c' | c",
        "def x = 1; x += 1.5; x | 2",
        "int x = 5; x /= 2; x | 2",
        "int x = 5; x++ + ++x | 12",
        "int[] a = new int[3]; a[1] = 4; a[-2] + a.length | 7",
        "def[] a = new def[] {1, 'x'}; a[1] | x",
        "int[][] a = new int[2][3]; a[1][2] = 7; a[1][2] | 7",
        "'abc' =~ /b/ | true",
        "'abc' ==~ /b/ | false",
        "/(\\d+)/.matcher('a12').find() | true",
        "'a1b2'.replaceAll(/\\d/, m -> '<' + m.group() + '>') | a<1>b<2>",
        "'a,b'.splitOnToken(',')[1] | b",
        "Math.max(1, 2) | 2.0",
        "Math.sqrt(16) | 4.0",
        "Integer.MAX_VALUE | 2147483647",
        "1 == 1.0 | true",
        "def a = 1; def b = 1L; a == b | true",
        "'a' == 'a' | true",
        "'abc' instanceof String | true",
        "def x = 5; x instanceof Integer && !(x instanceof Long) | true",
        "ZonedDateTime.parse('2020-01-02T03:04:05Z').getYear() | 2020",
        "ZonedDateTime.parse('2020-01-02T03:04:05Z').dayOfMonth | 2",
        "ChronoUnit.DAYS.between(LocalDate.of(2020, 1, 1), LocalDate.of(2020, 3, 1)) | 60",
        "new StringBuilder('a').append('b').append(1).toString() | ab1",
        "new ArrayList([1, 2]).size() | 2",
        "0x1F + 010 | 39",
        "~5 | -6",
        "-params.a | -5",
        "Map m = new TreeMap(); m.put('k', 1); m.computeIfAbsent('z', k -> 9); m | {k=1, z=9}",
        "def m = [:]; m['x'] = [1]; m.x.add(2); m | {x=[1, 2]}",
        "def l = [['v': 3], ['v': 1]]; l.sort((a, b) -> a.v <=> b.v); l | ERROR",
        "def l = [1, 2, 3]; l.removeIf(x -> x == 2); l | [1, 3]",
        "'x'.encodeBase64() | eA==",
        "'abc'.sha1() | a9993e364706816aba3e25717850c26c9cd0d89d",
        "params.getOrDefault('q', 3) | 3",
        "1 /* two */ + 2 | 3",
        "String s = 'a'; s += 'b'; s | ab",
        "byte b = (byte) 200; b | -56",
        "float f = 1.5f; f * 2 | 3.0",
        "def f = 6 / 4.0; f | 1.5",
        "long l = 5; l + params.a | 10",
        "List l = [1]; l.0 | 1",
        "def l = [5, 6]; l.1 | 6",
        "Integer i = 5; int j = i; j + i | 10",
        "1 < 2 && 2 < 3 | true",
        "boolean b = !params.list.isEmpty(); b | true",
        "params.list.empty | false",
        "[1, 2, 3].contains(2) | true",
        "params.list.any(x -> x > 2) | true",
        "params.list.join('-') | 1-2-3",
        "def x = 5; x += 1.5; return x | 6",
        "def m = [:]; m.a = 1L; m.a *= 1.5; return m.a | 1",
        "def x = [1]; x[0] += 2.5; return x | [3]",
        "def x = 1.5f; x += 1; return x | 2.5",
        "def x = (byte) 127; x++; return x | -128",
        "def x = 'a'; x += 1; return x | a1",
        "def x = null; x += 'a'; return x | nulla",
        "int x = 5; x += 2.7; return x | 7",
        "def x = 5; x += 'a'; return x | ERROR",
      })
  void gives(String source, @Nullable String expected) {
    if ("ERROR".equals(expected)) {
      assertThatThrownBy(() -> run(source)).isInstanceOf(Refusal.class);
      return;
    }
    Object result = run(source);
    assertThat(result == null ? null : result.toString()).isEqualTo(expected);
  }

  @Test
  void tellsWhereItCannotBeCompiled() {
    assertThatThrownBy(() -> run("_score * foo bar + doc['myParent.weight'].value"))
        .isInstanceOfSatisfying(
            Refusal.class,
            e -> {
              assertThat(e.reason()).isEqualTo("compile error");
              assertThat(e.metadata().get("position"))
                  .isEqualTo(Map.of("offset", 13, "start", 0, "end", 38));
            });
  }

  /// As Elasticsearch's compiler, by an oracle: what of the source is shown, and where the caret
  /// is.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ctx._source.a          | 11 | 0  | 13",
        "return nope.x          | 11 | 0  | 13",
        "new Nope('x')          | 0  | 0  | 13",
        "return 1; return 2     | 0  | 0  | 18",
        "while (true) { } return 1 | 0 | 0 | 25",
        "def f(int a) { return a; } return f(null) | 36 | 11 | 41",
        "byte x = params.list[1]; return x         | 20 | 5  | 25",
        "1 / (params.a - params.a)                 | 22 | 0  | 25",
        "if (params.b.c == 1) { return 1; } return 2 | 12 | 0 | 23",
        "Debug.explain(params.a)                   | 20 | 0  | 23",
        "(String) params.a                         | 15 | 0  | 17",
        "-78.toString()                            | 0  | 0  | 14",
        "byte..2                                   | 5  | 0  | 7",
        "['a', 'b'].groupBy(x -> x % 2)            | 24 | 19 | 30",
      })
  void tellsWhichPieceOfTheSourceIsWrong(String source, int offset, int start, int end) {
    assertThatThrownBy(() -> run(source))
        .isInstanceOfSatisfying(
            Refusal.class,
            e ->
                assertThat(e.metadata().get("position"))
                    .isEqualTo(Map.of("offset", offset, "start", start, "end", end)));
  }

  /// In Elasticsearch's words, by an oracle.
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "1 + 2, 1 ; not a statement: result not used from addition operation [+]",
        "params.a, 1 ; not a statement: result of dot operator [.] not used",
        "params['a'], 1 ; not a statement: result of brace operator not used",
        "'a', 1 ; not a statement: string constant [a] not used",
        "true ? 1 : 2, 1 ; not a statement: result not used from conditional operation [?:]",
        "1 instanceof Long, 1 ; not a statement: result not used from instanceof with target type"
            + " [Long]",
        "int i = 0, i, 1 ; not a statement: variable [i] not used",
        "'a,b'.split(',') ; member method [java.lang.String, split/1] not found",
        "'abc'[1] ; Illegal array access on type [java.lang.String].",
        "while (true) { return 1 } ; extraneous while loop",
        "while (false) { def a = 1 } ; extraneous while loop",
        "while (true) { } ; no paths escape from while loop",
        "for (def x : params.list) { return x } ; extraneous foreach loop",
        "for (def x : params.list) { }  ; extraneous foreach loop",
        "do { break } while (true) ; extraneous do-while loop",
        "if (true) { return 1 } ; extraneous if block",
        "if (params.a == 1) { } ; extraneous if block",
        "if (params.a == 1) { return 1 } else { } ; extraneous else block.",
        "try { } catch (Exception e) { return 1 } ; extraneous try statement",
        "// nothing ; invalid function definition: found no statements for function [execute] with"
            + " [0] parameters",
        "void f() { } f() ; invalid function definition: found no statements for function [f] with"
            + " [0] parameters",
        "params.list.nope ; Illegal list shortcut value [nope].",
        "params.place.x() ; dynamic method [org.elasticsearch.common.geo.GeoPoint, x/0] not found",
      })
  void tellsWhy(String source, String reason) {
    assertThatThrownBy(() ->
            run(
                source.replace(", ", "; "),
                Map.of("a", 1, "list", List.of(1), "place", new GeoPoint(1, 2))))
        .hasCauseInstanceOf(Refusal.class)
        .rootCause()
        .hasMessage(reason);
  }

  @ParameterizedTest
  @CsvSource({"Exception, exception", "RuntimeException, runtime_exception"})
  void tellsWhatWasThrown(String name, String type) {
    assertThatThrownBy(() -> run("throw new " + name + "('x')"))
        .isInstanceOfSatisfying(
            Refusal.class, e -> assertThat(((Refusal) e.getCause()).type().type()).isEqualTo(type));
  }

  @Test
  void tellsWhereItFailed() {
    assertThatThrownBy(() -> run("int a = 1;\nint b = 0;\nreturn a / b"))
        .isInstanceOfSatisfying(
            Refusal.class,
            e -> {
              assertThat(e.reason()).isEqualTo("runtime error");
              assertThat(((Refusal) e.getCause()).type().type()).isEqualTo("arithmetic_exception");
              assertThat(((Map<?, ?>) e.metadata().get("position")).get("offset")).isEqualTo(29);
            });
  }
}
