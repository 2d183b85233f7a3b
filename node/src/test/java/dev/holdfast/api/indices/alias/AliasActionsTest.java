package dev.holdfast.api.indices.alias;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.RunningNode;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Requests of several actions: which of them may fail alone.
final class AliasActionsTest {
  private static final String ALIASES = "{\"%s\":{\"index\":\"one\",\"aliases\":[%s]}}";
  private static final String MISSING = "{\"remove\":{\"index\":\"one\",\"alias\":\"none\"%s}}";

  @RegisterExtension static final RunningNode node = RunningNode.alone();

  @BeforeAll
  static void createIndex() throws Exception {
    node.ok("PUT", "/one", "{\"aliases\":{\"first\":{}}}");
  }

  private static String actions(String... each) {
    return "{\"actions\":[" + String.join(",", each) + "]}";
  }

  @Test
  void anActionThatFindsNothingFailsAlone() throws Exception {
    String add = "{\"add\":{\"index\":\"o*\",\"aliases\":[\"a\",\"b\"]}}";

    JsonNode answer = node.ok("POST", "/_aliases", actions(MISSING.formatted(""), add));

    assertThat(answer.get("errors").asBoolean()).isTrue();
    assertThat(answer.at("/action_results/0/status").asInt()).isEqualTo(404);
    assertThat(answer.at("/action_results/0/error/type").asText())
        .isEqualTo("aliases_not_found_exception");
    assertThat(answer.at("/action_results/1").toString())
        .isEqualTo(
            "{\"action\":{\"type\":\"add\",\"indices\":[\"one\"],\"aliases\":[\"a\",\"b\"]},"
                + "\"status\":200}");
    assertThat(node.json("/one/_alias").at("/one/aliases").has("b")).isTrue();
  }

  @Test
  void anAliasMayBeNamedByADate() throws Exception {
    String name = "%3Cday-%7B2026-01-02%7C%7C%2Fd%7D%3E";
    String dated = "<%s-{2026-01-02||/d}>";
    String add = "{\"add\":{\"index\":\"one\",\"alias\":\"" + dated.formatted("act") + "\"}}";
    String alias = "{\"aliases\":{\"" + dated.formatted("made") + "\":{}}}";

    node.ok("PUT", "/one/_alias/" + name, "");
    node.ok("POST", "/_aliases", actions(add));
    node.ok("PUT", "/dated", alias);

    assertThat(node.json("/one/_alias/day-2026.01.02").has("one")).isTrue();
    assertThat(node.json("/one/_alias/act-2026.01.02").has("one")).isTrue();
    assertThat(node.json("/dated/_alias/made-2026.01.02").has("dated")).isTrue();
    node.refused(404, "DELETE", "/one/_alias/" + name, "");
  }

  @Test
  void allFailWhenNoneFindsAnythingOrOneMust() throws Exception {
    String add = "{\"add\":{\"index\":\"one\",\"alias\":\"never\"}}";
    String must = MISSING.formatted(",\"must_exist\":true");

    node.refused(404, "POST", "/_aliases", actions(MISSING.formatted(",\"must_exist\":false")));
    node.refused(404, "POST", "/_aliases", actions(add, must));

    assertThat(node.json("/one/_alias").at("/one/aliases").has("never")).isFalse();
  }

  @Test
  void whatAnActionBeforeAddedIsOnlyRemovedWhenItMustExist() throws Exception {
    String add = "{\"add\":{\"index\":\"one\",\"alias\":\"fresh\"}}";
    String remove = "{\"remove\":{\"index\":\"one\",\"alias\":\"fresh\"%s}}";

    JsonNode both =
        node.ok("POST", "/_aliases", actions(add, remove.formatted(",\"must_exist\":true")));
    assertThat(both.get("errors").asBoolean()).isFalse();
    assertThat(node.json("/one/_alias").at("/one/aliases").has("fresh")).isFalse();

    JsonNode one = node.ok("POST", "/_aliases", actions(add, remove.formatted("")));
    assertThat(one.at("/action_results/1/status").asInt()).isEqualTo(404);
    assertThat(node.json("/one/_alias").at("/one/aliases").has("fresh")).isTrue();
  }

