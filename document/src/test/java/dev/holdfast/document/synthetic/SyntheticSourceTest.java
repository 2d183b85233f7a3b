package dev.holdfast.document.synthetic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.document.MappedTestIndex;
import dev.holdfast.document.MetadataFields;
import dev.holdfast.world.Refusal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.apache.lucene.document.Document;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SyntheticSourceTest {
  private static TreeMap<String, Object> settings(String... more) {
    TreeMap<String, Object> settings = new TreeMap<>();
    settings.put("index.mapping.source.mode", "synthetic");
    for (int i = 0; i < more.length; i += 2) {
      settings.put(more[i], more[i + 1]);
    }
    return settings;
  }

  private static byte @Nullable [] stored(LeafReader leaf, int doc) throws Exception {
    Document document = leaf.storedFields().document(doc);
    BytesRef source = document.getBinaryValue(MetadataFields.SOURCE);
    return source == null ? null : BytesRef.deepCopyOf(source).bytes;
  }

  /// The sources of all documents that are no nested objects.
  private static List<String> sources(MappedTestIndex index) throws Exception {
    List<String> sources = new ArrayList<>();
    for (LeafReaderContext context : index.reader().leaves()) {
      LeafReader leaf = context.reader();
      var numbers = leaf.getNumericDocValues(MetadataFields.VERSION);
      for (int doc = numbers.nextDoc(); doc < leaf.maxDoc(); doc = numbers.nextDoc()) {
        byte[] source = index.mapping().sources().read(leaf, doc, stored(leaf, doc));
        sources.add(new String(source, StandardCharsets.UTF_8));
      }
    }
    return sources;
  }

  /// What is stored without looking at a document again is what looking at it would say.
  @Test
  void nothingIsStoredOnlyWhereNothingIsLeft() throws Exception {
    String mapping =
        """
        {"properties":{
          "k":{"type":"keyword"},"n":{"type":"long"},
          "t":{"type":"text","fields":{"raw":{"type":"keyword"}}},"w":{"type":"text"},
          "all":{"type":"keyword","synthetic_source_keep":"all"},
          "o":{"properties":{"k":{"type":"keyword"},"p":{"properties":{"n":{"type":"long"}}}}},
          "kept":{"synthetic_source_keep":"all","properties":{"k":{"type":"keyword"}}},
          "off":{"type":"object","enabled":false},
          "many":{"type":"nested","properties":{"k":{"type":"keyword"}}}}}
        """;
    List<String> members =
        List.of(
            "\"k\":\"a\"",
            "\"k\":null",
            "\"k\":[\"a\",\"b\"]",
            "\"k\":[\"a\"]",
            "\"n\":5",
            "\"t\":\"x\"",
            "\"w\":\"x\"",
            "\"all\":\"x\"",
            "\"o\":{\"k\":\"x\",\"p\":{\"n\":1}}",
            "\"o\":{}",
            "\"o\":null",
            "\"o\":[{\"k\":\"x\"}]",
            "\"o.p.n\":1",
            "\"o.p\":{\"n\":2}",
            "\"kept\":{\"k\":\"x\"}",
            "\"kept\":{}",
            "\"off\":{\"a\":1}",
            "\"off\":{}",
            "\"many\":{\"k\":\"x\"}",
            "\"many\":[]",
            "\"many\":{}");
    Random random = new Random(7);
    for (String keep : List.of("none", "arrays", "all")) {
      for (int i = 0; i < 300; i++) {
        TreeMap<String, String> chosen = new TreeMap<>();
        for (int n = random.nextInt(4); n > 0; n--) {
          String member = members.get(random.nextInt(members.size()));
          chosen.put(member.substring(0, member.indexOf(':')), member);
        }
        String document = "{" + String.join(",", chosen.values()) + "}";
        try (MappedTestIndex index =
            new MappedTestIndex(mapping, settings("index.mapping.synthetic_source_keep", keep))) {
          LeafReader leaf = index.with(document).reader().leaves().getFirst().reader();
          byte[] bytes = document.getBytes(StandardCharsets.UTF_8);
          byte[] expected =
              ((SyntheticSource) index.mapping().sources())
                  .newResidue()
                  .of(bytes, 0, bytes.length, _ -> false);
          byte[] found = stored(leaf, leaf.maxDoc() - 1);
          assertThat(found == null ? "" : new String(found, StandardCharsets.UTF_8))
              .as("%s %s", keep, document)
              .isEqualTo(new String(expected, StandardCharsets.UTF_8));
        }
      }
    }
  }

  private static String rebuilt(String field, String document) throws Exception {
    try (MappedTestIndex index =
        new MappedTestIndex("{\"properties\":{\"f\":" + field + "}}", settings())) {
      return sources(index.with(document)).getFirst();
    }
  }

  /// What Elasticsearch 9.5.3 answers; for kinds that its published build lacks, what its manual
  /// says.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\'',
      value = {
        "{\"type\":\"keyword\"} | [\"b\",\"a\",\"b\",null] | [\"a\",\"b\"]",
        "{\"type\":\"keyword\"} | [\"b\"] | \"b\"",
        "{\"type\":\"keyword\"} | [1,true,2.50] | [\"1\",\"2.50\",\"true\"]",
        "{\"type\":\"keyword\",\"null_value\":\"N\"} | [null,\"A\"] | [\"A\",\"N\"]",
        "{\"type\":\"keyword\",\"ignore_above\":3} | [\"zzzz\",\"b\",\"aaaa\",\"a\",\"zzzz\"] |"
            + " [\"a\",\"b\",\"zzzz\",\"aaaa\",\"zzzz\"]",
        "{\"type\":\"keyword\",\"normalizer\":\"lowercase\"} | [\"B\",\"a\",\"B\"] | [\"a\",\"b\"]",
        "{\"type\":\"keyword\",\"doc_values\":false} | [\"b\",\"a\",\"b\",null] |"
            + " [\"b\",\"a\",\"b\",null]",
        "{\"type\":\"keyword\",\"doc_values\":false,\"store\":true} | [\"b\",null] | \"b\"",
        "{\"type\":\"keyword\",\"synthetic_source_keep\":\"arrays\"} | [\"b\",\"a\",\"b\"] |"
            + " [\"b\",\"a\",\"b\"]",
        "{\"type\":\"long\",\"synthetic_source_keep\":\"all\"} | \"7\" | \"7\"",
        "{\"type\":\"long\"} | [3,1,\"2\",1] | [1,1,2,3]",
        "{\"type\":\"integer\"} | 5.7 | 5",
        "{\"type\":\"long\",\"ignore_malformed\":true} | [\"x\",3,\"a\",1] | [1,3,\"a\",\"x\"]",
        "{\"type\":\"unsigned_long\"} | [18446744073709551615,1] | [1,18446744073709551615]",
        "{\"type\":\"double\"} | [3.5,1,1.1] | [1.0,1.1,3.5]",
        "{\"type\":\"float\"} | [1.1,\"7\"] | [1.1,7.0]",
        "{\"type\":\"half_float\"} | 1.1 | 1.0996094",
        "{\"type\":\"scaled_float\",\"scaling_factor\":100} | 1.234 | 1.23",
        "{\"type\":\"boolean\"} | [true,false,\"true\",\"\"] | [false,false,true,true]",
        "{\"type\":\"date\"} | [\"2024-05-01\",1700000000000] |"
            + " [\"2023-11-14T22:13:20.000Z\",\"2024-05-01T00:00:00.000Z\"]",
        "{\"type\":\"date\",\"format\":\"epoch_second\"} | 1700000000 | \"1700000000\"",
        "{\"type\":\"date_nanos\"} | \"2024-05-01T00:00:00.123456789Z\" |"
            + " \"2024-05-01T00:00:00.123456789Z\"",
        "{\"type\":\"ip\"} | [\"10.0.0.1\",\"::1\",\"10.0.0.1\",\"2001:0db8::0001\"] |"
            + " [\"::1\",\"10.0.0.1\",\"2001:db8::1\"]",
        "{\"type\":\"ip\",\"ignore_malformed\":true} | [\"bad\",\"1.1.1.1\"] |"
            + " [\"1.1.1.1\",\"bad\"]",
        "{\"type\":\"version\"} | [\"1.10.0\",\"1.2.0\"] | [\"1.2.0\",\"1.10.0\"]",
        "{\"type\":\"wildcard\"} | [\"b\",\"a\",\"b\"] | [\"a\",\"b\"]",
        "{\"type\":\"text\"} | [\"b\",\"a\",\"b\",null] | [\"b\",\"a\",\"b\"]",
        "{\"type\":\"text\"} | [\"b\"] | \"b\"",
        "{\"type\":\"text\",\"fields\":{\"raw\":{\"type\":\"keyword\"}}} | [\"b\",\"a\",\"b\"] |"
            + " [\"a\",\"b\"]",
        "{\"type\":\"text\",\"fields\":{\"raw\":{\"type\":\"keyword\",\"ignore_above\":3}}} |"
            + " [\"zzzz\",\"b\",\"a\"] | [\"zzzz\",\"a\",\"b\"]",
        "{\"type\":\"integer_range\"} | [{\"gt\":5,\"lt\":10},{\"lte\":2}] |"
            + " [{\"gte\":null,\"lte\":2},{\"gte\":6,\"lte\":9}]",
        "{\"type\":\"flattened\"} | {\"b\":[\"y\",\"x\",\"y\"],\"a.z\":1,\"n\":null} |"
            + " {\"a\":{\"z\":\"1\"},\"b\":[\"x\",\"y\"]}",
        "{\"type\":\"geo_point\"} | [4.1,50.5] |"
            + " {\"lat\":50.499999965541065,\"lon\":4.099999973550439}",
        "{\"type\":\"dense_vector\",\"dims\":3} | [1,2.5,3] | [1,2.5,3]",
        "{\"type\":\"object\",\"enabled\":false} | [{\"b\":[2,1]},{\"a\":null}] |"
            + " [{\"b\":[2,1]},{\"a\":null}]",
        "{\"type\":\"object\",\"dynamic\":false} | [{\"u\":1},{\"u\":2}] | {\"u\":[1,2]}",
        "{\"type\":\"object\",\"synthetic_source_keep\":\"arrays\"} | [{\"b\":1},{\"b\":0}] |"
            + " [{\"b\":1},{\"b\":0}]",
      })
  void values(String field, String value, String shown) throws Exception {
    assertThat(rebuilt(field, "{\"f\":" + value + "}")).isEqualTo("{\"f\":" + shown + "}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\'',
      value = {"{\"f\":[]}", "{\"f\":null}", "{}"})
  void nothingIsShownOfNothing(String document) throws Exception {
    assertThat(rebuilt("{\"type\":\"keyword\"}", document)).isEqualTo("{}");
  }

  @Test
  void objectsInArraysAreOneObjectAndDotsAreObjects() throws Exception {
    try (MappedTestIndex index =
        new MappedTestIndex(
            """
            {"properties": {"o": {"properties": {
              "k": {"type": "keyword"}, "n": {"type": "long"}, "t": {"type": "text"}}}}}
            """,
            settings())) {
      index.with(
          """
          {"z": "1", "o": [{"k": "b", "n": 2, "t": "z"}, {"k": "a", "n": 1, "t": "y"}, {"k": "b"}],
           "a": {}}
          """,
          "{\"o.k\": \"x\", \"o\": {\"n\": 1}, \"m\": [2, 1]}");

      assertThat(sources(index))
          .containsExactly(
              "{\"o\":{\"k\":[\"a\",\"b\"],\"n\":[1,2],\"t\":[\"z\",\"y\"]},\"z\":\"1\"}",
              "{\"m\":[1,2],\"o\":{\"k\":\"x\",\"n\":1}}");
    }
  }

  @Test
  void nestedObjectsAreToldFromTheirOwnRows() throws Exception {
    try (MappedTestIndex index =
        new MappedTestIndex(
            """
            {"properties": {"k": {"type": "keyword"},
              "n": {"type": "nested", "include_in_root": true, "properties": {
                "k": {"type": "keyword"}, "t": {"type": "text"},
                "i": {"type": "nested", "properties": {"l": {"type": "long"}}}}}}}
            """,
            settings())) {
      index.with(
          """
          {"k": "root", "n": [{"k": ["b", "a"], "i": [{"l": [2, 1]}, {"l": 7}], "t": ["y", "x"]},
                              {}, {"k": "c", "i": {"l": 9}}]}
          """,
          "{\"n\": [{\"i.l\": 4, \"k\": \"d\"}]}");

      assertThat(sources(index))
          .containsExactly(
              "{\"k\":\"root\",\"n\":[{\"i\":[{\"l\":[1,2]},{\"l\":7}],\"k\":[\"a\",\"b\"],"
                  + "\"t\":[\"y\",\"x\"]},{},{\"i\":{\"l\":9},\"k\":\"c\"}]}",
              "{\"n\":{\"i\":{\"l\":4},\"k\":\"d\"}}");
    }
  }

  @Test
  void whatIsCopiedIsNoValueOfTheDocument() throws Exception {
    try (MappedTestIndex index =
        new MappedTestIndex(
            """
            {"properties": {"a": {"type": "keyword", "copy_to": "c"}, "c": {"type": "keyword"}}}
            """,
            settings())) {
      index.with("{\"a\":[\"y\",\"x\"]}", "{\"a\":\"y\",\"c\":\"z\"}");

      assertThat(sources(index))
          .containsExactly("{\"a\":[\"y\",\"x\"]}", "{\"a\":\"y\",\"c\":\"z\"}");
    }
  }

  @Test
  void anIndexMayKeepItsArrays() throws Exception {
    try (MappedTestIndex index =
        new MappedTestIndex("{}", settings("index.mapping.synthetic_source_keep", "arrays"))) {
      index.with("{\"k\":[2,1],\"o\":[{\"z\":1},{\"z\":0}],\"one\":[\"x\"],\"n\":3.0}");

      assertThat(sources(index))
          .containsExactly("{\"k\":[2,1],\"n\":3.0,\"o\":[{\"z\":1},{\"z\":0}],\"one\":[\"x\"]}");
    }
  }

  @Test
  void nothingIsStoredOfWhatDocValuesSay() throws Exception {
    try (MappedTestIndex index =
        new MappedTestIndex(
            "{\"properties\":{\"k\":{\"type\":\"keyword\"},\"t\":{\"type\":\"text\"}}}",
            settings())) {
      index.with("{\"k\":\"v\",\"l\":[1,2]}", "{\"k\":\"v\",\"t\":\"a b\"}");

      List<String> stored = new ArrayList<>();
      for (LeafReaderContext context : index.reader().leaves()) {
        for (int doc = 0; doc < context.reader().maxDoc(); doc++) {
          byte[] source = stored(context.reader(), doc);
          stored.add(source == null ? "" : new String(source, StandardCharsets.UTF_8));
        }
      }
      assertThat(stored).containsExactly("", "{\"t\":\"a b\"}");
    }
  }

  @Test
  void aSyntheticSourceIsNotFiltered() {
    assertThatThrownBy(
            () -> new MappedTestIndex("{\"_source\":{\"includes\":[\"a\"]}}", settings()))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("filtering the stored _source is incompatible with synthetic source");
  }
}
