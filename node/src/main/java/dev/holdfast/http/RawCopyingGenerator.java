package dev.holdfast.http;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.util.JsonGeneratorDelegate;
import dev.holdfast.world.RawJson;
import java.io.IOException;

/// A generator of another format, or of indented JSON, that takes raw JSON values by replaying
/// them.
final class RawCopyingGenerator extends JsonGeneratorDelegate {
  RawCopyingGenerator(JsonGenerator generator) {
    super(generator, false);
  }

  @Override
  public void writeRawValue(String text) throws IOException {
    RawJson.copy(text, this);
  }

  @Override
  public void writeRawValue(String text, int offset, int length) throws IOException {
    RawJson.copy(text.substring(offset, offset + length), this);
  }

  @Override
  public void writeRawValue(char[] text, int offset, int length) throws IOException {
    RawJson.copy(new String(text, offset, length), this);
  }

  @Override
  public void writeRawValue(SerializableString text) throws IOException {
    RawJson.copy(text.asUnquotedUTF8(), this);
  }
}
