package dev.holdfast.query.clause.geo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.query.SearchTestIndex;
import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Corners of shapes are rounded in an index: what is searched for is rounded alike. What has no
/// corner is nowhere.
final class RoundedShapesTest {
  private static SearchTestIndex index;

  @BeforeAll
  static void fill() throws IOException {
    index =
        new SearchTestIndex("{\"area\":{\"type\":\"geo_shape\"}}")
            .add(
                "place",
                "{\"area\":\"POINT (5 5)\"}",
                "box",
                "{\"area\":{\"type\":\"envelope\",\"coordinates\":[[-5,5],[5,-5]]}}",
                "way",
                "{\"area\":\"LINESTRING (20 20.1, 30 30.3)\"}",
                "nothing",
                "{\"area\":[\"POINT EMPTY\",\"GEOMETRYCOLLECTION (POLYGON EMPTY)\"]}");
  }

  @AfterAll
  static void close() throws IOException {
    index.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      textBlock =
          """
          intersects ; "POINT (5 5)" ; place box
          contains ; {"type":"point","coordinates":[5,5]} ; place box
          intersects ; {"type":"multipoint","coordinates":[[5,5],[60,60]]} ; place box
          intersects ; "POINT (-5 -5)" ; box
          intersects ; "LINESTRING (30 30.3, 40 40)" ; way
          within ; {"type":"envelope","coordinates":[[-5,5],[5,-5]]} ; place box
          intersects ; "POINT (5.000001 5)" ; ``
          intersects ; "GEOMETRYCOLLECTION (LINESTRING EMPTY, POINT (5 5))" ; place box
          intersects ; "POINT EMPTY" ; ``
          disjoint ; {"type":"geometrycollection","geometries":[]} ; ``
          """)
  void whatIsThereIsFoundByItself(String relation, String shape, String ids) throws IOException {
    String query =
        "{\"geo_shape\":{\"area\":{\"relation\":\"" + relation + "\",\"shape\":" + shape + "}}}";

    assertThat(index.matching(query)).isEqualTo(ids);
  }
}
