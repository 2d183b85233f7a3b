package dev.holdfast.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.holdfast.script.runtime.Budget;
import dev.holdfast.world.CircuitBreaker;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.Reservation;
import dev.holdfast.world.WorkMemory;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What a script makes larger element by element is bounded as what it makes large at once, and
/// comes out of the budget that scripts side by side share.
class ScriptMemoryTest {
  private static final String ROUNDS = "for (int i = 0; i < 1000000; i++) {";
  private static final String TEXT =
      "List l = []; String s = 'ab'; for (int i = 0; i < 16; i++) { s += s }";
  private static final String MANY =
      "List l = []; List k = []; for (int i = 0; i < 9999; i++) { k.add(i) }";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "def l = []; ROUNDS l.add(i); l.add(i); l.add(i); l.add(i); l.add(i); l.add(i); l.add(i) }",
        "def l = new LinkedList(); ROUNDS l.addFirst(i); l.push(i); l.offer(i); l.addLast(i);"
            + " l.offerFirst(i); l.offerLast(i); l.add(i) }",
        "def m = [:]; ROUNDS m[i] = i; m.put(-i, i); m.putIfAbsent('a' + i, i); m['b' + i] = i }",
        "Map m = new TreeMap(); ROUNDS m[i] = i; m[-i] = i; m.computeIfAbsent(i + 2000000, k -> k);"
            + " m.merge(i + 4000000, 1, (a, b) -> a) }",
        "Set s = new HashSet(); ROUNDS s.add(i); s.add(-i); s.add(i + 2000000) }",
        "def l = [null]; ROUNDS l[0] = [l[0], new ArrayList(), new HashMap(), new Object[4]] }",
        "def l = null; ROUNDS l = [[:], [:], [[]], l] }",
        "String s = 'a,'; for (int i = 0; i < 20; i++) { s = s + s } def p = /,/.split(s);",
        "String s = 'a,'; for (int i = 0; i < 20; i++) { s = s + s } def p = /,/.split(s, -1);",
        "String s = 'a,'; for (int i = 0; i < 20; i++) { s = s + s }"
            + " def p = /,/.splitAsStream(s).collect(Collectors.toList());",
        // what is copied as a whole, again and again
        "TEXT ROUNDS l.add(s.toUpperCase()) }",
        "TEXT s = ' ' + s; ROUNDS l.add(s.trim()) }",
        "TEXT ROUNDS l.add(new StringBuilder(s)) }",
        "TEXT def b = new StringBuilder(s); ROUNDS l.add(b.substring(1)) }",
        "TEXT CharSequence c = s; ROUNDS l.add(c.subSequence(1, c.length())) }",
        "TEXT char[] c = s.toCharArray(); ROUNDS l.add(String.copyValueOf(c)) }",
        "TEXT ROUNDS l.add(s.chars().toArray()) }",
        "TEXT def m = /((?s).+)/.matcher(s); m.find(); ROUNDS l.add(m.group(1)) }",
        "TEXT ROUNDS l.add(Matcher.quoteReplacement(s)) }",
        "TEXT ROUNDS l.add(Normalizer.normalize(s, Normalizer.Form.NFKD)) }",
        "TEXT def f = new DecimalFormat(); f.setPositivePrefix(s); ROUNDS l.add(f.format(1)) }",
        "TEXT def f = new SimpleDateFormat(\"'\" + s + \"'\"); ROUNDS"
            + " l.add(f.format(new Date())) }",
        "TEXT def k = [s]; ROUNDS l.add(k.toString()) }",
        "TEXT def k = [s]; ROUNDS l.add('' + k) }",
        "TEXT def k = [s]; ROUNDS l.add(String.valueOf(k)) }",
        "TEXT def k = [s]; ROUNDS l.add(Objects.toString(k, '')) }",
        "MANY ROUNDS l.add(((ArrayList) k).clone()) }",
        "MANY ROUNDS l.add(new HashSet(k)) }",
        "MANY ROUNDS l.add(new LinkedList(k)) }",
        "MANY ROUNDS l.add(new Vector(k)) }",
        "MANY Map m = [:]; for (x in k) { m[x] = x } ROUNDS l.add(new HashMap(m)) }",
        "MANY Map m = [:]; for (x in k) { m[x] = x } ROUNDS l.add(new Hashtable(m)) }",
        "MANY ROUNDS l.add(k.stream().collect(Collectors.toList())) }",
        "MANY ROUNDS l.add(k.stream().collect(Collectors.partitioningBy(x -> true))) }",
        "def b = new BitSet(9000000); List l = []; ROUNDS l.add(b.clone()) }",
        "def b = new BitSet(9000000); b.set(1); List l = []; ROUNDS l.add(b.toLongArray()) }",
        "List l = []; ROUNDS l.add(TimeZone.getAvailableIDs()) }",
        "IntStream.range(0, 5000000).boxed().collect(Collectors.toList());",
        "IntStream.range(0, 5000000).distinct().max().getAsInt();",
        "LongStream.range(0L, 5000000L).map(x -> -x).sorted().max().getAsLong();",
        "def a = new def[9999]; List l = []; for (int i = 0; i < 200; i++) {"
            + " Collections.addAll(l, a) }",
        "def b = Stream.builder(); Collections.nCopies(1000000, 1).forEach(b);",
        "def b = IntStream.builder(); for (int i = 0; i < 5; i++) {"
            + " IntStream.range(0, 1000000).forEach(b) }",
        // what becomes many times as long as what it is made of
        "StringBuffer s = new StringBuffer('x'); for (int i = 0; i < 40; i++) { s.append(s) }",
        "StringBuilder s = new StringBuilder('x'); Appendable a = s; for (int i = 0; i < 40; i++) {"
            + " a.append(s, 0, s.length()) }",
        "TEXT def r = /a/.matcher(s).replaceAll(s);",
        "TEXT def r = /[ab]+/.matcher(s).replaceFirst(s.substring(0, 160).replace('ab', '$0'));",
        "TEXT Collections.nCopies(1000, s).stream().collect(Collectors.joining());",
        "DateTimeFormatter f = DateTimeFormatter.ISO_DATE; for (int i = 0; i < 40; i++) {"
            + " f = new DateTimeFormatterBuilder().append(f).append(f).toFormatter() }",
      })
  void whatGrowsIsBounded(String source) {
    Refusal refusal =
        refused(
            source.replace("ROUNDS", ROUNDS).replace("TEXT", TEXT).replace("MANY", MANY)
                + " return 1");

    assertThat(refusal).as(source).isNotNull();
    assertThat(refusal.type()).isEqualTo(ErrorType.CIRCUIT_BREAKING);
  }

  /// What a script is refused whose request has little memory, so that it need not grow long.
  private static Refusal refused(String source) {
    CircuitBreaker breaker = new CircuitBreaker("request", 16 << 20);
    try (Reservation memory = breaker.begin("<script>")) {
      return catchThrowableOfType(
          Refusal.class, () -> WorkMemory.during(memory, () -> PainlessTest.run(source)));
    }
  }

  @Test
  void whatAScriptHasIsBoundedWithoutARequest() {
    Refusal refusal =
        catchThrowableOfType(
            Refusal.class,
            () -> PainlessTest.run("def l = []; " + ROUNDS + " l.add(new int[1000]) }"));

    assertThat(refusal.type()).isEqualTo(ErrorType.SCRIPT);
    assertThat(refusal).rootCause().hasMessageContaining("that a script can allocate");
  }

  @Test
  void whatPropertiesMakeIsForgottenAfterEachExecution() {
    PainlessTest.Anything script =
        PainlessTest.compiled(
            "params.date.offset == params.date.zone",
            Map.of("date", ZonedDateTime.of(2020, 1, 2, 3, 4, 5, 6, ZoneOffset.UTC)));
    CircuitBreaker breaker = new CircuitBreaker("request", 1 << 20);
    int same = 0;
    try (Reservation memory = breaker.begin("<script>")) {
      for (int i = 0; i < 100_000; i++) {
        same += Boolean.TRUE.equals(WorkMemory.during(memory, script::execute)) ? 1 : 0;
      }
    }

    assertThat(same).isEqualTo(100_000);
  }

  @Test
  void whatWasSetAsideForAScriptWithinAnotherCountsOnce() {
    Budget budget = Budget.current();
    Budget.Spent _ = budget.setAside();
    Budget.charge(100);
    for (int i = 0; i < 40; i++) {
      budget.resume(budget.setAside());
    }

    assertThat(budget.setAside().bytes()).isEqualTo(100);
  }

  @Test
  void whatDoesNotGrowCostsNothing() {
    CircuitBreaker breaker = new CircuitBreaker("request", 1 << 20);
    Object counted;
    try (Reservation memory = breaker.begin("<script>")) {
      counted =
          WorkMemory.during(
              memory,
              () ->
                  PainlessTest.run(
                      "def m = ['a': 0]; for (int i = 0; i < 100000; i++) {"
                          + " m.a = m.a + 1; m['a'] += 1; m.put('a', m.a) }"
                          + " return m.a"));
    }

    assertThat(counted).isEqualTo(200_000);
  }

  @Test
  void scriptsDrawFromTheBudgetOfTheirRequest() {
    CircuitBreaker breaker = new CircuitBreaker("request", 8 << 20);
    String eightMegabytes = "def l = []; for (int i = 0; i < 400000; i++) { l.add(i) } return 1";
    String two = "def l = []; for (int i = 0; i < 80000; i++) { l.add(i) } return 1";

    Refusal refusal;
    long held;
    try (Reservation memory = breaker.begin("<script>")) {
      refusal =
          catchThrowableOfType(
              Refusal.class,
              () -> WorkMemory.during(memory, () -> PainlessTest.run(eightMegabytes)));
    }
    try (Reservation memory = breaker.begin("<script>")) {
      for (int i = 0; i < 100; i++) {
        assertThat(WorkMemory.during(memory, () -> PainlessTest.run(two))).isEqualTo(1);
      }
      held = breaker.bytes();
    }

    assertThat(refusal.type()).isEqualTo(ErrorType.CIRCUIT_BREAKING);
    assertThat(held).as("as much as one of them takes").isBetween(1L << 20, 4L << 20);
    assertThat(breaker.bytes()).isZero();
  }
}
