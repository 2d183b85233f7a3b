package dev.holdfast.http.filter;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.filter.FilteringGeneratorDelegate;
import com.fasterxml.jackson.core.filter.TokenFilter;
import dev.holdfast.world.RawJson;
import java.io.IOException;

/// A generator that lets through what a path filter includes, as it streams. Raw JSON values are
/// replayed as events, because the filter may want a part of them.
public final class FilteringGenerator extends FilteringGeneratorDelegate {
  public FilteringGenerator(JsonGenerator generator, TokenFilter filter) {
    super(generator, filter, TokenFilter.Inclusion.INCLUDE_ALL_AND_PATH, true);
    // Every event must pass through here: the target's own way of copying would go round.
    delegateCopyMethods = false;
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
