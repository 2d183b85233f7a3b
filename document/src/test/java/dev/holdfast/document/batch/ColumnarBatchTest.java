package dev.holdfast.document.batch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.document.BatchBuilder.Outcome;
import dev.holdfast.document.MappedTestIndex;
import dev.holdfast.document.MetadataFields;
import dev.holdfast.world.Refusal;
import org.apache.lucene.index.MultiDocValues;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.PhraseQuery;
import org.apache.lucene.search.TermQuery;
import org.junit.jupiter.api.Test;

@SuppressWarnings("InlineFormatString")
final class ColumnarBatchTest {
  private static String event(int i) {
    return """
    {"id":"#","type":"PushEvent","actor":{"id":17,"login":"mina","url":"https://api/u/mina"},
     "repo":{"id":4,"name":"mina/kelp"},"public":true,"created_at":"2015-01-01T15:00:0#Z",
     "payload":{"push_id":536863970,"size":2,"distinct":null,"tags":[],
       "commits":[{"sha":"a#","author":{"name":"Mina"},"message":"Fix the holdfast"},
                  {"sha":"b#","author":{"name":"Ole"},"message":"Grow blades — 海藻"}]}}
    """
        .replace("#", Integer.toString(i));
  }

  private static Refusal refusal(Outcome outcome) {
    assertThat(outcome).isInstanceOf(Outcome.Refused.class);
    return ((Outcome.Refused) outcome).refusal();
  }

  @Test
  void nestedEventsBecomeFieldsByDynamicMapping() throws Exception {
    try (MappedTestIndex index = new MappedTestIndex("{}")) {
      // when
      for (int i = 0; i < 5; i++) {
        index.add(event(i));
      }
      index.flush();
      // then
      assertThat(index.mapping().field("payload.commits.author.name.keyword")).isNotNull();
      assertThat(index.type("created_at").typeName()).isEqualTo("date");
      assertThat(index.mapping().field("payload.tags")).isNull();
      assertThat(index.term("payload.commits.sha.keyword", "\"b3\"")).containsExactly(3);
      assertThat(index.term("payload.commits.message", "\"holdfast\"")).hasSize(5);
      assertThat(index.term("payload.commits.message", "\"海\"")).hasSize(5);
      assertThat(index.term("actor.id", "17")).hasSize(5);
      assertThat(index.term("created_at", "\"2015-01-01T15:00:02Z\"")).containsExactly(2);
      assertThat(index.find(new TermQuery(new Term("_id", "4")))).containsExactly(4);
    }
  }

  @Test
  void sourceIsTheBytesAsReceived() throws Exception {
    try (MappedTestIndex index = new MappedTestIndex("{}").with("{ \"a\" : 1,\n\"b\": \"ü\" }")) {
      var stored = index.reader().storedFields().document(0);
      assertThat(stored.getBinaryValue(MetadataFields.SOURCE).utf8ToString())
          .isEqualTo("{ \"a\" : 1,\n\"b\": \"ü\" }");
      assertThat(MultiDocValues.getNumericValues(index.reader(), "_version").advanceExact(0))
          .isTrue();
    }
  }

  @Test
  void badDocumentLeavesTheRowsAroundItIntact() throws Exception {
    String mapping =
        """
        {"properties": {"n": {"type": "long"}, "t": {"type": "text"}, "k": {"type": "keyword"}}}
        """;
    try (MappedTestIndex index = new MappedTestIndex(mapping)) {
      // when
      index.add("{\"n\": 1, \"t\": \"one\", \"k\": \"x\"}");
      Outcome bad = index.add("{\"t\": \"two\", \"k\": [\"p\", \"q\"], \"n\": \"abc\"}");
      index.add("{\"n\": 3, \"t\": \"three\", \"k\": \"z\"}");
      index.flush();
      // then
      Refusal refusal = refusal(bad);
      assertThat(refusal.type().type()).isEqualTo("document_parsing_exception");
      assertThat(refusal.reason())
          .isEqualTo(
              "[1:36] failed to parse field [n] of type [long] in document with id '1'. Preview of"
                  + " field's value: 'abc'");
      assertThat(refusal.getCause()).hasMessage("For input string: \"abc\"");
      assertThat(index.reader().numDocs()).isEqualTo(2);
      assertThat(index.term("n", "1")).containsExactly(0);
      assertThat(index.term("n", "3")).containsExactly(1);
      assertThat(index.term("t", "\"two\"")).isEmpty();
      assertThat(index.term("k", "\"p\"")).isEmpty();
      assertThat(index.term("k", "\"z\"")).containsExactly(1);
    }
  }

