package dev.holdfast.document.field;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.document.BatchBuilder.Outcome;
import dev.holdfast.document.DocumentSource;
import dev.holdfast.document.FieldType;
import dev.holdfast.document.FieldType.Range;
import dev.holdfast.document.FieldType.Relation;
import dev.holdfast.document.MappedTestIndex;
import dev.holdfast.document.TermValues;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.apache.lucene.document.FeatureField;
import org.apache.lucene.document.LatLonShape;
import org.apache.lucene.document.ShapeField.QueryRelation;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.search.KnnByteVectorQuery;
import org.apache.lucene.search.KnnFloatVectorQuery;
import org.apache.lucene.search.MultiTermQuery;
import org.apache.lucene.search.TermQuery;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Kinds of fields whose values are more than one scalar.
final class FieldKindsTest {
  private static MappedTestIndex index(String mapping) throws IOException {
    return new MappedTestIndex("{\"properties\":{\"f\":" + mapping + "}}");
  }

  private static Range range(String from, String to, Relation relation) {
    return new Range(Json.parse(from), true, Json.parse(to), true, null, null, relation);
  }

  private static String reason(Outcome outcome) {
    assertThat(outcome).isInstanceOf(Outcome.Refused.class);
    Refusal refusal = ((Outcome.Refused) outcome).refusal();
    return refusal.getCause() instanceof Refusal cause ? cause.reason() : refusal.reason();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "integer_range | 1 | 5 | 3 | 4 | 9",
        "long_range | 1 | 5 | 3 | 4 | 9",
        "float_range | 1.5 | 5.5 | 3.25 | 4 | 9",
        "double_range | 1.5 | 5.5 | 3.25 | 4 | 9",
        "date_range | \"2020-01-01\" | \"2020-05-01\" | \"2020-03-01T00:00:00.000Z\" |"
            + " \"2020-04-01\" | \"2021-01-01\"",
        "ip_range | \"10.0.0.1\" | \"10.0.0.5\" | \"10.0.0.3\" | \"10.0.0.4\" | \"10.0.0.9\""
      })
  void rangesAreFoundByTheirRelation(
      String type, String from, String to, String in, String inToo, String out) throws IOException {
    try (MappedTestIndex index = index("{\"type\":\"" + type + "\"}")) {
      index.with(
          "{\"f\":{\"gte\":" + from + ",\"lte\":" + to + "}}",
          "{\"f\":{\"gt\":" + in + "}}",
          "{\"f\":null}");
      FieldType f = index.type("f");
      assertThat(index.find(f.rangeQuery("f", range(in, inToo, Relation.INTERSECTS), 0)))
          .containsExactly(0, 1);
      assertThat(index.find(f.rangeQuery("f", range(in, inToo, Relation.CONTAINS), 0)))
          .containsExactly(0);
      assertThat(index.find(f.rangeQuery("f", range(from, to, Relation.WITHIN), 0)))
          .containsExactly(0);
      assertThat(index.term("f", in)).containsExactly(0);
      assertThat(index.term("f", out)).containsExactly(1);
      assertThat(index.find(f.existsQuery("f"))).containsExactly(0, 1);
      assertThat(reason(index.add("{\"f\":{\"gte\":" + to + ",\"lte\":" + from + "}}")))
          .contains("is greater than max value");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "integer_range | {\"lte\":2147483648}      | Value [2147483648] is out of range for an integer",
        "integer_range | {\"gte\":\"-2147483649\"} | Value [-2147483649] is out of range for an integer",
        "long_range    | {\"lt\":1e30}            | Value [1.0E30] is out of range for a long",
        "float_range   | {\"gte\":1e39}           | [float] supports only finite values, but got"
            + " [Infinity]",
        "double_range  | {\"lt\":\"Infinity\"}    | [double] supports only finite values, but got"
            + " [Infinity]",
        "integer_range\",\"coerce\":\"false | {\"gte\":1.5}   | 1.5 cannot be converted to Integer"
            + " without data loss",
        "integer_range\",\"coerce\":\"false | {\"gte\":\"1\"} | Integer value passed as String",
      })
  void endsOfRangesAreValuesOfTheirKind(String type, String range, String fault)
      throws IOException {
    try (MappedTestIndex index = index("{\"type\":\"" + type + "\"}")) {
      assertThat(reason(index.add("{\"f\":" + range + "}"))).isEqualTo(fault);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "gte, 1.5, 1, 0",
    "gt, 1.5, 2, 1",
    "lte, 1.5, 1, 2",
    "lt, 1.5, 0, 1",
    "gt, -1.5, 0, -1",
    "lt, -1.5, -2, -1"
  })
  void fractionsOfWholeEndsAreCutBeforeTheNextNumberIsTaken(
      String end, String value, String in, String out) throws IOException {
    try (MappedTestIndex index = index("{\"type\":\"integer_range\"}")) {
      index.with("{\"f\":{\"" + end + "\":" + value + "}}");
      assertThat(index.term("f", in)).containsExactly(0);
      assertThat(index.term("f", out)).isEmpty();
    }
  }

  private static List<String> values(MappedTestIndex index, String field) throws IOException {
    List<String> values = new ArrayList<>();
    for (LeafReaderContext leaf : index.reader().leaves()) {
      SortedSetDocValues terms = TermValues.of(leaf.reader(), field);
      for (int doc = terms.nextDoc(); doc != SortedSetDocValues.NO_MORE_DOCS; ) {
        for (int i = 0; i < terms.docValueCount(); i++) {
          values.add(doc + ":" + terms.lookupOrd(terms.nextOrd()).utf8ToString());
        }
        doc = terms.nextDoc();
      }
    }
    return values;
  }

  @Test
  void keysOfAFlattenedAreFields() throws IOException {
    try (MappedTestIndex index = index("{\"type\":\"flattened\"}")) {
      index.with(
          "{\"f\":{\"a\":\"x\",\"b\":{\"c\":[1,\"y\"]}}}", "{\"f\":{\"a\":\"y\"}}", "{\"f\":{}}");
      assertThat(index.term("f", "\"y\"")).containsExactly(0, 1);
      assertThat(index.term("f.a", "\"y\"")).containsExactly(1);
      assertThat(index.term("f.b.c", "\"1\"")).containsExactly(0);
      assertThat(index.find(index.type("f.b.c").existsQuery("f.b.c"))).containsExactly(0);
      assertThat(
              index.find(
                  index
                      .type("f.a")
                      .rangeQuery(
                          "f.a", new Range(Json.parse("\"y\""), true, null, true, null, null), 0)))
          .containsExactly(1);
      assertThat(values(index, "f.a")).containsExactly("0:x", "1:y");
      assertThat(values(index, "f.b.c")).containsExactly("0:1", "0:y");
      assertThat(values(index, "f.z")).isEmpty();
      assertThat(reason(index.add("{\"f\":3}"))).contains("START_OBJECT");
    }
  }

  private static Outcome add(
      MappedTestIndex index, String id, @Nullable String routing, String json) {
    byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
    return index.batch().add(new DocumentSource(id, routing, bytes, 0, bytes.length));
  }

  @Test
  void joinsKnowTheirParents() throws IOException {
    String mapping =
        "{\"type\":\"join\",\"relations\":{\"question\":[\"answer\",\"note\"],\"answer\":\"vote\"}}";
    try (MappedTestIndex index = index(mapping)) {
      for (String[] each :
          new String[][] {
            {"q", "{\"f\":\"question\"}"},
            {"a", "{\"f\":{\"name\":\"answer\",\"parent\":\"q\"}}"},
            {"v", "{\"f\":{\"name\":\"vote\",\"parent\":\"a\"}}"}
          }) {
        Outcome added = add(index, each[0], "q", each[1]);
        index.batch().identify(((Outcome.Added) added).row(), 1, 1, 1);
      }
      index.flush();
      assertThat(values(index, "f")).containsExactly("0:question", "1:answer", "2:vote");
      assertThat(values(index, "f#question")).containsExactly("0:q", "1:q");
      assertThat(values(index, "f#answer")).containsExactly("1:a", "2:a");
      assertThat(index.mapping().field("f#answer")).isNotNull();
      assertThat(reason(add(index, "x", "q", "{\"f\":\"other\"}"))).contains("unknown join name");
      assertThat(reason(add(index, "x", "q", "{\"f\":\"vote\"}"))).contains("[parent] is missing");
      assertThat(reason(add(index, "x", null, "{\"f\":{\"name\":\"vote\",\"parent\":\"a\"}}")))
          .contains("[routing] is missing");
    }
  }

  @Test
  void featuresAreFrequenciesOfTerms() throws IOException {
    try (MappedTestIndex index = index("{\"type\":\"rank_features\"}")) {
      index.with("{\"f\":{\"p\":2,\"q\":8.5}}", "{\"f\":{\"q\":1}}");
      FieldType.Feature feature = index.type("f.q").feature("f.q");
      assertThat(feature).isEqualTo(new FieldType.Feature("f", "q", true));
      assertThat(index.find(FeatureField.newSaturationQuery("f", "q"))).containsExactly(0, 1);
      assertThat(index.find(FeatureField.newSaturationQuery("f", "p"))).containsExactly(0);
      assertThat(reason(index.add("{\"f\":{\"q\":-1}}"))).contains("positive normal float");
    }
  }

  @Test
  void versionsSortAsSemanticVersioningDoes() throws IOException {
    List<String> ascending =
        List.of(
            "1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0", "1.9.1", "1.10.0", "x");
    try (MappedTestIndex index = index("{\"type\":\"version\"}")) {
      for (String version : ascending) {
        index.with("{\"f\":\"" + version + "\"}");
      }
      FieldType f = index.type("f");
      for (int i = 0; i < ascending.size(); i++) {
        var from = Json.parse("\"" + ascending.get(i) + "\"");
        assertThat(index.find(f.rangeQuery("f", new Range(from, true, null, true, null, null), 0)))
            .hasSize(ascending.size() - i);
        var term = f.format(null, null).toTerm(from);
        assertThat(f.format(null, null).toText(term)).isEqualTo(ascending.get(i));
      }
    }
  }

  @Test
  void versionsOfThousandsOfNumbersAreRead() throws IOException {
    try (MappedTestIndex index = index("{\"type\":\"version\"}")) {
      index.with("{\"f\":\"1" + ".1".repeat(7_000) + "\"}");
      assertThat(reason(index.add("{\"f\":\"1" + ".1".repeat(20_000) + "\"}"))).contains("immense");
    }
  }

  @Test
  void vectorsAreFoundByTheirNeighbours() throws IOException {
    try (MappedTestIndex index = index("{\"type\":\"dense_vector\",\"similarity\":\"l2_norm\"}")) {
      index.with("{\"f\":[1,2]}", "{\"f\":[5,5]}");
      assertThat(index.type("f").vectors().dimensions()).isEqualTo(2);
      assertThat(index.find(new KnnFloatVectorQuery("f", new float[] {4, 4}, 1)))
          .containsExactly(1);
      assertThat(index.find(index.type("f").existsQuery("f"))).containsExactly(0, 1);
      assertThat(reason(index.add("{\"f\":[1,2,3]}")))
          .contains("different number of dimensions [3]");
    }
    try (MappedTestIndex index =
        index("{\"type\":\"dense_vector\",\"element_type\":\"byte\",\"dims\":2}")) {
      index.with("{\"f\":[1,-128]}", "{\"f\":\"7f01\"}");
      assertThat(index.find(new KnnByteVectorQuery("f", new byte[] {100, 0}, 1)))
          .containsExactly(1);
      assertThat(reason(index.add("{\"f\":[1,128]}"))).contains("integers between [-128, 127]");
    }
    assertThatThrownBy(() -> index("{\"type\":\"dense_vector\",\"dims\":5000}"))
        .hasMessageContaining("range [1, 4096]");
  }

  @Test
  void shapesAreTriangles() throws IOException {
    try (MappedTestIndex index = index("{\"type\":\"geo_shape\"}")) {
      index.with(
          "{\"f\":{\"type\":\"Polygon\",\"coordinates\":[[[0,0],[10,0],[10,10],[0,10],[0,0]]]}}",
          "{\"f\":\"POINT (20 20)\"}",
          "{\"f\":{\"type\":\"envelope\",\"coordinates\":[[170,5],[-170,-5]]}}");
      assertThat(index.find(LatLonShape.newBoxQuery("f", QueryRelation.INTERSECTS, 4, 6, 4, 6)))
          .containsExactly(0);
      assertThat(
              index.find(LatLonShape.newBoxQuery("f", QueryRelation.INTERSECTS, 0, 1, -175, -174)))
          .containsExactly(2);
      assertThat(
              reason(
                  index.add(
                      "{\"f\":{\"type\":\"Polygon\",\"coordinates\":[[[0,0],[1,0],[1,1]]]}}")))
          .contains("close itself");
    }
  }

  @Test
  void ringsAreClosedWhereTheMappingSaysSo() throws IOException {
    try (MappedTestIndex index = index("{\"type\":\"geo_shape\",\"coerce\":true}")) {
      index.with(
          "{\"f\":{\"type\":\"Polygon\",\"coordinates\":[[[0,0],[10,0],[10,10],[0,10]]]}}",
          "{\"f\":\"POINT (20 20)\"}");
      assertThat(index.find(LatLonShape.newBoxQuery("f", QueryRelation.INTERSECTS, 4, 6, 4, 6)))
          .containsExactly(0);
    }
  }

  @Test
  void typedTextHasShinglesAndBeginnings() throws IOException {
    try (MappedTestIndex index = index("{\"type\":\"search_as_you_type\"}")) {
      index.with("{\"f\":\"quick brown fox\"}", "{\"f\":\"brown quick\"}");
      assertThat(index.term("f._2gram", "\"quick brown\"")).containsExactly(0);
      assertThat(index.term("f._3gram", "\"quick brown fox\"")).containsExactly(0);
      var prefix =
          index.type("f").prefixQuery("f", "qu", MultiTermQuery.CONSTANT_SCORE_BLENDED_REWRITE);
      assertThat(prefix).isNotNull();
      assertThat(index.find(prefix)).containsExactly(0, 1);
      assertThat(index.mapping().toJson().at("/properties/f").size()).isEqualTo(1);
    }
  }

  @Test
  void fieldDataOfTextIsDocValues() throws IOException {
    try (MappedTestIndex index = index("{\"type\":\"text\",\"fielddata\":true}")) {
      index.with("{\"f\":\"red green red\"}");
      assertThat(values(index, "f")).containsExactly("0:green", "0:red");
    }
  }

  @Test
  void tokensAreCounted() throws IOException {
    try (MappedTestIndex index = index("{\"type\":\"token_count\",\"analyzer\":\"standard\"}")) {
      index.with("{\"f\":\"some text\"}", "{\"f\":[\"one\",\"a b c\"]}");
      assertThat(index.term("f", "2")).containsExactly(0);
      assertThat(index.term("f", "3")).containsExactly(1);
    }
  }

  @Test
  void completionsCheckTheirInputs() throws IOException {
    try (MappedTestIndex index =
        index("{\"type\":\"completion\",\"contexts\":[{\"name\":\"c\",\"type\":\"category\"}]}")) {
      index.with("{\"f\":{\"input\":[\"foo\",\"bar\"],\"weight\":3,\"contexts\":{\"c\":\"x\"}}}");
      assertThat(index.find(index.type("f").existsQuery("f"))).containsExactly(0);
      assertThat(reason(index.add("{\"f\":\"foo\"}"))).contains("Contexts are mandatory");
      assertThat(reason(index.add("{\"f\":{\"input\":\"a\",\"weight\":-1}}"))).contains("weight");
    }
  }

  @Test
  void copiesMakeFieldsThatTheMappingLacks() throws IOException {
    try (MappedTestIndex index = index("{\"type\":\"keyword\",\"copy_to\":[\"all\",\"o.all\"]}")) {
      index.with("{\"f\":\"x\"}");
      assertThat(index.type("all").typeName()).isEqualTo("text");
      assertThat(index.term("o.all.keyword", "\"x\"")).containsExactly(0);
    }
  }

  @Test
  void objectsWithoutSubobjectsHaveFieldsWithDots() throws IOException {
    String mapping =
        """
        {"properties": {"m": {"subobjects": false, "properties": {
          "time": {"type": "long"}, "time.max": {"type": "long"}}}}}
        """;
    try (MappedTestIndex index = new MappedTestIndex(mapping)) {
      index.with(
          "{\"m\":{\"time\":1,\"time.max\":2,\"host\":{\"name\":\"a\"}}}",
          "{\"m.time\":3,\"m\":{\"time\":{\"max\":4,\"new\":5},\"host.name\":[\"b\"]}}");
      assertThat(index.term("m.time", "1")).containsExactly(0);
      assertThat(index.term("m.time", "3")).containsExactly(1);
      assertThat(index.term("m.time.max", "2")).containsExactly(0);
      assertThat(index.term("m.time.max", "4")).containsExactly(1);
      assertThat(index.term("m.time.new", "5")).containsExactly(1);
      assertThat(index.term("m.host.name.keyword", "\"b\"")).containsExactly(1);
      var shown = index.mapping().toJson().at("/properties/m");
      assertThat(shown.at("/properties").has("time.new")).isTrue();
      assertThat(shown.at("/subobjects").asBoolean(true)).isFalse();
      assertThat(index.mapping().merge(index.mapping().toJson())).isSameAs(index.mapping());
    }
  }

  @Test
  void fieldsBeyondTheLimitAreIgnored() throws IOException {
    TreeMap<String, Object> settings = new TreeMap<>();
    settings.put("index.mapping.total_fields.limit", 2);
    settings.put("index.mapping.total_fields.ignore_dynamic_beyond_limit", "true");
    try (MappedTestIndex index =
        new MappedTestIndex("{\"properties\":{\"a\":{\"type\":\"long\"}}}", settings)) {
      index.with("{\"a\":1,\"b\":2,\"c\":3}");
      assertThat(index.mapping().field("b")).isNotNull();
      assertThat(index.mapping().field("c")).isNull();
      assertThat(index.find(new TermQuery(new org.apache.lucene.index.Term("_ignored", "c"))))
          .containsExactly(0);
    }
  }

  @Test
  void theSourceKeepsWhatItIncludes() throws IOException {
    String mapping = "{\"_source\":{\"includes\":[\"a\",\"o.x*\"],\"excludes\":[\"o.xy\"]}}";
    try (MappedTestIndex index = new MappedTestIndex(mapping)) {
      index.with("{\"a\":{\"b\":1},\"c\":2,\"o\":{\"x\":1,\"xy\":2,\"z\":3}}");
      assertThat(
              Json.parse(
                  index
                      .reader()
                      .storedFields()
                      .document(0)
                      .getBinaryValue("_source")
                      .utf8ToString()))
          .isEqualTo(Json.parse("{\"a\":{\"b\":1},\"o\":{\"x\":1}}"));
    }
  }
}
