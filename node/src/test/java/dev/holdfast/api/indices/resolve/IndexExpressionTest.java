package dev.holdfast.api.indices.resolve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.indices.resolve.IndexExpression.Options;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexId;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.StopSignal;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What names, wildcards and exclusions stand for, as Elasticsearch 9.5 answered when it was asked.
class IndexExpressionTest {
  /// Open `a` and `b`, both behind the alias `both`, and closed `closed`.
  private static final ClusterState STATE =
      ClusterState.empty("cluster")
          .withIndex(index("a", true, "both"))
          .withIndex(index("b", true, "both"))
          .withIndex(index("closed", false));

  @Test
  void anExclusionTakesAwayWhatAWildcardStoodForOrAnotherSaid() {
    assertThat(names("*,-a", Options.SEARCH)).containsExactly("b");
    assertThat(names("a,b,-b", Options.SEARCH)).containsExactly("a");
    assertThat(names("*,-both*", Options.SEARCH)).isEmpty();
  }

  @Test
  void anExclusionTakesNoIndexFromBehindAnAlias() {
    assertThat(names("both,-a", Options.SEARCH)).containsExactly("a", "b");
    assertThat(names("both,a,-a", Options.SEARCH)).containsExactly("a", "b");
  }

  @Test
  void anEmptyNameInAListIsRefused() {
    assertThatThrownBy(() -> names("a,,b", Options.SEARCH))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("expression cannot be empty");
  }

  @Test
  void anExclusionOfNothingIsRefused() {
    for (String expression : List.of("-", "*,-")) {
      assertThatThrownBy(() -> names(expression, Options.SEARCH))
          .isInstanceOf(Refusal.class)
          .hasMessageContaining("exclusion cannot be empty");
    }
  }

  @Test
  void commasAloneNameNothingRatherThanEverything() {
    for (String commas : List.of(",", ",,")) {
      assertThatThrownBy(() -> names(commas, Options.METADATA))
          .as("DELETE /%s deleted every index", commas)
          .isInstanceOf(Refusal.class)
          .hasMessageContaining("expression cannot be empty");
    }
  }

  /// Thousands of wildcards take seconds where there are thousands of indices.
  @Test
  void namesAreMatchedAsLongAsAnybodyWaits() {
    StopSignal left = new StopSignal(() -> true, () -> false, () -> 0);
    String wildcards = "a*,".repeat(1_000) + "*";

    assertThatThrownBy(() ->
            left.<List<String>, RuntimeException>during(() -> names(wildcards, Options.SEARCH)))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("cancelled");
    assertThat(names(wildcards, Options.SEARCH)).containsExactly("a", "b");
  }

  @Test
  void wildcardsOfReadsMatchOpenIndicesAndNamesClosedOnesToo() {
    assertThat(names("*", Options.READ)).containsExactly("a", "b");
    assertThat(names("closed", Options.READ)).containsExactly("closed");
  }

  @Test
  void closedIndicesThatAWildcardMeansAreRefusedWhereNoneIsTaken() {
    Options strict = new Options(false, true, true, true, false, false);
    Options lenient = new Options(true, true, true, true, false, false);

    assertThatThrownBy(() -> names("c*", strict))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("closed");
    assertThat(names("*", lenient)).containsExactly("a", "b");
  }

  @Test
  void closedIndicesThatAreExcludedAreNotRefused() {
    Options strict = new Options(false, true, true, true, false, false);

    assertThat(names("*,-closed", strict)).containsExactly("a", "b");
    assertThat(names("*,-c*", strict)).containsExactly("a", "b");
    assertThat(names("*,closed,-closed", Options.SEARCH)).containsExactly("a", "b");
    assertThat(names("closed,-closed", Options.SEARCH)).isEmpty();
    assertThatThrownBy(() -> names("closed,-c*", Options.SEARCH))
        .as("wildcards that see open indices only exclude only those")
        .isInstanceOf(Refusal.class)
        .hasMessage("closed");
  }

  @Test
  void wildcardsSeeHiddenIndicesByAliasesThatAreNotAndNoneByHiddenAliases() {
    ClusterState state =
        STATE
            .withIndex(hidden("veiled", "shown", "{}"))
            .withIndex(index("plain", "secret", "{\"is_hidden\":true}"))
            .withIndex(index("dotted", ".secret", "{\"is_hidden\":true}"));

    assertThat(names(state, "sh*", Options.SEARCH)).containsExactly("veiled");
    assertThat(names(state, "*", Options.SEARCH)).contains("veiled");
    assertThat(names(state, "v*", Options.SEARCH)).isEmpty();
    assertThat(names(state, "veiled,-v*", Options.SEARCH)).containsExactly("veiled");
    assertThat(names(state, "veiled,-s*", Options.SEARCH)).isEmpty(); // by its alias
    assertThat(names(state, "se*", Options.SEARCH)).isEmpty();
    assertThat(names(state, "secret", Options.SEARCH)).containsExactly("plain");
    assertThat(names(state, "se*", Options.SEARCH.expanding("all"))).containsExactly("plain");
    assertThat(names(state, ".s*", Options.SEARCH)).containsExactly("dotted");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "all",
      value = {
        "one | one | true",
        "one,two | one two | true",
        "o*,two | one two | false",
        "one,two,-two | one | true",
        "o*,t*,-one | two | false",
        "o*,-one | one | false", // Elasticsearch shows all of the index then
        "one,f* | all | true",
        "f*,-full,one | one | true",
        "s* | all | true",
      })
  void anIndexIsSeenThroughTheAliasesThatNameIt(
      String expression, @Nullable String aliases, boolean isOutright) {
    IndexMetadata full =
        index("full", "one", "{\"is\":\"one\"}")
            .withAliases(
                new TreeMap<>(
                    Map.of(
                        "one", Json.parseObject("{\"is\":\"one\"}"),
                        "two", Json.parseObject("{\"is\":\"two\"}"),
                        "secret", Json.parseObject("{\"is\":\"s\",\"is_hidden\":true}"))));

    IndexExpression.Naming naming =
        IndexExpression.naming(STATE.withIndex(full), full, expression, Options.SEARCH);

    List<String> through = naming.aliases().stream().map(one -> one.path("is").asText()).toList();
    assertThat(String.join(" ", through)).isEqualTo(aliases == null ? "" : aliases);
    assertThat(naming.isOutright()).isEqualTo(isOutright);
  }

  private static List<String> names(String expression, Options options) {
    return names(STATE, expression, options);
  }

  private static List<String> names(ClusterState state, String expression, Options options) {
    return IndexExpression.resolve(state, expression, options).stream()
        .map(index -> index.id().name())
        .toList();
  }

  private static IndexMetadata index(String name, String alias, String options) {
    return index(name, true).withAliases(new TreeMap<>(Map.of(alias, Json.parseObject(options))));
  }

  private static IndexMetadata hidden(String name, String alias, String options) {
    IndexMetadata index = index(name, alias, options);
    TreeMap<String, Object> settings = new TreeMap<>(index.settings());
    settings.put("index.hidden", "true");
    return index.withSettings(settings);
  }

  private static IndexMetadata index(String name, boolean isOpen, String... aliases) {
    TreeMap<String, ObjectNode> named = new TreeMap<>();
    for (String alias : aliases) {
      named.put(alias, Json.object());
    }
    return new IndexMetadata(
        new IndexId(name, "uuid-" + name),
        1,
        new TreeMap<>(Map.of("index.number_of_shards", "1")),
        1,
        Json.object(),
        1,
        named,
        isOpen,
        List.of(0L),
        null,
        Json.object());
  }
}
