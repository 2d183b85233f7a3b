package dev.holdfast.document.batch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.document.BatchBuilder.Outcome;
import dev.holdfast.document.MappedTestIndex;
import dev.holdfast.document.MetadataFields;
import dev.holdfast.document.NestedDocuments;
import dev.holdfast.world.Json;
import java.util.List;
import java.util.TreeMap;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.MultiDocValues;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.junit.jupiter.api.Test;

final class NestedDocumentsTest {
  private static final String MAPPING =
      """
      {"properties": {"user": {"type": "nested", "properties": {
          "name": {"type": "keyword"}, "text": {"type": "match_only_text"},
          "pet": {"type": "nested", "properties": {"kind": {"type": "keyword"}}}}},
        "title": {"type": "keyword"}, "all": {"type": "keyword"}}}
      """;

  private static List<Integer> documents(MappedTestIndex index, Query query) throws Exception {
    IndexSearcher searcher = new IndexSearcher(index.reader());
    return java.util.Arrays.stream(searcher.search(query, 100).scoreDocs)
        .map((ScoreDoc hit) -> hit.doc)
        .sorted()
        .toList();
  }

  private static List<Integer> having(MappedTestIndex index, String field, String value)
      throws Exception {
    return documents(index, index.type(field).termQuery(field, Json.parse("\"" + value + "\""), 0));
  }

  @Test
  void eachNestedObjectIsADocumentBeforeTheOneThatHoldsIt() throws Exception {
    // given the document's own values before and after its objects, and objects in objects
    try (MappedTestIndex index = new MappedTestIndex(MAPPING)) {
      index.with(
          """
          {"title": "one", "user": [
             {"name": "ann", "pet": [{"kind": "cat"}, {"kind": "dog"}], "text": "x"},
             {"pet": {"kind": "fish"}, "name": "bob"}], "all": "z"}
          """,
          "{\"title\": \"two\"}",
          "{\"user\": {\"name\": \"cat\"}, \"title\": \"three\"}");
      // then
      assertThat(having(index, "user.pet.kind", "cat")).containsExactly(0);
      assertThat(having(index, "user.pet.kind", "dog")).containsExactly(1);
      assertThat(having(index, "user.name", "ann")).containsExactly(2);
      assertThat(having(index, "user.pet.kind", "fish")).containsExactly(3);
      assertThat(having(index, "user.name", "bob")).containsExactly(4);
      assertThat(having(index, "title", "one")).containsExactly(5);
      assertThat(having(index, "all", "z")).containsExactly(5);
      assertThat(having(index, "title", "two")).containsExactly(6);
      assertThat(having(index, "user.name", "cat")).containsExactly(7);
      assertThat(having(index, "title", "three")).containsExactly(8);
      assertThat(documents(index, NestedDocuments.roots())).containsExactly(5, 6, 8);
      assertThat(documents(index, NestedDocuments.of("user"))).containsExactly(2, 4, 7);
      assertThat(documents(index, NestedDocuments.of("user.pet"))).containsExactly(0, 1, 3);
      assertThat(documents(index, index.type("user.text").existsQuery("user.text")))
          .containsExactly(2);
      assertThat(NestedDocuments.countRoots(index.reader())).isEqualTo(3);
    }
  }

  @Test
  void nestedObjectsHaveTheIdOfTheWholeAndNoHistory() throws Exception {
    try (MappedTestIndex index = new MappedTestIndex(MAPPING)) {
      index.with("{\"user\": [{\"name\": \"a\"}, {\"name\": \"b\"}]}");
      LeafReader reader = index.reader().leaves().getFirst().reader();
      PostingsEnum ids = reader.postings(new Term(MetadataFields.ID, "0"));
      assertThat(ids.nextDoc()).isZero();
      assertThat(ids.nextDoc()).isOne();
      assertThat(ids.nextDoc()).isEqualTo(2);
      NumericDocValues versions =
          MultiDocValues.getNumericValues(index.reader(), MetadataFields.VERSION);
      assertThat(versions.nextDoc()).isEqualTo(2);
      assertThat(reader.storedFields().document(0).getBinaryValue(MetadataFields.SOURCE)).isNull();
      assertThat(reader.storedFields().document(2).getBinaryValue(MetadataFields.SOURCE))
          .isNotNull();
    }
  }

