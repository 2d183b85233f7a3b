package dev.holdfast.api.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.node.RunningNode;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Completions of which a request wants any number, or that match any expression.
final class CompletionMemoryTest {
  @RegisterExtension static final RunningNode node = RunningNode.alone();

  @BeforeAll
  static void write() throws Exception {
    node.ok("PUT", "/songs", "{\"mappings\":{\"properties\":{\"c\":{\"type\":\"completion\"}}}}");
    node.ok("PUT", "/songs/_doc/1", "{\"c\":[\"abc\",\"abd\"]}");
    node.ok("PUT", "/songs/_doc/2", "{\"c\":\"abe\"}");
    node.ok("PUT", "/songs/_doc/3?refresh=true", "{\"c\":\"xyz\"}");
  }

  private static String asked(String suggestion) {
    return "{\"size\":0,\"suggest\":{\"s\":{" + suggestion + "}}}";
  }

  private static int options(String suggestion) throws Exception {
    return node.ok("POST", "/songs/_search", asked(suggestion))
        .path("suggest")
        .path("s")
        .path(0)
        .path("options")
        .size();
  }

  @Test
  void thereIsRoomForAsManyAsThereAre() throws Exception {
    String many = "\"prefix\":\"ab\",\"completion\":{\"field\":\"c\",\"size\":1000000000%s}";

    assertThat(options(many.formatted(""))).isEqualTo(2);
    assertThat(options(many.formatted(",\"skip_duplicates\":true"))).isEqualTo(2);
  }

  @Test
  void anExpressionHasNoMoreStatesThanThereIsMemoryFor() throws Exception {
    String regex =
        "\"regex\":\"%s\",\"completion\":{\"field\":\"c\","
            + "\"regex\":{\"max_determinized_states\":1000000000}}";

    var refused = node.call("POST", "/songs/_search", asked(regex.formatted("[ab]*a[ab]{28}")));

    assertThat(refused.statusCode()).as(refused.body()).isBetween(400, 499);
    assertThat(options(regex.formatted("ab[cd]"))).isEqualTo(1);
  }
}
