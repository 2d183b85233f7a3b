package dev.holdfast.api.indices.mapping;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.node.RunningNode;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What of a mapping has no effect is said.
final class MappingWarningsTest {
  private static final String MODE = "{\"_source\":{\"mode\":\"synthetic\"}}";

  @RegisterExtension static final RunningNode node = RunningNode.alone();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/made | {\"mappings\":%s}",
        "/there/_mapping | %s",
        "/_component_template/part | {\"template\":{\"mappings\":%s}}",
        "/_template/old | {\"index_patterns\":[\"o-*\"],\"mappings\":%s}",
        "/_index_template/whole | {\"index_patterns\":[\"w-*\"],\"template\":{\"mappings\":%s}}"
      })
  void aModeOfTheSourceIsSaidByASetting(String path, String body) throws Exception {
    node.call("PUT", "/there", "");

    List<String> warnings =
        node.call("PUT", path, body.formatted(MODE)).headers().allValues("Warning");

    assertThat(warnings).hasSize(1);
    assertThat(warnings.getFirst())
        .contains("[mode] of [_source] has no effect", "[index.mapping.source.mode]");
  }

  @Test
  void whatHasItsEffectIsNotWarnedOf() throws Exception {
    assertThat(
            node.call("PUT", "/kept", "{\"mappings\":{\"_source\":{\"excludes\":[\"a\"]}}}")
                .headers()
                .allValues("Warning"))
        .isEmpty();
  }
}