  @Test
  void phrasesDontSpanTwoValues() throws Exception {
    try (MappedTestIndex index =
        new MappedTestIndex("{\"properties\": {\"t\": {\"type\": \"text\"}}}")
            .with(
                "{\"t\": [\"one two\", \"three\"]}",
                "{\"t\": [\"one ü\", \"drei\"]}",
                "{\"t\": \"two three\"}")) {
      assertThat(index.find(new PhraseQuery("t", "two", "three"))).containsExactly(2);
      assertThat(index.find(new PhraseQuery(101, "t", "two", "three"))).containsExactly(0, 2);
      assertThat(index.find(new PhraseQuery("t", "ü", "drei"))).isEmpty();
      assertThat(index.find(new PhraseQuery("t", "one", "two"))).containsExactly(0);
    }
  }

  @Test
  void refusesWhatNoDocumentMayBe() throws Exception {
    String mapping =
        """
        {"dynamic": "strict",
         "properties": {"o": {"properties": {"k": {"type": "keyword"}}}, "l": {"type": "long"}}}
        """;
    try (MappedTestIndex index = new MappedTestIndex(mapping)) {
      assertThat(refusal(index.add("{\"x\": 1}")).reason())
          .endsWith(
              "] mapping set to strict, dynamic introduction of [x] within [_doc] is not allowed");
      assertThat(refusal(index.add("{\"o\": 5}")).reason())
          .isEqualTo(
              "[1:7] object mapping for [o] tried to parse field [o] as object, but found a"
                  + " concrete value");
      assertThat(refusal(index.add("{\"l.x\": 5}")).reason())
          .contains("must be of type object but found [long]");
      assertThat(refusal(index.add("{\"_id\": 5}")).reason()).contains("is a metadata field");
      assertThat(refusal(index.add("{\"l\": {\"a\": 1}}")).reason())
          .contains("Preview of field's value: '{a=1}'");
      assertThat(refusal(index.add("{\"l\": 1")).reason()).contains("failed to parse");
      assertThat(refusal(index.add("[1]")).reason()).contains("expected an object");
      assertThat(index.add("{\"o.k\": \"v\", \"l\": 3.7}")).isInstanceOf(Outcome.Added.class);
      index.flush();
      assertThat(index.term("o.k", "\"v\"")).containsExactly(0);
      assertThat(index.term("l", "3")).containsExactly(0);
    }
  }

  @Test
  void refusesDuplicateNames() throws Exception {
    try (MappedTestIndex index =
        new MappedTestIndex(
            "{\"dynamic\": false, \"properties\": {\"a\": {\"type\": \"long\"}}}")) {
      for (String twice :
          new String[] {
            "{\"a\": 1, \"a\": 2}",
            "{\"u\": 1, \"u\": 2}",
            "{\"u\": {\"x\": {}, \"x\": 2}}",
            "{\"\\u0061\": 1, \"a\": 2}"
          }) {
        Refusal refusal = refusal(index.add(twice));
        assertThat(refusal.getCause()).hasMessageContaining("Duplicate field '");
      }
      assertThat(index.add("{\"u\": [{\"x\": 1}, {\"x\": 2}], \"a\": 1}"))
          .isInstanceOf(Outcome.Added.class);
    }
  }
}
