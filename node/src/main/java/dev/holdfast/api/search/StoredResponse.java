package dev.holdfast.api.search;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Format;
import dev.holdfast.world.RawJson;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.function.LongConsumer;

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
