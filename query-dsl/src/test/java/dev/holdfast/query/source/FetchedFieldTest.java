package dev.holdfast.query.source;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.query.SearchTestIndex;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// `fields` shows what a field has, wherever in the source that is.
final class FetchedFieldTest {
  private static Map<String, List<Object>> fields(SearchTestIndex index, String fields)
      throws IOException {
    return index
        .hits("{\"fields\":" + fields.replace('\'', '"') + ",\"_source\":false}")
        .getFirst()
        .fields();
  }

  @Test
  void placesOfMultiFieldsAndCopiesAreShown() throws IOException {
    String properties =
        """
        {"g":{"type":"geo_point","copy_to":"all","fields":{"s":{"type":"geo_point"}}},\
        "k":{"type":"keyword","copy_to":["all","shape"],"fields":{"p":{"type":"geo_point"}}},\
        "all":{"type":"geo_point"},"shape":{"type":"geo_shape"}}\
        """;
    try (SearchTestIndex index = new SearchTestIndex(properties)) {
      index.add("1", "{\"g\":[1,2],\"k\":\"POINT(3 4)\"}");

      Map<String, List<Object>> found =
          fields(
              index,
              "[{'field':'g*','format':'wkt'},{'field':'k.p','format':'wkt'},"
                  + "{'field':'all','format':'wkt'},{'field':'shape','format':'wkt'}]");

      assertThat(found.get("g")).hasToString("[POINT (1.0 2.0)]");
      assertThat(found.get("g.s")).hasToString("[POINT (1.0 2.0)]");
      assertThat(found.get("k.p")).hasToString("[POINT (3.0 4.0)]");
      assertThat(found.get("all")).hasToString("[POINT (1.0 2.0), POINT (3.0 4.0)]");
      assertThat(found.get("shape")).hasSize(1);
    }
  }

  @Test
  void aliasesOfPlacesAndKeysBelowAliasesAreShown() throws IOException {
    String properties =
        """
        {"g":{"type":"geo_point"},"f":{"type":"flattened"},\
        "ag":{"type":"alias","path":"g"},"af":{"type":"alias","path":"f"}}\
        """;
    try (SearchTestIndex index = new SearchTestIndex(properties)) {
      index.add("1", "{\"g\":[1,2],\"f\":{\"a\":{\"b\":\"x\"}}}");

      Map<String, List<Object>> found = fields(index, "[{'field':'ag','format':'wkt'},'af.a.b']");

      assertThat(found.get("ag")).hasToString("[POINT (1.0 2.0)]");
      assertThat(found.get("af.a.b")).hasToString("[x]");
      assertThat(index.matching("{\"exists\":{\"field\":\"af.a.b\"}}")).isEqualTo("1");
      assertThat(index.ids("{\"sort\":[{\"af.a.b\":\"desc\"}]}")).containsExactly("1");
    }
  }
}
