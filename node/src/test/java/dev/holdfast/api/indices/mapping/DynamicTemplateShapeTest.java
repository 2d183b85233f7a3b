package dev.holdfast.api.indices.mapping;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.RunningNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Mappings are refused for what would only fail with the first document.
final class DynamicTemplateShapeTest {
  @RegisterExtension static final RunningNode node = RunningNode.alone();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"_source":"x"}                                                              | [_source] config must be an object
          {"_routing":5}                                                               | [_routing] config must be an object
          {"_meta":"x"}                                                                | [_meta] config must be an object
          {"dynamic_templates":[{"a":{"match":null,"mapping":{}}}]}                    | [match] values must either be a string
          {"dynamic_templates":[{"a":{"match":[null],"mapping":{}}}]}                  | [match] values must either be a string
          {"dynamic_templates":[{"a":{"match":"x","mapping":"keyword"}}]}              | must be an object
          {"dynamic_templates":[{"a":{"match":"x","mapping":{"type":"banana"}}}]}      | has invalid content
          {"dynamic_templates":[{"a":{"match":"x","mapping":{"type":null}}}]}          | has invalid content
          {"dynamic_templates":[{"a":{"match":"x","mapping":{"type":"keyword","zz":1}}}]} | has invalid content
          {"dynamic_templates":[{"a":{"match_mapping_type":"*","mapping":{"type":"{dynamic_type}","zz":1}}}]} | has invalid content
          {"dynamic_templates":[{"a":{"match":"x","runtime":{"type":"long","zz":1}}}]} | has invalid content
          {"dynamic_templates":[{"a":{"match":"x","match_pattern":"glob","mapping":{}}}]} | No matching pattern matched on [glob]
          {"dynamic_date_formats":["yyyy","epoch_millis"]}                             | Epoch [epoch_millis] is not supported as dynamic date format
          {"properties":{"o":{"dynamic":false}}}                                       | No type specified for field [o]
          """)
  void isRefused(String mapping, String why) throws Exception {
    JsonNode index =
        node.refused(400, "PUT", "/never", "{\"mappings\":" + mapping + "}").path("error");
    JsonNode template =
        node.refused(
                400,
                "PUT",
                "/_component_template/never",
                "{\"template\":{\"mappings\":" + mapping + "}}")
            .path("error");

    assertThat(index.toString()).contains(why);
    assertThat(template.toString()).contains(why);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"_meta\":null}",
        "{\"dynamic_templates\":[{\"a\":{\"match\":\"x\",\"mapping\":{\"type\":\"alias\",\"path\":\"y\"}}}]}",
        "{\"dynamic_templates\":[{\"a\":{\"match\":\"x\",\"mapping\":{\"type\":\"keyword\",\"time_series_dimension\":true}}}]}",
        "{\"dynamic_templates\":[{\"a\":{\"mapping\":{\"type\":\"date\",\"format\":\"nope\"}}}]}",
        "{\"dynamic_templates\":[{\"a\":{\"match\":\"x\",\"mapping\":{\"type\":\"nested\"}}}]}",
        "{\"dynamic_templates\":[{\"a\":{\"match\":\"x\",\"mapping\":{\"type\":\"object\",\"enabled\":false}}}]}",
        "{\"dynamic_templates\":[{\"a\":{\"match\":\"x\",\"mapping\":{\"type\":\"text\",\"analyzer\":\"{name}\"}}}]}",
        "{\"dynamic_templates\":[{\"a\":{\"match_mapping_type\":\"*\",\"mapping\":{\"type\":\"{dynamic_type}\"}}}]}",
        "{\"dynamic_templates\":[{\"a\":{\"match\":\"x\",\"mapping\":{\"copy_to\":\"y\",\"norms\":false}}}]}"
      })
  void isTaken(String mapping) throws Exception {
    JsonNode made = node.ok("PUT", "/some", "{\"mappings\":" + mapping + "}");
    JsonNode _ = node.ok("DELETE", "/some", "");

    assertThat(made.path("acknowledged").asBoolean()).isTrue();
  }

  @Test
  void ofTemplatesMayNameWhatSettingsBesideThemDefine() throws Exception {
    String mappings =
        "\"mappings\":{\"dynamic_templates\":[{\"a\":{\"match\":\"x\",\"mapping\":{\"type\":\"text\",\"similarity\":\"own\",\"fields\":{\"k\":{\"type\":\"keyword\",\"normalizer\":\"own\"}}}}}]}";

    node.ok("PUT", "/_component_template/own", "{\"template\":{" + mappings + "}}");
    node.refused(400, "PUT", "/none-own", "{" + mappings + "}");
    JsonNode made =
        node.ok(
            "PUT",
            "/own",
            "{\"settings\":{\"similarity\":{\"own\":{\"type\":\"BM25\"}},"
                + "\"analysis\":{\"normalizer\":{\"own\":{\"type\":\"custom\"}}}},"
                + mappings
                + "}");

    assertThat(made.path("acknowledged").asBoolean()).isTrue();
  }
}