  /// Whoever changes the cluster state would do nothing else meanwhile.
  @Test
  void whatTakesTooLongIsRefused() throws Exception {
    node.ok("POST", "/_aliases", actions(ALIASES.formatted("add", names("many-", 1_000))));

    String removal = actions(ALIASES.formatted("remove", names("p", 30_000)));
    JsonNode refused = node.refused(400, "POST", "/_aliases", removal);

    assertThat(refused.at("/error/reason").asText()).contains("too much for one request");
    assertThat(node.json("/one/_alias/many-*").at("/one/aliases")).hasSize(1_000);
    node.ok("POST", "/_aliases", actions(ALIASES.formatted("remove", "\"many-*\"")));
  }

  private static String names(String prefix, int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> "\"" + prefix + i + "\"")
        .collect(Collectors.joining(","));
  }

  @Test
  void anAliasesNameIsLookedAtBeforeItsOptions() throws Exception {
    JsonNode name = node.refused(400, "PUT", "/one/_alias/_x", "{\"filter\":{\"nope\":{}}}");
    assertThat(name.at("/error/type").asText()).isEqualTo("invalid_alias_name_exception");
    JsonNode option = node.refused(400, "PUT", "/one/_alias/x", "{\"nope\":1}");
    assertThat(option.at("/error/type").asText()).isEqualTo("illegal_argument_exception");
    assertThat(option.at("/error/reason").asText()).isEqualTo("Unsupported field [nope]");
  }

  @Test
  void aRemovalThatFindsSomethingIsNoError() throws Exception {
    JsonNode answer =
        node.ok(
            "POST",
            "/_aliases",
            actions("{\"remove\":{\"index\":\"one\",\"aliases\":[\"none\",\"first\"]}}"));

    assertThat(answer.toString()).isEqualTo("{\"acknowledged\":true,\"errors\":false}");
  }

  @Test
  void aLineWhoseConditionMakesNoSenseRefusesTheWholeBulk() throws Exception {
    JsonNode refused =
        node.refused(
            400,
            "POST",
            "/one/_bulk",
            """
            {"index":{"_id":"1"}}
            {"a":1}
            {"create":{"_id":"2","if_seq_no":1,"if_primary_term":1}}
            {"a":1}
            {"index":{"_id":"3","if_seq_no":1}}
            {"a":1}
            """);

    assertThat(refused.at("/error/reason").asText())
        .isEqualTo(
            "Validation Failed: 1: create operations do not support compare and set. use index"
                + " instead;2: ifSeqNo is set, but primary term is [0];");
    node.refused(404, "GET", "/one/_doc/1", "");
  }

  @Test
  void onlyARemovalSaysThatSomethingMustExist() throws Exception {
    String add = "{\"add\":{\"index\":\"one\",\"alias\":\"never\",\"must_exist\":true}}";
    String index = "{\"remove_index\":{\"index\":\"one\",\"must_exist\":\"x\"}}";

    JsonNode refused = node.refused(400, "POST", "/_aliases", actions(add));
    JsonNode _ = node.refused(400, "POST", "/_aliases", actions(index));

    assertThat(refused.at("/error/caused_by/reason").asText()).contains("must_exist");
    assertThat(node.json("/one/_alias").at("/one/aliases").has("never")).isFalse();
  }

  @Test
  void anActionThatSaysNothingIsRefusedAndSoIsARoutingThatIsNone() throws Exception {
    String add = "{\"add\":{\"index\":\"one\",\"alias\":\"never\"}}";
    String flagged = "{\"add\":{\"index\":\"one\",\"alias\":\"never\",\"routing\":true}}";

    JsonNode _ = node.refused(400, "POST", "/_aliases", actions(add, "{}"));
    JsonNode _ = node.refused(400, "POST", "/_aliases", actions(flagged));

    assertThat(node.json("/one/_alias").at("/one/aliases").has("never")).isFalse();
  }
}
