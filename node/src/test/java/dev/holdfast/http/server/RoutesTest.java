package dev.holdfast.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.http.Api;
import dev.holdfast.http.BodyRule;
import dev.holdfast.http.Routes;
import dev.holdfast.http.Verb;
import java.util.List;
import org.junit.jupiter.api.Test;

class RoutesTest {
  private static final Api NEVER_CALLED =
      request -> {
        throw new AssertionError("only looked up");
      };

  private final Routes routes =
      new Routes()
          .on("GET|POST", "/_search", BodyRule.OPTIONAL, NEVER_CALLED)
          .on("GET|PUT|DELETE", "/{index}", BodyRule.OPTIONAL, NEVER_CALLED);

  @Test
  void theMostLiteralPathDecidesWhichMethodsThereAre() {
    assertThat(routes.match(Verb.DELETE, List.of("_search")))
        .as("an index of that name is not deleted")
        .isNull();
    assertThat(routes.allowed(List.of("_search"))).containsExactly(Verb.GET, Verb.POST);
  }

  @Test
  void otherNamesAreNamesOfIndices() {
    Routes.Match found = routes.match(Verb.DELETE, List.of("books"));

    assertThat(found).isNotNull();
    assertThat(found.pathValues()).containsEntry("index", "books");
  }

  @Test
  void anEmptySegmentIsLeftOutWhereANameCouldStand() {
    Routes some =
        new Routes()
            .on("GET", "/_nodes/stats", BodyRule.OPTIONAL, NEVER_CALLED)
            .on("GET", "/_nodes/{node_id}/stats", BodyRule.OPTIONAL, NEVER_CALLED);

    assertThat(some.named(List.of("_nodes", "", "stats"))).containsExactly("_nodes", "stats");
    assertThat(some.named(List.of("", "_nodes", "stats"))).containsExactly("", "_nodes", "stats");
    assertThat(some.match(Verb.GET, List.of("", "_nodes", "stats"))).isNull();
  }
}
