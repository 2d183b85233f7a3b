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

  private CompiledScripts node(ScriptRules rules, String... stored) {
    CompiledScripts node = new CompiledScripts(rules);
    node.limit(
        new CompiledScripts.Limits(
            CompiledScripts.BYTES_MAX, CompilationRate.UNLIMITED, Set.of(stored)),
        clock);
    return node;
  }

  private static ScriptRules rules(
      Set<String> types, Set<String> contexts, int keptMax, Duration keptFor, RegexRule regex) {
    return new ScriptRules(types, contexts, keptMax, keptFor, regex);
  }

  private static String run(CompiledScripts node, String text) {
    ScriptSource source = new ScriptSource(ScriptSource.PAINLESS, text, Map.of());
    return node.<String, RuntimeException>during(() ->
        String.valueOf(
            Scripts.instance(
                    TestScript.class, Scripts.compiled(source, TestScript.SHAPE), new HashMap<>())
                .execute()));
  }

  @Test
  void onlyStoredScriptsRun() {
    CompiledScripts node =
        node(
            rules(Set.of(ScriptRules.STORED), Set.of(), 10, Duration.ZERO, RegexRule.LIMITED),
            "return 'stored'");
    assertThat(run(node, "return 'stored'")).isEqualTo("stored");
    assertThatThrownBy(() -> run(node, "return 'inline'"))
        .hasMessage("cannot execute [inline] scripts");
    assertThat(node.<Boolean, RuntimeException>during(Scripts::runsStored)).isTrue();
  }

  @Test
  void onlyNamedContextsRun() {
    Set<String> types = ScriptRules.defaults().types();
    CompiledScripts node =
        node(rules(types, Set.of("score"), 10, Duration.ZERO, RegexRule.LIMITED));
    assertThatThrownBy(() -> run(node, "return 1"))
        .hasMessage("cannot execute scripts using [painless_test] context");
  }

  @Test
  void patternsAreForbiddenLimitedOrNot() {
    String pattern = "'aaaaaaaaaaaaaaaaaaaaaaaa' ==~ /(a+)+b/";
    ScriptRules all = ScriptRules.defaults();
    CompiledScripts none =
        node(rules(all.types(), Set.of(), 10, Duration.ZERO, new RegexRule(false, 6)));
    RegexRule any = new RegexRule(true, RegexRule.UNLIMITED);
    CompiledScripts unlimited = node(rules(all.types(), Set.of(), 10, Duration.ZERO, any));
    assertThatThrownBy(() -> run(none, pattern)).hasMessage("compile error");
    assertThatThrownBy(() -> run(node(all), pattern)).hasMessage("runtime error");
    assertThat(run(unlimited, "'aaab' ==~ /(a+)+b/")).isEqualTo("true");
  }

  /// Thousands of scripts of 64 kB are within the number, and fill a small heap.
  @Test
  void whatIsKeptIsBoundedByItsTexts() {
    CompiledScripts node = node(ScriptRules.defaults());
    int needed = (int) (Runtime.getRuntime().maxMemory() / 64 / 60_000) + 2;
    for (int i = 0; i < needed; i++) {
      assertThat(run(node, "return " + i + " // " + "x".repeat(60_000))).isEqualTo("" + i);
    }
    assertThat(node.evictions()).isPositive();
    String _ = run(node, "return " + (needed - 1) + " // " + "x".repeat(60_000));
    assertThat(node.compilations()).as("the last one is kept").isEqualTo(needed);
  }

  @Test
  void whatIsKeptIsBoundedByNumberAndTime() {
    Set<String> types = ScriptRules.defaults().types();
    CompiledScripts node =
        node(rules(types, Set.of(), 2, Duration.ofMillis(10), RegexRule.LIMITED));
    String _ = run(node, "return 'kept 1'");
    String _ = run(node, "return 'kept 2'");
    String _ = run(node, "return 'kept 3'");
    assertThat(node.evictions()).isEqualTo(1);
    String _ = run(node, "return 'kept 3'");
    assertThat(node.compilations()).isEqualTo(3);
    nowMillis += 11;
    String _ = run(node, "return 'kept 3'");
    assertThat(node.compilations()).isEqualTo(4);
  }

  @Test
  void nodesOfOneProcessHaveTheirOwn() {
    CompiledScripts one = node(ScriptRules.defaults());
    CompiledScripts other = node(ScriptRules.defaults());

    String _ = run(one, "return 'of one'");
    String _ = run(other, "return 'of one'");

    assertThat(one.compilations()).isEqualTo(1);
    assertThat(other.compilations()).isEqualTo(1);
  }
}
