package dev.holdfast.api.search;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.util.TokenBuffer;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Format;
import dev.holdfast.http.filter.FilteringGenerator;
import dev.holdfast.http.filter.PathFilter;
import dev.holdfast.world.Json;
import dev.holdfast.world.RawJson;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/// An answer of a search as the bytes of its JSON: what is kept for a client to come back for is as
/// large as it looks, and holds nothing of the search.
final class StoredResponse {
  private final byte[] json;

  private StoredResponse(byte[] json) {
    this.json = json;
  }

  /// Writes an answer down.
  ///
  /// @param asked with more bytes, before they are held; refuses by throwing
  static StoredResponse of(Answer.Writer response, LongConsumer asked) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JsonGenerator out = Format.JSON.generator(new Asking(bytes, asked), false)) {
      response.write(out);
    }
    return new StoredResponse(bytes.toByteArray());
  }

  long bytes() {
    return json.length;
  }

  void write(JsonGenerator out) throws IOException {
    RawJson.write(out, json);
  }

  /// One member of the answer, read as the rest passes by; missing when it has none.
  JsonNode member(String name) throws IOException {
    try (TokenBuffer kept = new TokenBuffer(Json.MAPPER, false)) {
      write(new FilteringGenerator(kept, PathFilter.including(List.of(name))));
      @Nullable JsonNode read = Json.MAPPER.readTree(kept.asParser());
      return read == null ? MissingNode.getInstance() : read.path(name);
    }
  }

  /// Asks before it passes bytes on.
  private static final class Asking extends OutputStream {
    private final OutputStream to;
    private final LongConsumer asked;

    Asking(OutputStream to, LongConsumer asked) {
      this.to = to;
      this.asked = asked;
    }

    @Override
    public void write(int b) throws IOException {
      asked.accept(1);
      to.write(b);
    }

    @Override
    public void write(byte[] from, int offset, int count) throws IOException {
      asked.accept(count);
      to.write(from, offset, count);
    }
  }
}
