package dev.holdfast.api.search.lookup;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.holdfast.clusterstate.IndexId;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.document.mapping.IndexMapping;
import dev.holdfast.world.Json;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class StoredValuesTest {
  private static IndexMetadata index(String name) {
    return new IndexMetadata(
        new IndexId(name, "uuid of " + name),
        1,
        new TreeMap<>(),
        1,
        Json.parseObject("{\"properties\":{\"k\":{\"type\":\"keyword\",\"store\":true}}}"),
        1,
        new TreeMap<>(),
        true,
        List.of(1L));
  }

  private static String written(StoredValues values, IndexMetadata index, String source)
      throws IOException {
    StringWriter text = new StringWriter();
    try (JsonGenerator out = Json.MAPPER.createGenerator(text)) {
      out.writeStartObject();
      values.write(out, index, List.of("k"), source.getBytes(StandardCharsets.UTF_8));
      out.writeEndObject();
    }
    return text.toString();
  }

  /// The mapping of an index may be of ten thousand fields, and so may the documents of a request.
  @Test
  void mappingsAreMadeOnceForDocumentsOfOneIndex() throws Exception {
    AtomicInteger made = new AtomicInteger();
    StoredValues values =
        new StoredValues((mapping, settings) -> {
          made.incrementAndGet();
          return IndexMapping.create(mapping, settings);
        });
    IndexMetadata books = index("books");

    assertThat(written(values, books, "{\"k\":\"a\"}")).isEqualTo("{\"fields\":{\"k\":[\"a\"]}}");
    assertThat(written(values, books, "{\"k\":\"b\"}")).isEqualTo("{\"fields\":{\"k\":[\"b\"]}}");
    assertThat(made).hasValue(1);
    assertThat(written(values, index("other"), "{}")).isEqualTo("{}");
    assertThat(made).hasValue(2);
  }
}
