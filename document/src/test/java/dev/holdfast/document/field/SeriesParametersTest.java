package dev.holdfast.document.field;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.document.mapping.IndexMapping;
import dev.holdfast.world.Json;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Dimensions and metrics of time series in a mapping; reasons are those of Elasticsearch 9.5.
final class SeriesParametersTest {
  private static ObjectNode mapping(String field) {
    return (ObjectNode) Json.parse("{\"properties\":{\"f\":" + field.replace('\'', '"') + "}}");
  }

  private static IndexMapping created(String field) {
    return IndexMapping.create(mapping(field), new TreeMap<>());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      textBlock =
          """
          {'type':'keyword','time_series_dimension':true,'ignore_above':10}
          {'type':'keyword','index':false,'time_series_dimension':true}
          {'type':'ip','time_series_dimension':true}
          {'type':'boolean','time_series_dimension':true}
          {'type':'double','time_series_dimension':true}
          {'type':'long','time_series_metric':'counter'}
          {'type':'geo_point','time_series_metric':'position'}
          {'type':'flattened','time_series_dimensions':['x','y']}
          """)
  void areShownAndStay(String field) {
    ObjectNode mapping = mapping(field);

    IndexMapping created = IndexMapping.create(mapping, new TreeMap<>());

    assertThat(created.toJson().get("properties")).isEqualTo(mapping.get("properties"));
    ObjectNode without = mapping.deepCopy();
    ((ObjectNode) without.at("/properties/f"))
        .remove(
            java.util.List.of(
                "time_series_dimension", "time_series_metric", "time_series_dimensions"));
    assertThatThrownBy(() -> created.merge(without))
        .hasMessageContaining("Cannot update parameter [time_series_");
    assertThatThrownBy(() -> IndexMapping.create(without, new TreeMap<>()).merge(mapping))
        .hasMessageContaining("Cannot update parameter [time_series_");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      textBlock =
          """
          {'type':'keyword','time_series_dimension':true,'doc_values':false} ~ Field [time_series_dimension] requires that [doc_values] is true
          {'type':'ip','time_series_dimension':true,'doc_values':false} ~ Field [time_series_dimension] requires that [doc_values] is true
          {'type':'boolean','time_series_dimension':true,'doc_values':false} ~ Field [time_series_dimension] requires that [doc_values] is true
          {'type':'long','time_series_dimension':true,'doc_values':false} ~ Field [time_series_dimension] requires that [doc_values] is true
          {'type':'keyword','time_series_dimension':true,'normalizer':'lowercase'} ~ Field [normalizer] cannot be set in conjunction with field [time_series_dimension]
          {'type':'long','time_series_dimension':true,'time_series_metric':'gauge'} ~ Field [time_series_dimension] cannot be set in conjunction with field [time_series_metric]
          {'type':'long','time_series_metric':'summary'} ~ Unknown value [summary] for field [time_series_metric] - accepted values are [gauge, counter]
          {'type':'long','time_series_metric':'gauge','doc_values':false} ~ Field [time_series_metric] requires that [doc_values] is true
          {'type':'geo_point','time_series_metric':'gauge'} ~ Unknown value [gauge] for field [time_series_metric] - accepted values are [position]
          {'type':'geo_point','time_series_metric':'position','doc_values':false} ~ Field [time_series_metric] requires that [doc_values] is true
          {'type':'flattened','time_series_dimensions':['x'],'index':false} ~ Field [time_series_dimensions] requires that [index] and [doc_values] are true
          {'type':'flattened','time_series_dimensions':['x'],'ignore_above':5} ~ Field [ignore_above] cannot be set in conjunction with field [time_series_dimensions]
          {'type':'flattened','time_series_dimensions':'x'} ~ [time_series_dimensions] must be an array of texts
          {'type':'flattened','time_series_dimensions':[1]} ~ [time_series_dimensions] must be an array of texts
          {'type':'flattened','time_series_dimension':true} ~ unknown parameter [time_series_dimension] on mapper [f] of type [flattened]
          {'type':'text','time_series_dimension':true} ~ unknown parameter [time_series_dimension] on mapper [f] of type [text]
          {'type':'date','time_series_dimension':true} ~ unknown parameter [time_series_dimension] on mapper [f] of type [date]
          {'type':'keyword','time_series_metric':'gauge'} ~ unknown parameter [time_series_metric] on mapper [f] of type [keyword]
          """)
  void areRefused(String field, String reason) {
    assertThatThrownBy(() -> created(field)).hasMessageContaining(reason);
  }

  @Test
  void listsThatChangeAreNamed() {
    IndexMapping created = created("{'type':'flattened'}");

    assertThatThrownBy(
            () -> created.merge(mapping("{'type':'flattened','time_series_dimensions':['x']}")))
        .hasMessageContaining(
            "Cannot update parameter [time_series_dimensions] from [[]] to [[x]]");
  }

  @Test
  void dimensionsAreOfTheDocumentAndNotTooMany() {
    TreeMap<String, Object> settings = new TreeMap<>();
    settings.put("index.mapping.dimension_fields.limit", "1");
    IndexMapping empty = IndexMapping.create(Json.object(), settings);
    String dimension = "{'type':'keyword','time_series_dimension':true}";

    assertThatThrownBy(
            () -> empty.merge(mapping("{'type':'nested','properties':{'a':" + dimension + "}}")))
        .hasMessage("time_series_dimension can't be configured in nested field [f.a]");
    assertThatThrownBy(() ->
            empty.merge(
                mapping(
                    "{'type':'keyword','time_series_dimension':true,'fields':{'a':"
                        + dimension
                        + "}}")))
        .hasMessage("Limit of total dimension fields [1] has been exceeded");
  }
}