  @Test
  void namesWithDotsLeadThroughNestedObjects() throws Exception {
    try (MappedTestIndex index = new MappedTestIndex(MAPPING)) {
      index.with("{\"user.pet.kind\": [\"cat\", \"dog\"], \"title\": \"t\"}");
      assertThat(having(index, "user.pet.kind", "dog")).containsExactly(0);
      assertThat(documents(index, NestedDocuments.of("user"))).containsExactly(1);
      assertThat(having(index, "title", "t")).containsExactly(2);
    }
  }

  @Test
  void valuesAreIncludedInParentAndRootAndCopied() throws Exception {
    String mapping =
        """
        {"properties": {"all": {"type": "keyword"}, "a": {"type": "nested", "properties": {
           "b": {"type": "nested", "include_in_parent": true, "properties": {
             "k": {"type": "keyword"}}},
           "c": {"type": "nested", "include_in_root": true, "properties": {
             "n": {"type": "long", "copy_to": "all"}}}}}}}
        """;
    try (MappedTestIndex index = new MappedTestIndex(mapping)) {
      index.with(
          "{\"all\": \"0\", \"a\": [{\"b\": [{\"k\": \"x\"}, {\"k\": \"y\"}]}, {\"c\": {\"n\":"
              + " 7}}]}",
          "{\"a\": {\"b\": {\"k\": \"y\"}}}");
      assertThat(having(index, "a.b.k", "x")).containsExactly(0, 2);
      assertThat(having(index, "a.b.k", "y")).containsExactly(1, 2, 6, 7);
      assertThat(documents(index, index.type("a.c.n").termQuery("a.c.n", Json.parse("7"), 0)))
          .containsExactly(3, 5);
      assertThat(having(index, "all", "7")).containsExactly(5);
      assertThat(having(index, "all", "0")).containsExactly(5);
    }
  }

  @Test
  void aRefusedDocumentLeavesNothingOfItsObjects() throws Exception {
    TreeMap<String, Object> settings = new TreeMap<>();
    settings.put("index.mapping.nested_objects.limit", 2);
    try (MappedTestIndex index = new MappedTestIndex(MAPPING, settings)) {
      // when
      Outcome many = index.add("{\"user\": [{\"name\": \"a\"}, {\"name\": \"b\"}, {}]}");
      Outcome bad = index.add("{\"user\": [{\"name\": \"a\"}, {\"name\": {\"b\": 1}}]}");
      index.with("{\"user\": {\"name\": \"a\"}}");
      // then
      assertThat(many)
          .isInstanceOfSatisfying(
              Outcome.Refused.class,
              refused ->
                  assertThat(refused.refusal().reason())
                      .contains("exceeded the allowed limit of [2]"));
      assertThat(bad).isInstanceOf(Outcome.Refused.class);
      assertThat(having(index, "user.name", "a")).containsExactly(0);
      assertThat(documents(index, NestedDocuments.roots())).containsExactly(1);
    }
  }

  @Test
  void nestedObjectsGrowTheirMapping() throws Exception {
    try (MappedTestIndex index = new MappedTestIndex(MAPPING)) {
      index.with("{\"user\": {\"age\": 3, \"pet\": {\"legs\": 4}}}");
      assertThat(index.type("user.pet.legs").typeName()).isEqualTo("long");
      assertThat(index.mapping().nestedScope("user.pet.legs")).isEqualTo("user.pet");
      assertThat(index.mapping().nestedScope("user.pet")).isEqualTo("user");
      assertThat(index.mapping().nestedScope("title")).isNull();
      assertThat(index.mapping().isNested("user")).isTrue();
    }
  }
}
