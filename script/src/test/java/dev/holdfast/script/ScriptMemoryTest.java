package dev.holdfast.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.holdfast.world.CircuitBreaker;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.Reservation;
import dev.holdfast.world.WorkMemory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What a script makes larger element by element is bounded as what it makes large at once, and
/// comes out of the budget that scripts side by side share.
class ScriptMemoryTest {
  private static final String ROUNDS = "for (int i = 0; i < 1000000; i++) {";

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
        "String s = 'a,'; for (int i = 0; i < 22; i++) { s = s + s } def p = /,/.split(s);",
        "String s = 'a,'; for (int i = 0; i < 22; i++) { s = s + s } def p = /,/.split(s, -1);",
        "String s = 'a,'; for (int i = 0; i < 22; i++) { s = s + s }"
            + " def p = /,/.splitAsStream(s).collect(Collectors.toList());",
      })
  void whatGrowsByElementsIsBounded(String source) {
    Refusal refusal =
        catchThrowableOfType(
            Refusal.class, () -> PainlessTest.run(source.replace("ROUNDS", ROUNDS) + " return 1"));

    assertThat(refusal).as(source).isNotNull();
    assertThat(refusal.type()).isEqualTo(ErrorType.SCRIPT);
    assertThat(refusal).rootCause().hasMessageContaining("that a script can allocate");
  }

  @Test
  void whatDoesNotGrowCostsNothing() {
    Object counted =
        PainlessTest.run(
            "def m = ['a': 0]; "
                + ROUNDS
                + " m.a = m.a + 1; m['a'] += 1; m.put('a', m.a) }"
                + " return m.a");

    assertThat(counted).isEqualTo(2_000_000);
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
