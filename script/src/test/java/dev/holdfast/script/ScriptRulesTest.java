package dev.holdfast.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.script.context.TestScript;
import dev.holdfast.script.runtime.RegexRule;
import dev.holdfast.world.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// What settings of a node forbid is not compiled, and what is kept has its bounds.
class ScriptRulesTest {
  private long nowMillis = 1;

  private final Clock clock =
      new Clock() {
        @Override
        public long epochMillis() {
          return nowMillis;
        }

        @Override
        public long nanoTime() {
          return nowMillis * 1_000_000;
        }
      };

  @AfterEach
  void allowEverything() {
    Scripts.obey(ScriptRules.defaults());
    limit(Set.of());
  }

  private void limit(Set<String> stored) {
    Scripts.limit(new Scripts.Limits(Scripts.BYTES_MAX, CompilationRate.UNLIMITED, stored), clock);
  }

  private static ScriptRules rules(
      Set<String> types, Set<String> contexts, int keptMax, Duration keptFor, RegexRule regex) {
    return new ScriptRules(types, contexts, keptMax, keptFor, regex);
  }

  private static Object run(String text) {
    ScriptSource source = new ScriptSource(ScriptSource.PAINLESS, text, Map.of());
    return String.valueOf(
        Scripts.instance(
                TestScript.class, Scripts.compiled(source, TestScript.SHAPE), new HashMap<>())
            .execute());
  }

  @Test
  void onlyStoredScriptsRun() {
    Scripts.obey(rules(Set.of(ScriptRules.STORED), Set.of(), 10, Duration.ZERO, RegexRule.LIMITED));
    limit(Set.of("return 'stored'"));
    assertThat(run("return 'stored'")).isEqualTo("stored");
    assertThatThrownBy(() -> run("return 'inline'")).hasMessage("cannot execute [inline] scripts");
    assertThat(Scripts.runsStored()).isTrue();
  }

  @Test
  void onlyNamedContextsRun() {
    Scripts.obey(
        rules(
            ScriptRules.defaults().types(), Set.of("score"), 10, Duration.ZERO, RegexRule.LIMITED));
    assertThatThrownBy(() -> run("return 1"))
        .hasMessage("cannot execute scripts using [painless_test] context");
  }

  @Test
  void patternsAreForbiddenLimitedOrNot() {
    String pattern = "'aaaaaaaaaaaaaaaaaaaaaaaa' ==~ /(a+)+b/ // ";
    ScriptRules all = ScriptRules.defaults();
    Scripts.obey(rules(all.types(), Set.of(), 10, Duration.ZERO, new RegexRule(false, 6)));
    assertThatThrownBy(() -> run(pattern + 1)).hasMessage("compile error");
    Scripts.obey(all);
    assertThatThrownBy(() -> run(pattern + 2)).hasMessage("runtime error");
    Scripts.obey(
        rules(all.types(), Set.of(), 10, Duration.ZERO, new RegexRule(true, RegexRule.UNLIMITED)));
    assertThat(run("'aaab' ==~ /(a+)+b/ // 3")).isEqualTo("true");
  }

  @Test
  void whatIsKeptIsBoundedByNumberAndTime() {
    ScriptRules all = ScriptRules.defaults();
    Scripts.obey(rules(all.types(), Set.of(), 2, Duration.ofMillis(10), RegexRule.LIMITED));
    limit(Set.of());
    long evicted = Scripts.evictions();
    Object _ = run("return 'kept 1'");
    Object _ = run("return 'kept 2'");
    Object _ = run("return 'kept 3'");
    assertThat(Scripts.evictions()).isGreaterThan(evicted);
    long compiled = Scripts.compilations();
    Object _ = run("return 'kept 3'");
    assertThat(Scripts.compilations()).isEqualTo(compiled);
    nowMillis += 11;
    Object _ = run("return 'kept 3'");
    assertThat(Scripts.compilations()).isEqualTo(compiled + 1);
  }
}
