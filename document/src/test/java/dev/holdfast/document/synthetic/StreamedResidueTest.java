package dev.holdfast.document.synthetic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.document.MappedTestIndex;
import dev.holdfast.document.mapping.IndexMapping;
import dev.holdfast.world.Json;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What is stored of a document is the same whether it goes through a tree or not.
final class StreamedResidueTest {
  private static final String MAPPING =
      """
      {"properties":{
        "k":{"type":"keyword"},"n":{"type":"long"},"f":{"type":"flattened"},
        "at":{"type":"date"},"place":{"type":"geo_point"},"shape":{"type":"geo_shape"},
        "copied":{"type":"keyword","copy_to":"k"},
        "t":{"type":"text","fields":{"raw":{"type":"keyword"}}},"w":{"type":"text"},
        "all":{"type":"keyword","synthetic_source_keep":"all"},
        "some":{"type":"text","synthetic_source_keep":"arrays"},
        "o":{"properties":{"k":{"type":"keyword"},"w":{"type":"text"},
          "p":{"properties":{"n":{"type":"long"}}}}},
        "kept":{"synthetic_source_keep":"all","properties":{"k":{"type":"keyword"}}},
        "off":{"type":"object","enabled":false},
        "flat":{"subobjects":false,"properties":{"a.b":{"type":"keyword"}}}}}
      """;

  private static final List<String> NAMES =
      List.of(
          "k", "n", "f", "at", "place", "shape", "copied", "t", "w", "all", "some", "o", "kept",
          "off", "flat", "other", "o.k", "x.y", "\\u006b", "p", "k ä");

  private static final List<String> VALUES =
      List.of(
          "1",
          "-2.5e3",
          "true",
          "null",
          "\"\"",
          "\"a\"",
          "\"a b\\n\\\\ \\\" , } ] {\"",
          "\"\\u00e9\\u2028\"",
          "\"\\ud83d\\ude00\"",
          "\"ä€😀\"",
          "[]",
          "{}",
          "[1,null,[2]]",
          "[\"b\",\"b\"]",
          "[{\"k\":1},{\"k\":[2,3]}]");

  private static String space(Random random) {
    return random.nextInt(4) > 0 ? "" : List.of(" ", "\n", "\t ", "\r\n").get(random.nextInt(4));
  }

  private static String object(Random random, int depth) {
    List<String> names = new ArrayList<>(NAMES);
    Collections.shuffle(names, random);
    names.remove(names.contains("\\u006b") ? "k" : "");
    StringBuilder json = new StringBuilder("{").append(space(random));
    int count = random.nextInt(depth > 0 ? 6 : 3);
    for (int i = 0; i < count; i++) {
      json.append(i == 0 ? "" : ",").append(space(random));
      json.append('"').append(names.get(i)).append('"').append(space(random));
      json.append(':').append(space(random));
      boolean isInner = depth > 0 && random.nextInt(3) == 0;
      json.append(isInner ? object(random, depth - 1) : VALUES.get(random.nextInt(VALUES.size())))
          .append(space(random));
    }
    return json.append('}').toString();
  }

  @ParameterizedTest
  @ValueSource(strings = {"none", "arrays", "all"})
  void withAndWithoutATreeTheSameIsStored(String keep) throws Exception {
    TreeMap<String, Object> settings = new TreeMap<>();
    settings.put("index.mapping.source.mode", "synthetic");
    settings.put("index.mapping.synthetic_source_keep", keep);
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    try (MappedTestIndex index = new MappedTestIndex(MAPPING, settings)) {
      SourceResidue residue = ((SyntheticSource) index.mapping().sources()).newResidue();
      StreamedResidue streamed =
          new StreamedResidue(
              new SourcePlan(
                      ((IndexMapping) index.mapping()).root(),
                      Set.of(),
                      SourceKeep.of(keep, SourceKeep.NONE))
                  .residue());
      int count = 0;
      for (int i = 0; i < 4000; i++) {
        String document = space(random) + object(random, 2);
        byte[] bytes = (random.nextInt(9) + document + " ").getBytes(StandardCharsets.UTF_8);
        int length = bytes.length - 2;
        byte[] expected = residue.of(bytes, 1, length, _ -> false);
        byte[] found = streamed.of(bytes, 1, length);
        if (found != null) {
          count++;
          assertThat(found.length == 0).isEqualTo(expected.length == 0);
          if (found.length > 0) {
            assertThat(Json.parse(found))
                .as("seed %s, %s", seed, document)
                .isEqualTo(Json.parse(expected));
            assertThat(new String(found, StandardCharsets.UTF_8)).doesNotContain("\n", "\t", "\r");
          }
        }
        assertThat(
                Json.parse(
                    "[" + new String(residue.of(bytes, 1, length), StandardCharsets.UTF_8) + "]"))
            .isEqualTo(Json.parse("[" + new String(expected, StandardCharsets.UTF_8) + "]"));
      }
      assertThat(count).as("seed %s", seed).isGreaterThan(800);
    }
  }
}
